#!/usr/bin/env bash
# Public bug reports about measuring and reporting (cases 89 to 122), as whole-program tests; the others of those
# are unit tests named case_N_...
. "$(dirname "$0")/lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$dir" || exit 1
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
	arith_all o.json
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
	arith_all out
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
trap_30_latency_from_the_schedule_sees_a_stall() {
	"$IODECK" run --name=a $rated --runtime=2 --rate_iops=1000 --output-format=json >out 2>err & local pid=$!
	sleep 0.7; kill -STOP $pid; sleep 0.6; kill -CONT $pid; wait $pid
	equal 'arithmetic' "$(arith out)" ''
	between 'trap 30: p95 of the latency from the schedule, ms' \
		"$(jq '.jobs[0].iodeck.read.schedule_lat_ns.percentile["95.000000"] / 1e6' out)" 200 700
	between 'trap 30: p95 of lat, ms' "$(jq '.jobs[0].iodeck.read.lat_percentile_ns["95.000000"] / 1e6' out)" 0 50
}

# One run in all formats: what is counted in which unit.
traps_19_and_23_units_and_kinds() {
	run --name=a --filename=f --size=1m --ioengine=psync --rw=randread --write_lat_log=u --write_bw_log=u --log_avg_msec=1000 \
		--output-format=json,terse
	sed -n '/^{/,/^}/p' out >json; grep '^3;' out >terse
	between 'trap 19: terse in us, json in ns' "$(cut -d';' -f16 terse)" "$(jq '.jobs[0].read.clat_ns.mean / 1000 - 0.01' json)" \
		"$(jq '.jobs[0].read.clat_ns.mean / 1000 + 0.01' json)"
	between 'trap 19: the log in ns' "$(awk -F', ' '{ s += $2; n++ } END { print s / n }' u_clat.1.log)" \
		"$(jq '.jobs[0].read.clat_ns.min' json)" "$(jq '.jobs[0].read.clat_ns.max' json)"
	equal 'trap 19: bw in KiB/s, bw_bytes in B/s' "$(jq '.jobs[0].read | .bw == (.bw_bytes / 1024 | floor)' json)" true
	equal 'trap 19: terse bw in KiB/s' "$(cut -d';' -f7 terse)" "$(jq '.jobs[0].read.bw' json)"
	between 'trap 19: the bw log in KiB/s' "$(awk -F', ' '{ s += $2; n++ } END { print s / n }' u_bw.1.log)" \
		"$(jq '.jobs[0].read.bw * 0.3' json)" "$(jq '.jobs[0].read.bw * 3' json)"
	check 'trap 23: iops in json has decimals' grep -q '"iops": [0-9]*\.[0-9]' json
	check 'trap 23: iops in terse is whole' grep -qE '^[0-9]+$' <(cut -d';' -f8 terse)
	equal 'trap 23: and cut off' "$(cut -d';' -f8 terse)" "$(jq '.jobs[0].read.iops | floor' json)"
	equal 'arithmetic' "$(arith json)" ''
}

trap_24_syncs_are_no_depth() {
	run --name=a --filename=f --size=1m --rw=write --fsync=4 --output-format=json
	check 'trap 24: there were syncs' test "$(jq '.jobs[0].sync.total_ios' out)" -ge 63
	between 'trap 24: the depths' "$(jq '[.jobs[0].iodepth_level[]] | add' out)" 99.9 100.6
	equal 'arithmetic' "$(arith out)" ''
}

trap_15_short_runs() {
	make_loop 16 || { skip 'trap 15: no loop device'; return; }
	run --name=a --filename="$loop" --size=1m --direct=1 --output-format=normal,json
	equal 'trap 15: no sample line below half a second' "$(grep -c '^   bw (' out)" 0
	sed -n '/^{/,/^}/p' out >json
	equal 'trap 15: the disk is counted all the same' "$(jq '.disk_util[0].read_ios' json)" 256
	equal 'arithmetic' "$(arith json)" ''
}

trap_26_the_disk_of_a_partition() {
	make_loop 32 && addpart "$loop" 1 2048 32768 2>/dev/null || { skip 'trap 26: no partition to be had'; return; }
	for _ in $(seq 50); do [ -b "${loop}p1" ] && break; sleep 0.1; done
	if [ -b "${loop}p1" ]; then
		run --name=a --filename="${loop}p1" --size=4m --direct=1 --output-format=json
		equal 'trap 26 and case 137: the name' "$(jq -r '.disk_util[0].name' out)" "$(basename "$loop")"
		between 'trap 26: its reads' "$(jq '.disk_util[0].read_ios' out)" 1024 1100
		equal 'arithmetic' "$(arith out)" ''
	else
		skip 'trap 26: no node for the partition'
	fi
	delpart "$loop" 1
}

