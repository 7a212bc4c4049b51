#!/usr/bin/env bash
# `iodeck suite`: a file, a loop device without and with consent, interrupts, refusals. Times are scaled.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$dir" || exit 1

# A small suite of our own: the shipped one takes minutes.
cat >small.fio <<'S'
; A small suite.
[global]
ioengine=psync
bs=4k
stonewall
[fill]
; iodeck: precondition
rw=write
bs=64k
[by-size]
; iodeck: title=By block size
; iodeck: sweep=bs=4k,8k ramp=100ms min=500ms cap=600ms batch=100ms
rw=randread
[stable]
; iodeck: steady
; iodeck: round=1
; iodeck: window=3
; iodeck: rounds=4
; iodeck: range=100
; iodeck: slope=100
rw=randwrite
S
"$IODECK" suite ./small.fio --filename=f --size=8m --scale=0.5 --output-format=json >out 2>err
equal 'status' $? 0
equal 'stages' "$(jq -r '[.stages[].state] | join(" ")' out)" 'skipped done done'
equal 'cells' "$(jq -r '[.stages[1].sweep.cells[].state] | unique | join(" ")' out)" done
equal 'it is steady' "$(jq .stages[2].steady.steady out)" true
check 'rounds were measured' test "$(jq '[.stages[2].steady.rounds_iops[] | select(. > 0)] | length' out)" -ge 3
equal 'not preconditioned' "$(jq .preconditioned out)" false
has 'the file is made' err 'Laying out'
"$IODECK" suite ./small.fio --filename=f --size=8m --stages=fill --precondition >out 2>err
equal 'preconditioning: status' $? 0
has 'it is told' out 'preconditioned by this suite'
has 'what was written' out '8 MiB written'

# Ctrl-C: what is measured stays.
"$IODECK" suite ./small.fio --filename=f --size=8m --scale=20 --stages=by-size,stable >out 2>err & pid=$!
for _ in $(seq 100); do grep -q by-size err && break; sleep 0.1; done
sleep 0.5; kill -INT $pid; wait $pid; equal 'status after SIGINT' $? 128
has 'cut short' out 'cut short'
has 'the rest is named' out 'not run'

# What may not be written is left out, reads go on, and no byte changes.
if make_loop 8; then
	image=$(losetup -nO BACK-FILE "$loop"); cp "$image" before
	"$IODECK" suite ./small.fio --filename="$loop" --scale=0.5 >out 2>err; equal 'no consent: status' $? 0
	has 'the write stage is skipped' out 'skipped: writes were not agreed to'
	has 'how to agree' out "--allow-destroy=$loop"
	sync; check 'no byte changed' cmp -s "$image" before
	"$IODECK" suite ./small.fio --filename="$loop" --precondition >out 2>err
	equal 'preconditioning without consent is refused' $? 1
	sync; check 'and still no byte changed' cmp -s "$image" before
	"$IODECK" suite ./small.fio --filename="$loop" --scale=0.5 --precondition --allow-destroy="$loop" >out 2>err
	equal 'with consent: status' $? 0
	has 'preconditioned' out 'preconditioned by this suite'
	sync; check 'it was written' sh -c "! cmp -s '$image' before"
else
	skip 'no loop devices here'
fi

# Refusals: one line each, nothing made.
refuse() {
	local text=$1; shift
	"$IODECK" suite "$@" >out 2>err; equal "$*: status" $? 1
	has "$*: says" err "$text"
	equal "$*: one line" "$(wc -l <err)" 1
}
refuse 'which one' --filename=x
refuse 'no suite-nix.fio' nix --filename=x
refuse '--filename=' ssd
refuse "is what the suite's stages set" ssd --filename=x --size=1m --bs=8k
refuse 'scale' ssd --filename=x --scale=0
refuse 'there is no nix' ssd --filename=x --stages=nix
refuse 'normal and json' ssd --filename=x --output-format=terse
check 'nothing was made' test ! -e x
"$IODECK" suite ssd --list >out 2>err; equal 'list' $? 0
has 'a stage' out 'rand-read-qd'
"$IODECK" suite --help >out 2>err; equal 'help' $? 0
has 'its words' out '--precondition'
if command -v fio >/dev/null; then
	check 'fio reads the shipped suite' fio --parse-only "$here/../../profiles/suite-ssd.fio"
fi
finish
