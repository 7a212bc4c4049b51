#!/usr/bin/env bash
# `iodeck sweep` as scripts use it: streams, formats, the exported job file, interrupts, refusals.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1
quick=(--ramp=100ms --min=500ms --cap=600ms --batch=100ms)
base=(--ioengine=null --size=1g --rw=randread --rate_iops=5000)

"$IODECK" sweep "${base[@]}" --qd=1,4 --bs=4k,16k "${quick[@]}" --output-format=json \
	--export-jobs=jobs.fio >out 2>err; equal 'status' $? 0
equal 'one document with four cells' "$(jq -s '.[0].cells | length' out)" 4
equal 'all measured' "$(jq -r '[.cells[].state] | unique | join(" ")' out)" done
between 'IOPS are those of the rate' "$(jq '.cells[0].iops' out)" 4000 6000
has 'progress on stderr' err 'qd 4 bs 16k'
equal 'sections' "$(grep -c '^\[' jobs.fio)" 4
equal 'stonewalls' "$(grep -c '^stonewall' jobs.fio)" 3
if command -v fio >/dev/null; then
	check 'fio reads the job file' fio --parse-only jobs.fio
else
	skip 'no fio'
fi

"$IODECK" sweep "${base[@]}" --qd=1,2 "${quick[@]}" --eta=never --output=r.txt >out 2>err
equal 'quiet' "$(cat out err)" ''
has 'grid' r.txt 'qd |'
has 'findings' r.txt 'knee'

# A signal ends the cell at work, not the report.
"$IODECK" sweep "${base[@]}" --qd=1,2,4 --ramp=100ms --min=1 --cap=2 --batch=100ms \
	--output-format=csv >out 2>err & pid=$!
for _ in $(seq 100); do grep -q '^1/3' err && break; sleep 0.1; done
sleep 0.3; kill -INT $pid; wait $pid; equal 'status after SIGINT' $? 128
equal 'the first cell is kept' "$(sed -n 2p out | cut -d, -f2)" done
equal 'the last one is not measured' "$(sed -n 4p out | cut -d, -f2)" pending

# Going on from a file.
"$IODECK" sweep "${base[@]}" --qd=1,2,4 --ramp=100ms --min=1 --cap=2 --batch=100ms \
	--output-format=json --output=saved.json 2>err & pid=$!
for _ in $(seq 100); do grep -q '^1/3' err && break; sleep 0.1; done
sleep 0.3; kill -INT $pid; wait $pid
first=$(jq '.cells[0].iops' saved.json)
"$IODECK" sweep --resume=saved.json --output-format=json >out 2>err; equal 'resume: status' $? 0
equal 'resume: all cells' "$(jq -r '[.cells[].state] | unique | join(" ")' out)" done
equal 'resume: what was measured stays' "$(jq '.cells[0].iops' out)" "$first"
"$IODECK" sweep "${base[@]}" --qd=1,2,4 --ramp=100ms --min=1 --cap=2 --batch=100ms \
	--resume=saved.json --output-format=csv >out 2>err; equal 'resume with the same job' $? 0
"$IODECK" sweep "${base[@]}" --bs=8k --qd=1,2,4 --resume=saved.json >out 2>err
equal 'another job is refused' $? 1
has 'which option' err 'bs=8k'
"$IODECK" sweep "${base[@]}" --qd=1,2,8 --resume=saved.json >out 2>err; equal 'other axes are refused' $? 1
has 'which axes' err 'another sweep'
"$IODECK" sweep --resume=jobs.fio >out 2>err; equal 'no saved sweep' $? 1
equal 'one line' "$(wc -l <err)" 1
"$IODECK" sweep --resume=nowhere.json >out 2>err; equal 'no file' $? 1

"$IODECK" sweep --filename=f --ioengine=psync --size=1m --qd=1,2 >out 2>err; equal 'synchronous' $? 1
has 'says why' err 'synchronous engine'
check 'nothing was made' test ! -e f
"$IODECK" sweep --filename=f --qd=1..0 >out 2>err; equal 'bad range' $? 1
equal 'one line' "$(wc -l <err)" 1
"$IODECK" sweep --help >out 2>err; equal 'help' $? 0
has 'help has every axis' out rwmixread

# Writes need a file of our own; what is written is told.
"$IODECK" sweep --filename=w --rw=randwrite --size=4m --ioengine=psync --bs=4k,8k "${quick[@]}" \
	--rate_iops=200 --eta=never >out 2>err; equal 'write sweep' $? 0
has 'written bytes' out 'written'
head -c 4194304 /dev/urandom >foreign; cp foreign before
"$IODECK" sweep --filename=foreign --rw=randwrite --ioengine=psync --bs=4k,8k >out 2>err
equal 'a foreign file is refused' $? 1
check 'and untouched' cmp -s foreign before
finish
