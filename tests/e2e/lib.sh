# Sourced by every e2e script: a scratch folder, checks that count, a loop device of our own, the totals.
# IODECK is the binary under test. Nothing outside $dir is written; only a loop device on our own file.
set -uo pipefail
: "${IODECK:?set IODECK to the binary under test}"
passed=0 failed=0 skipped=0
dir=$(mktemp -d "${TMPDIR:-/tmp}/iodeck-e2e-XXXXXX")
loops=()
mounts=()
unset XDG_CONFIG_HOME XDG_DATA_HOME
export HOME=$dir/home LC_ALL=C.UTF-8
mkdir -p "$HOME"

cleanup() {
	local m l
	for m in "${mounts[@]:-}"; do [ -z "$m" ] || umount "$m"; done
	for l in "${loops[@]:-}"; do [ -z "$l" ] || losetup -d "$l"; done
	rm -rf "$dir"
}
trap cleanup EXIT

ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }

# check "what" command...: the command succeeds
check() { local what=$1; shift; if "$@"; then ok; else fail "$what"; fi; }
# equal "what" got want
equal() { if [ "$2" = "$3" ]; then ok; else fail "$1: got '$2', want '$3'"; fi; }
# between "what" value low high (numbers, decimals allowed)
between() {
	if awk -v v="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(v >= a && v <= b) }'; then ok
	else fail "$1: $2 is not within $3..$4"; fi
}
# has "what" file text
has() { if grep -qF -- "$3" "$2"; then ok; else fail "$1: no '$3' in: $(head -c 600 "$2")"; fi; }

# The arithmetic (R1 to R12) of every report; further words go to the checker. Prints what is wrong.
arith() { "$(dirname "$(readlink -f "$IODECK")")/arith_check" "${@:2}" <"$1"; }

# Every report of ours in a file, one after another or among other formats: R1 to R12, counted when one breaks.
arith_all() {
	local one bad
	rm -f "$dir"/.doc-*
	awk -v to="$dir/.doc-" '/^\{/ { n++; on = 1 } on { print >(to n) } /^}/ { on = 0 }' "$1"
	for one in "$dir"/.doc-*; do
		[ -e "$one" ] && grep -q '"fio version"' "$one" || continue
		bad=$(arith "$one") || true
		[ -z "$bad" ] || fail "arithmetic of a report: $bad"
	done
}

# iodeck run with these options, stdout in `out`, stderr in `err`; returns its status. All json is checked.
run() {
	local rc word
	"$IODECK" run "$@" >out 2>err; rc=$?
	arith_all out
	for word; do
		case $word in --output=*) [ ! -f "${word#*=}" ] || arith_all "${word#*=}" ;; esac
	done
	return $rc
}

# A loop device on a new file of $1 MiB with random data: sets $loop, or returns 1 where it cannot be had.
make_loop() {
	local f=$dir/loop$RANDOM.img
	head -c "$(($1 * 1048576))" /dev/urandom >"$f"
	loop=$(losetup -f --show "${@:2}" "$f" 2>/dev/null) || return 1
	loops+=("$loop")
}

finish() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}
