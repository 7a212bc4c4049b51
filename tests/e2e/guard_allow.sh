#!/usr/bin/env bash
# Would the tests notice a guard that allows everything? The same unit tests, linked with one, must fail:
# those over fixtures, and, where loop devices can be had, those of real devices and of runs. All of them
# write to files and loop devices of their own only.
. "$(dirname "$0")/lib.sh"
unit=$(dirname "$(readlink -f "$IODECK")")/unit_allow
root=$(cd "$(dirname "$0")/../.." && pwd)
# Leaks of a test that was cut short are not what is looked for.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0:log_path=$dir/san"

fails() { [[ $1 =~ Failing:\ ([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge "$2" ]; }

# suite NAME LEAST: at least so many of its tests fail
suite() {
	local last
	last=$(cd "$root" && "$unit" -j2 --filter "$1/*" 2>&1 | sed 's/\x1b\[[0-9;]*m//g' | grep 'Synthesis: Tested:')
	if fails "$last" "$2"; then ok; else fail "$1 did not notice a guard that allows everything: $last"; fi
}

suite guard 1
if [ "$(id -u)" -eq 0 ] && make_loop 1; then
	suite guard_real 5
	suite run_guard 3
else
	skip 'no loop devices'
fi
finish