case_97_two_rates_have_two_names() {
	"$IODECK" help json >out
	check 'case 97: total over time' grep -q 'jobs\[\].DIR.iops .*total over time' out
	check 'case 97: mean of the samples' grep -q 'jobs\[\].DIR.iops_mean .*mean of the samples' out
	"$IODECK" help terse >out
	has 'case 97: terse' out 'total over time'
	has 'case 97: terse samples' <("$IODECK" help terse5) 'mean of the samples'
}

# A key names what is divided by what, or its unit stands beside it: no figure without one.
case_103_every_figure_has_a_unit() {
	equal 'case 103: rates and latencies without a unit' \
		"$("$IODECK" help json | grep -E 'bw_bytes|\.bw |\.iops |runtime|lat_ns\.' | grep -vcE 'KiB/s|B/s|1/s|ms|ns|bytes')" 0
}

case_112_the_live_line() {
	run --name=a $rated --runtime=1.5 --rate_iops=100 --output-format=json
	equal 'case 112: none into a file' "$(grep -c '^Jobs:' err)" 0
	run --name=a $rated --runtime=1.5 --rate_iops=100 --output-format=json --eta=always --eta-interval=300ms
	check 'case 112: whole lines when asked for' test "$(grep -c '^Jobs: .*' err)" -ge 2
	equal 'case 112: no carriage return' "$(tr -cd '\r\033' <err | wc -c)" 0
	equal 'case 112: json is json' "$(arith out)" ''
}

# 256 jobs on a terminal of 20 columns: every drawn line fits, and is cleared to its end.
case_113_a_narrow_terminal() {
	command -v script >/dev/null || { skip 'case 113: no script(1)'; return; }
	script -qec "stty cols 20 rows 5; '$IODECK' run --name=a $rated --runtime=2 --rate_iops=10 --numjobs=256 --group_reporting \
		--eta-interval=250ms --output=narrow" /dev/null >tty </dev/null 2>err
	check 'case 113: there are lines' grep -qa 'Jobs: 256' tty
	equal 'case 113: lines longer than the screen' "$(tr '\r' '\n' <tty | sed 's/\x1b\[K//g' | grep -a '^Jobs:' | awk 'length > 20' | wc -l)" 0
	check 'case 113: each is cleared to its end' test "$(grep -aoc $'\x1b\\[K' tty)" -gt 0
	check 'case 113: the letters are explained' grep -q '^\.SH STATUS LINE' "$top/iodeck.1"
}

# The clock of a run is the monotonic one; a job that never came to its first I/O has no rate, and says so.
case_50_no_wrapped_times() {
	timeout -s INT 1 "$IODECK" run --name=a --ioengine=null --size=1m --startdelay=30 --output-format=json >out 2>err
	equal 'case 50: run time' "$(jq '.jobs[0].read.runtime' out)" 0
	equal 'case 50: IOPS' "$(jq '.jobs[0].read.iops' out)" 0
	equal 'case 50: the reason' "$(jq '.jobs[0].iodeck | .started, .signal' out | xargs)" 'false 2'
	equal 'arithmetic' "$(arith out)" ''
}

case_86_the_limit_is_the_cpu() {
	run --name=a --ioengine=null --refill_buffers --rw=write --bs=1m --size=1g --time_based --runtime=1 --output-format=json
	local cpu; cpu=$(jq '.jobs[0] | .usr_cpu + .sys_cpu' out)
	equal "case 86: told when it is so ($cpu %)" "$(grep -c 'CPU-bound' err)" "$(awk -v c="$cpu" 'BEGIN { print (c >= 90) }')"
	equal 'arithmetic' "$(arith out)" ''
}

case_88_what_was_covered() {
	run --name=a --ioengine=null --size=64m --rate_iops=100 --runtime=1 --output-format=json
	has 'case 88: covered' err 'covered 4'
	has 'case 88: of' err 'KiB of 64 MiB'
	run --name=a --ioengine=null --size=64k --runtime=9; equal 'case 88: not when all was done' "$(cat err)" ''
}

traps_19_and_23_units_and_kinds
trap_24_syncs_are_no_depth
trap_15_short_runs
trap_26_the_disk_of_a_partition
case_97_two_rates_have_two_names
case_103_every_figure_has_a_unit
case_112_the_live_line
case_113_a_narrow_terminal
case_50_no_wrapped_times
case_86_the_limit_is_the_cpu
case_88_what_was_covered
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
trap_30_latency_from_the_schedule_sees_a_stall
finish
