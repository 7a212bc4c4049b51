#!/usr/bin/env bash
# Programs that read fio's output read ours: the articles' scripts (fio-language 1.3) and what Debian ships with fio.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

cat >rated.fio <<'J'
[global]
ioengine=null
size=1g
time_based
runtime=2
stonewall
[Seq-Read]
rw=read
bs=4k
rate_iops=500
[Rand-Mix-8K]
rw=randrw
bs=8k
rate_iops=250,250
J

# The awk line over terse: name, bandwidth, IOPS of reads and writes together.
table_of_terse() { awk -F';' '{ print $3, $7 + $48, $8 + $49 }' "$1"; }
# The jq and awk script over json: the same figures, and the latency cells as "key": value lines.
table_of_json() {
	local n i
	n=$(grep -c jobname "$1")
	for ((i = 0; i < n; i++)); do
		jq -r ".jobs[$i] | [.jobname, .read.bw + .write.bw, .read.iops + .write.iops] | map(tostring) | join(\" \")" "$1"
	done
}
cells_of_json() {
	jq ".jobs[0].latency_ns, .jobs[0].latency_us, .jobs[0].latency_ms" "$1" | awk -F'[:,]' '/"/ { print $1 }'
}
# Names equal, figures within 1 %.
same_table() {
	paste "$1" "$2" | awk '
	function near(a, b) { return (a > b ? a - b : b - a) <= 0.01 * b + 1 }
	{ n++; if (NF != 6 || $1 != $4 || !near($2, $5) || !near($3, $6)) { print; bad = 1 } }
	END { exit bad || n != 2 }'
}

"$IODECK" run -f rated.fio --output-format=terse >a.terse 2>err; equal 'terse status' $? 0
"$IODECK" run rated.fio --output-format=json >a.json 2>err; equal 'json status' $? 0
equal 'arithmetic' "$(arith a.json)" ''
table_of_terse a.terse >a.table; table_of_json a.json >a.jtable
check 'both formats give one table' same_table a.table a.jtable
equal 'terse is one line a job' "$(wc -l <a.terse)" 2
if command -v fio >/dev/null; then
	fio rated.fio --output-format=terse >b.terse 2>/dev/null
	fio rated.fio --output-format=json >b.json 2>/dev/null
	table_of_terse b.terse >b.table; table_of_json b.json >b.jtable
	check "the awk line over terse: ours and fio's" same_table a.table b.table
	check "the jq script over json: ours and fio's" same_table a.jtable b.jtable
	cells_of_json a.json >a.cells; cells_of_json b.json >b.cells
	check 'the same latency cells' cmp -s a.cells b.cells
else
	skip 'no fio to compare with'
fi

# fio_jsonplus_clat2csv: every I/O is in its csv.
python=$(PATH=/usr/bin:$PATH command -v python3)
if command -v fio_jsonplus_clat2csv >/dev/null && [ -n "$python" ]; then
	"$IODECK" run --name=a --ioengine=null --size=16m --rw=randrw --iodepth=4 --lat_percentiles=1 --slat_percentiles=1 \
		--output-format=json+ --output=plus.json; equal 'json+ status' $? 0
	arith_all plus.json
	"$python" "$(command -v fio_jsonplus_clat2csv)" plus.json plus.csv >tool 2>&1
	equal 'clat2csv status' $? 0
	for kind in read_slat read_clat read_lat write_clat; do
		column=$(head -n 1 plus_job0.csv | tr ',' '\n' | grep -n "${kind}_ns_count" | cut -d: -f1)
		equal "$kind in the csv" "$(awk -F', ' -v c="$column" 'NR > 1 { s += $c } END { print s }' plus_job0.csv)" \
			"$(jq ".jobs[0].${kind%_*}.total_ios" plus.json)"
	done
else
	skip 'no fio_jsonplus_clat2csv'
fi

# fio2gnuplot: the averages it works out of the logs are those of the report.
if command -v fio2gnuplot >/dev/null && [ -n "$python" ] && "$python" -c 'import six' 2>/dev/null; then
	mkdir -p logs plots
	(cd logs && "$IODECK" run --name=a --ioengine=null --size=1g --rw=read --rate_iops=1000 --time_based --runtime=3 \
		--write_bw_log=a --write_iops_log=a --log_avg_msec=250 --output-format=json >../log.json)
	(cd logs && "$python" "$(command -v fio2gnuplot)" -i -d "$dir/plots" -v >../tool 2>&1); equal 'fio2gnuplot status' $? 0
	arith_all log.json
	between 'its average IOPS' "$(sed -n 's/^ *|\?-\? *avg=//p; s/^.*avg *= *//p' plots/*.global tool 2>/dev/null | head -n 1)" 990 1010
else
	skip 'no fio2gnuplot, or a module of it is missing'
fi

# A job file that genfio writes runs as it is (only the times in it are shortened).
if command -v genfio >/dev/null && make_loop 16; then
	mkdir gen
	(cd gen && genfio -d "$loop" -a -b 4k,64k -r 1 -m read,randread -D 4 >../tool 2>&1); equal 'genfio status' $? 0
	job=$(ls gen/*.fio)
	sed -i 's/^ramp_time=.*/ramp_time=0/' "$job"
	(cd gen && "$IODECK" run "$(basename "$job")" --output-format=json >../gen.json 2>../err); equal 'its job file' $? 0
	equal 'arithmetic' "$(arith gen.json)" ''
	equal 'all its jobs' "$(jq '.jobs | length' gen.json)" "$(grep -c '^\[[^g]' "$job")"
	equal 'each did I/O' "$(jq '[.jobs[].read.total_ios] | min > 0' gen.json)" true
	equal 'each has its logs' "$(ls gen/*_bw.*.log | wc -l)" "$(grep -c '^write_bw_log' "$job")"
else
	skip 'no genfio or no loop device'
fi
finish
