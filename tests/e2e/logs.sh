#!/usr/bin/env bash
# Logs (fio-language 3.10): shapes, sums, and what happens when the disk is full or slow.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

# case 94: the log's integral is the result. Each row holds a rate since the row before it.
run --name=a --ioengine=null --size=1g --rw=randrw --rate_iops=2000 --time_based --runtime=3 --numjobs=2 \
	--write_bw_log=p --write_iops_log=p --write_lat_log=p --log_avg_msec=250 --output-format=json
equal 'status' $? 0
equal 'arithmetic' "$(arith out)" ''
integral() { awk -F', ' -v d="$2" '$3 == d { s += $2 * ($1 - t); t = $1 } END { printf "%d\n", s / 1000 }' "$1"; }
for job in 1 2; do
	for d in 0:read 1:write; do
		ios=$(jq ".jobs[$((job - 1))].${d#*:}.total_ios" out)
		between "case 94: job $job ${d#*:} iops log" "$(integral p_iops.$job.log ${d%:*})" $((ios - 30)) $((ios + 30))
		between "case 94: job $job ${d#*:} bw log" "$(integral p_bw.$job.log ${d%:*})" $(((ios - 30) * 4)) $(((ios + 30) * 4))
	done
done
equal 'five columns' "$(awk -F', ' '{ print NF }' p_*.log | sort -u)" 5
equal 'averaged rows have no block size' "$(awk -F', ' '{ print $4 }' p_*.log | sort -u)" 0
# A mean lies between the extremes.
q='.jobs[0] | [.read, .write] | map(.clat_ns)'
between 'largest mean latency' "$(awk -F', ' '{ if ($2 > m) m = $2 } END { print m }' p_clat.1.log)" \
	"$(jq "$q | map(.min) | min" out)" "$(jq "$q | map(.max) | max" out)"

# Every I/O: as many rows as I/Os, with block size and offset.
run --name=b --filename=f --size=1m --rw=randread --write_lat_log=q --write_iops_log=q --log_offset=1
equal 'every read is in the log' "$(wc -l <q_lat.1.log)" 256
equal 'every offset once' "$(awk -F', ' '{ print $5 }' q_clat.1.log | sort -nu | wc -l)" 256
equal 'block size' "$(awk -F', ' '{ print $4 }' q_lat.1.log | sort -u)" 4096
equal 'an empty file for what a synchronous engine has not' "$(wc -c <q_slat.1.log)" 0

# Histograms: the rows hold every I/O, also those after the last whole interval.
run --name=c --ioengine=null --size=1g --rate_iops=500 --time_based --runtime=2 --write_hist_log=h \
	--log_hist_msec=700 --log_hist_coarseness=6 --output-format=json
equal 'I/Os in the histogram log' "$(awk -F', ' '{ for (i = 4; i <= NF; i++) s += $i } END { print s }' h_clat_hist.1.log)" \
	"$(jq '.jobs[0].read.total_ios' out)"
equal 'columns' "$(awk -F', ' '{ print NF }' h_clat_hist.1.log | sort -u)" 32

# Rows are on disk while the run is on (issue 588), not at its end.
"$IODECK" run --name=d --ioengine=null --size=1g --rate_iops=100 --time_based --runtime=20 --write_iops_log=s \
	--log_avg_msec=100 >out 2>err & pid=$!
for _ in $(seq 50); do [ -s s_iops.1.log ] && break; sleep 0.1; done
check 'rows before the end' test -s s_iops.1.log
kill -INT $pid; wait $pid

# One file for all with per_job_logs=0.
run --name=e --ioengine=null --size=64k --numjobs=3 --write_iops_log=one --per_job_logs=0
equal 'one file' "$(ls one_*)" one_iops.log
equal 'with the I/Os of all' "$(wc -l <one_iops.log)" 48

# A log that cannot be written is an error, and the report is still there.
mkdir full
if mount -t tmpfs -o size=64k tmpfs full 2>/dev/null; then
	mounts+=("$dir/full")
	run --name=g --ioengine=null --size=64m --write_lat_log=full/x --output-format=json; equal 'full disk status' $? 1
	has 'it is told' err 'not all of it could be written'
	equal 'the report is whole' "$(jq '.jobs[0].read.total_ios' out)" 16384
else
	skip 'cannot mount a tmpfs'
fi
run --name=g --ioengine=null --size=64k --write_lat_log=/nonexistent/x; equal 'no such folder status' $? 1
has 'the log is named' err '/nonexistent/x_'
finish
