#!/usr/bin/env bash
# The demos, end to end on the memory grid: every verb of every script works, and SATA shows its 32 tags. In
# virtual time, where the same comes out each time; the last one in real time, too.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

"$IODECK" --demo --virtual --size=100x30 --json=d.json >out 2>err; equal 'status' $? 0
has 'the report says what it is' out 'ioengine=sim'
equal 'two lanes' "$(jq '.jobs | length' d.json)" 2
equal 'SATA is A' "$(jq -r '.jobs[0].iodeck.options.filename' d.json | tr -d '\\')" sim:sata
between 'NVMe did more' "$(jq '.jobs[1].read.iops / .jobs[0].read.iops' d.json)" 1.3 1000
between 'depth 128 was reached' "$(jq '.jobs[1].iodepth_level[">=64"]' d.json)" 1 100
check 'no file was made' test "$(ls)" = "$(printf 'd.json\nerr\nhome\nout')"

for name in block-size hdd-ssd mixed flush; do
	"$IODECK" --demo "$name" --virtual --size=80x24 --json=d.json >out 2>err; equal "$name" $? 0
	equal "$name says SIMULATED" "$(jq -c '[.jobs[].iodeck.simulated]' d.json)" '[true,true]'
	equal "$name has no error" "$(jq -c '[.jobs[].error]' d.json)" '[0,0]'
	equal "$name is quiet" "$(cat err)" ''
done
between 'B flushed after its writes' "$(jq '.jobs[1].sync.lat_ns.N' d.json)" 10 1000000
"$IODECK" --demo flush --demo-step=1 --size=80x24 --json=real.json >out 2>err; equal 'in real time' $? 0
equal 'in real time: no error' "$(jq -c '[.jobs[].error]' real.json)" '[0,0]'

# The same bytes, however busy the machine is.
cat >twice.iod <<-'SCRIPT'
	dev sim:nvme
	lane B
	dev sim:sata
	lane A
	set rw=randread qd=8
	run
	wait running
	wait 20
	set qd=64
	wait 20
	save-screen compare.svg
	stop
	wait idle
	dev sim:nvme3
	sweep qd=1..64 bs=4k,16k
	wait 20
	save-screen half.svg
	wait idle
	save-screen done.svg
SCRIPT
for n in 1 2; do
	"$IODECK" --script twice.iod --virtual --size=120x40 >out 2>err; equal "script, round $n" $? 0
	mkdir $n && mv ./*.svg $n
done
check 'screens are the same' diff -r 1 2
"$IODECK" --virtual sim:nvme >out 2>err; equal '--virtual alone' $? 1
has 'says where it belongs' err '--script'

"$IODECK" --demo list >out 2>err; equal 'list' $? 0
has 'names them' out 'hdd-ssd'
"$IODECK" --demo=nothing --size=80x24 >out 2>err; equal 'unknown' $? 1
has 'names the known ones' err 'sata-nvme'
finish
