#!/usr/bin/env bash
# Runs are kept, listed again by another console, and exported; lines of --plain say everything.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

cat >one.iod <<"END"
dev sim:nvme
set time=2
run
wait running
wait idle
key T
type first one
key Enter
export html r.html
export csv r.csv
END
"$IODECK" --script one.iod --size 100x30 --state-dir state >out 2>err; equal "status" $? 0
equal "one folder" "$(ls state/runs | wc -l)" 1
equal "nothing half made" "$(ls -A state/runs | grep -c "^\\.")" 0
equal "tag" "$(jq -r .tag state/runs/*/run.json)" "first one"
equal "simulated" "$(jq -r .simulated state/runs/*/run.json)" true
equal "the report is in it" "$(jq -r ".report.jobs | length" state/runs/*/run.json)" 1
equal "ops agree" "$(jq .lanes[0].total.all.ops state/runs/*/run.json)" "$(jq .report.jobs[0].read.total_ios state/runs/*/run.json)"
equal "the series adds up" "$(awk -F, "NR > 1 { n += \$4 } END { print n }" r.csv)" "$(jq .lanes[0].total.read.ops state/runs/*/run.json)"
has "html" r.html "</html>"

printf "key 4\nassert first one\nkey Enter\nassert sim:nvme\n" >two.iod
"$IODECK" --script two.iod --size 80x24 --state-dir state >out 2>err; equal "seen again" $? 0
printf "dev sim:nvme\nset time=1\nrun\nwait running\nwait idle\n" >three.iod
HOME=$dir/none XDG_DATA_HOME=$dir/none "$IODECK" --script three.iod --size 80x24 >out 2>err; equal "a script" $? 0
check "keeps nothing unasked" test ! -e none

# Whatever ends the process, the run is in the history with what was measured until then.
printf "dev sim:nvme\nset time=60\nrun\nwait running\nwait 60\n" >long.iod
pids=()
for n in segv kill; do
	"$IODECK" run --name=a --ioengine=sim --filename=sim:nvme --rw=randread --time_based --runtime=60 \
		--state-dir="$n-run" >/dev/null 2>&1 & pids+=($!)
	"$IODECK" --script long.iod --size 80x24 --state-dir "$n-ui" >/dev/null 2>&1 & pids+=($!)
done
on_disk() { grep -qs iops "$1"/runs/*.partial/state && [ "$(cat "$1"/runs/*.partial/series.csv | wc -l)" -ge 3 ]; }
state() { for _ in $(seq 200); do on_disk "$1" && return; sleep 0.1; done; return 1; }
for n in segv-run segv-ui kill-run kill-ui; do state $n; equal "$n: on disk while it is on" $? 0; done
"$IODECK" history --state-dir kill-ui >out; has "it is on: not listed" out "no run is kept yet"
{ kill -SEGV "${pids[0]}" "${pids[1]}"; kill -KILL "${pids[2]}" "${pids[3]}"; wait "${pids[@]}"; } 2>/dev/null
for n in segv-run segv-ui kill-run kill-ui; do
	"$IODECK" history --state-dir $n >out 2>err; equal "$n: listed" $? 0
	has "$n: says so" out "partial: ended by a crash"
	"$IODECK" history --state-dir $n --json >json
	equal "$n: its IOPS" "$(jq ".runs[0] | .iops > 1000 and .status == \"partial\"" json)" true
	equal "$n: its rows" "$(awk -F, "NR > 1 && \$4 > 0 { n++ } END { print (n > 0) }" $n/runs/*/series.csv)" 1
	check "$n: nothing half made" test ! -e "$(echo $n/runs/*.partial)"
done
printf "key 4\nassert partial\nkey Enter\nassert sim:nvme\n" >look.iod
"$IODECK" --script look.iod --size 80x24 --state-dir kill-ui >out 2>err; equal "seen in the console" $? 0
"$IODECK" history --nix >out 2>err; equal "an unknown word" $? 1
has "names what is known" err "--json, --state-dir DIR"

# A sweep that was stopped is gone on with: by its name, by its file, and from the History screen.
cat >sweep.iod <<"END"
dev sim:sata
set rw=randread
sweep qd=1,4,16 bs=4k
wait text 2/3
key Esc
wait idle
END
XDG_DATA_HOME=$dir/xdg; export XDG_DATA_HOME
mkdir -p xdg/iodeck/runs
"$IODECK" --script sweep.iod --virtual --size 100x30 --state-dir xdg/iodeck >out 2>err; equal "sweep" $? 0
id=$(ls xdg/iodeck/runs)
equal "its job is kept" "$(jq -r .report.job "xdg/iodeck/runs/$id/run.json" | grep -c '^filename=sim:sata$')" 1
equal "its cells are kept" "$(jq -c '[.report.cells[].state]' "xdg/iodeck/runs/$id/run.json")" '["done","done","pending"]'
"$IODECK" sweep --resume="$id" --output-format=json >out 2>err; equal "go on by name" $? 0
equal "the rest is measured" "$(jq -c '[.cells[].state]' out)" '["done","done","done"]'
equal "and only that" "$(jq -c '[.cells[:2][].completions]' out)" "$(jq -c '[.report.cells[:2][].completions]' "xdg/iodeck/runs/$id/run.json")"
"$IODECK" sweep --resume="xdg/iodeck/runs/$id/run.json" --filename=sim:hdd --rw=randread >out 2>err; equal "another job" $? 1
has "tells what differs" err "sim:hdd"
cat >resume.iod <<"END"
key 4
key Enter
assert 2 of 3 cells are measured
key Space
wait running
wait idle
assert 3/3
save-screen resumed.txt
END
"$IODECK" --script resume.iod --virtual --size 100x30 --state-dir xdg/iodeck >out 2>err; equal "go on from the screen" $? 0
has "whose it is" resumed.txt "sim:sata"
equal "both are kept" "$(ls xdg/iodeck/runs | wc -l)" 2
unset XDG_DATA_HOME

printf "bind run Esc :quit\n" >rc
"$IODECK" --config rc --script two.iod --size 80x24 >out 2>err; equal "bad config" $? 1
has "tells the line" err "rc:1: bind run Esc"

"$IODECK" run --name=a --ioengine=null --size=1g --rw=randread --rate_iops=500 --time_based --runtime=2 --plain >out 2>err
equal "plain" $? 0
has "a whole line" out " IOPS, "; has "with its latency" out ", p99 "
"$IODECK" run --name=a --ioengine=null --size=1g --rw=randread --rate_iops=500 --time_based --runtime=2 --plain --words --output-format=json >out 2>err
jq -e .jobs out >jobs; equal "stdout is json" $? 0
has "words" err "operations per second"
finish
