#!/usr/bin/env bash
# Public bug reports about measuring and reporting (cases 89 to 122), as whole-program tests; the others of those
# are unit tests named case_N_...
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1
run() { "$IODECK" run "$@" >out 2>err; }
rated='--ioengine=null --size=1g --time_based'

case_92_samples_are_taken_on_a_clock() {
	run --name=a $rated --runtime=3 --rate_iops=1000 --output-format=json
	between 'case 92: two samples a second' "$(jq '.jobs[0].read.iops_samples' out)" 4 6
	between 'case 92: their mean is the rate' "$(jq '.jobs[0].read | .iops_mean / .iops' out)" 0.98 1.02
}

case_95_group_samples_are_of_the_group() {
	run --name=a $rated --runtime=2 --rate_iops=500 --numjobs=4 --group_reporting --output-format=json
	between 'case 95: mean of the group' "$(jq '.jobs[0].read.iops_mean' out)" 1960 2040
	between 'case 95 and 101: per=' "$(jq '.jobs[0].read.bw_agg' out)" 98 100
	equal 'arithmetic' "$(arith out)" ''
}

case_104_sync_engines_have_no_slat() {
	run --name=a --filename=f --size=1m --ioengine=psync --output-format=json,normal
	equal 'case 104: no slat line' "$(grep -c ' slat (' out)" 0
	equal 'case 104: clat is lat' "$(sed -n '/^{/,/^}/p' out | jq '.jobs[0].read | .clat_ns.mean == .lat_ns.mean' )" true
}

case_107_percentile_lists() {
	run --name=a --ioengine=null --size=1m --percentile_list=99.99:50:50 --output-format=json
	equal 'case 107: sorted, once' "$(jq -c '.jobs[0].read.clat_ns.percentile | keys_unsorted' out)" '["50.000000","99.990000"]'
	run --name=a --ioengine=null --size=1m --percentile_list=1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21
	equal 'case 107: more than twenty' $? 1
	has 'case 107: the option is named' err percentile_list
}

case_109_an_interrupted_report_is_one_document() {
	timeout -s INT 1 "$IODECK" run --name=a $rated --runtime=30 --rate_iops=100 --output-format=json --output=o.json >out 2>err
	equal 'case 109: stdout is empty' "$(cat out)" ''
	equal 'case 109: the file is json' "$(jq '.jobs[0].iodeck.signal' o.json)" 2
	has 'case 109: the signal is on stderr' err 'terminating on signal 2'
}

case_110_disk_util_is_there() {
	run --name=a --ioengine=null --size=64k --output-format=json
	equal 'case 110: empty without a disk' "$(jq -c '.disk_util' out)" '[]'
}

case_115_terse_ends_with_the_disks() {
	if ! make_loop 16; then skip 'case 115: no loop device'; return; fi
	run --name=a --filename="$loop" --direct=1 --output-format=terse
	equal 'case 115: nine fields more' "$(awk -F';' '{ print NF }' out)" 130
	equal 'case 115: the name' "$(cut -d';' -f122 out)" "$(basename "$loop")"
	check 'case 115: utilisation' grep -q '%$' out
	for v in 2:161 4:171 5:189; do
		run --name=a --filename="$loop" --direct=1 --output-format=terse --terse-version=${v%:*}
		equal "terse ${v%:*} with a disk" "$(awk -F';' '{ print NF }' out)" "${v#*:}"
	done
}

case_116_help_names_fields() {
	"$IODECK" help terse >out; equal 'case 22: a line a field' "$(wc -l <out)" 133
	has 'case 22: units' out 'read_bandwidth_kb    KiB/s'
	"$IODECK" help json >out
	has 'case 116: units' out 'jobs[].DIR.bw_bytes'
	"$IODECK" help yaml >out 2>err; equal 'no such text' $? 1
}

case_118_dots_everywhere() {
	env LC_ALL=de_DE.UTF-8 "$IODECK" run --name=a --ioengine=null --size=1m --output-format=json,terse,normal >out 2>err
	equal 'case 118: status' $? 0
	equal 'case 118: no decimal comma' "$(grep -cE '[0-9],[0-9]+(%|msec|MiB)' out)" 0
	run --name=a --ioengine=null --size=1,5m; equal 'case 118: 1,5 is not 1.5' $? 1
}

case_119_one_bandwidth_in_all_formats() {
	run --name=a $rated --runtime=1 --rate_iops=1000 --output-format=json,terse,normal
	sed -n '/^{/,/^}/p' out >json
	equal 'case 119: terse and json' "$(grep '^3;' out | cut -d';' -f7)" "$(jq '.jobs[0].read.bw' json)"
	between 'case 119: normal and json' "$(sed -n 's/^  read: .*BW=\([0-9]*\)KiB\/s.*/\1/p' out)" \
		"$(jq '.jobs[0].read.bw - 1' json)" "$(jq '.jobs[0].read.bw + 1' json)"
}

# 4.13: a dump holds what was done so far, and the run goes on.
usr1_prints_and_goes_on() {
	"$IODECK" run --name=a $rated --runtime=2 --rate_iops=500 --output-format=json >out 2>err & local pid=$!
	sleep 1.2; kill -USR1 $pid; wait $pid; equal 'USR1: status' $? 0
	equal 'USR1: two documents' "$(jq -s length out)" 2
	jq -s '.[0]' out >dump.json; jq -s '.[1]' out >end.json
	equal 'USR1: arithmetic of the dump' "$(arith dump.json)" ''
	equal 'USR1: arithmetic of the end' "$(arith end.json)" ''
	check 'USR1: less was done then' test "$(jq '.jobs[0].read.total_ios' dump.json)" -lt "$(jq '.jobs[0].read.total_ios' end.json)"
}

# 4.9, trap 30: a process that is stopped for half a second delays requests that were due; lat does not see it.
latency_from_the_schedule_sees_a_stall() {
	"$IODECK" run --name=a $rated --runtime=2 --rate_iops=1000 --output-format=json >out 2>err & local pid=$!
	sleep 0.7; kill -STOP $pid; sleep 0.6; kill -CONT $pid; wait $pid
	equal 'arithmetic' "$(arith out)" ''
	between 'stall: p95 of the latency from the schedule, ms' \
		"$(jq '.jobs[0].iodeck.read.schedule_lat_ns.percentile["95.000000"] / 1e6' out)" 200 700
	between 'stall: p95 of lat, ms' "$(jq '.jobs[0].iodeck.read.lat_percentile_ns["95.000000"] / 1e6' out)" 0 50
}

case_92_samples_are_taken_on_a_clock
case_95_group_samples_are_of_the_group
case_104_sync_engines_have_no_slat
case_107_percentile_lists
case_109_an_interrupted_report_is_one_document
case_110_disk_util_is_there
case_115_terse_ends_with_the_disks
case_116_help_names_fields
case_118_dots_everywhere
case_119_one_bandwidth_in_all_formats
usr1_prints_and_goes_on
latency_from_the_schedule_sees_a_stall
finish
