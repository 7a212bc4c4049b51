#!/usr/bin/env bash
# A session as a user has it, in tmux: choose a target, run, retune, mark, save a profile, load it, quit.
. "$(dirname "$0")/lib.sh"
if ! command -v tmux >/dev/null; then
	skip 'tmux is not installed'
	finish
	exit
fi
server=iodeck-e2e-$$
tm() { tmux -L "$server" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null; cleanup' EXIT

screen() { tm capture-pane -p; }
# shows TEXT: it comes within 30 s
shows() {
	local i
	for ((i = 0; i < 300; i++)); do
		if screen | grep -qF -- "$1"; then ok; return 0; fi
		sleep 0.1
	done
	fail "the screen does not show '$1':"; screen
	return 1
}
gone() {
	local i
	for ((i = 0; i < 300; i++)); do
		screen | grep -qF -- "$1" || { ok; return 0; }
		sleep 0.1
	done
	fail "the screen still shows '$1'"
}
keys() { tm send-keys "$@"; }
typed() { tm send-keys -l "$1"; }

cd "$dir" || exit 1
tm new-session -d -x 120 -y 40 -e HOME="$HOME" -e LC_ALL=C.UTF-8 "PS1='ready> ' sh"
tm set -g status off; tm set -s escape-time 0
shows 'ready>'
typed "stty -a >before; $IODECK --json=$dir/j.json; echo status \$?; stty -a >after"; keys Enter
shows 'IDLE'

# a target: the picker, a file by its path
keys d; shows 'Device'
keys f; shows 'ath'
typed "$dir/data"; keys Enter
shows "$dir/data"
keys :; typed 'set size=16m runtime=10m'; keys Enter

# run, retune, mark
keys Space; shows 'RUN'; shows 'in flight 32/32'
keys ']'; shows 'qd[64]'; shows 'in flight 64/64'; shows 'qd 32 → 64'
keys .; shows 'bs=8 KiB'; shows 'bs 4k → 8k'
keys m; shows 'Text of the mark'
typed 'fan curve changed'; keys Enter; shows 'fan curve changed'
keys v; shows 'histogram'
tm resize-window -x 40 -y 10; gone 'devices'
tm resize-window -x 120 -y 40; shows 'histogram'

# save, change, load
keys w; shows 'NAME.fio'
typed 'mine'; keys Enter; shows 'saved'
keys Space; shows 'DONE'
keys '['; shows 'qd[32]'
keys p; shows 'save as'; shows 'mine'
keys Enter; shows 'qd[64]'

# quit: asked while a run is on, Esc stays
keys Space; shows 'RUN'
keys q; shows 'A run is on'
keys Escape; gone 'A run is on'
keys q; shows 'A run is on'
keys s
shows 'status 0'
shows 'READ: bw='
gone 'qd['
check 'the terminal is as it was' cmp before after
check 'the report is json' jq -e '.jobs[0].read.total_ios > 0' j.json
between 'the loaded depth was in flight' "$(jq '.jobs[0].iodepth_level[">=64"]' j.json)" 1 100
check 'fio takes the profile' fio --parse-only "$HOME/.config/iodeck/profiles/mine.fio"
check 'the scratch file is gone' test ! -e data
finish
