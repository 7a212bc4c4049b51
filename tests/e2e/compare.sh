#!/usr/bin/env bash
# `iodeck run --compare`: two job files, or two sections of one, as lanes; table, json, refusals.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1
job() { printf '[%s]\nioengine=null\nsize=1g\nrw=randread\ntime_based\nruntime=%s\nrate_iops=%s\n' "$@"; }
job fast 5 4000 >a.fio
job slow 5 1000 >b.fio

"$IODECK" run --compare a.fio b.fio >out 2>err; equal 'status' $? 0
has 'lane A' out 'A: fast, null'
has 'lane B' out 'B: slow, null'
has 'the mode' out 'both at once'
has 'a verdict' out 'A more'

"$IODECK" run --compare --output-format=json --output=c.json a.fio b.fio >out 2>err; equal 'json status' $? 0
equal 'nothing on stdout' "$(cat out)" ''
equal 'lanes' "$(jq -r '[.lanes[].jobname] | join(" ")' c.json)" 'fast slow'
between 'the ratio of the rates' "$(jq '.comparisons[0].iops.ratio' c.json)" 3.2 4.8
equal 'who has more' "$(jq -r '.comparisons[0].iops.more' c.json)" a
between 'the interval holds the difference' "$(jq '.comparisons[0].iops |
	(.difference - 3000 | if . < 0 then -. else . end)' c.json)" 0 600

# In turns: half of the time each, and the rate of a lane is that of its own slices.
{ job one 8 2000; job two 8 2000; } >both.fio
"$IODECK" run --compare --alternate=2 --output-format=json both.fio >out 2>err; equal 'in turns' $? 0
equal 'mode' "$(jq -r '.mode' out)" alternate
equal 'slice' "$(jq '.slice_ns' out)" 2000000000
between 'own slices only' "$(jq '.comparisons[0].iops.a' out)" 1600 2400
between 'of both' "$(jq '.comparisons[0].iops.b' out)" 1600 2400
between 'half of the seconds' "$(jq '.lanes[0].seconds' out)" 1 5

"$IODECK" run --compare a.fio >out 2>err; equal 'one job' $? 1
has 'says what is needed' err 'two to 4 jobs'
{ job one 1 10; job two 1 10; echo stonewall; } >wall.fio
"$IODECK" run --compare wall.fio >out 2>err; equal 'stonewall' $? 1
has 'names the job' err 'two runs after'
"$IODECK" run --compare --alternate=1ms a.fio b.fio >out 2>err; equal 'a slice too short' $? 1
equal 'one line' "$(wc -l <err)" 1
"$IODECK" run --compare a.fio b.fio >out 2>err & pid=$!
sleep 2; kill -INT $pid; wait $pid; equal 'status after SIGINT' $? 128
has 'what was measured is told' out 'A against B'
finish
