#!/usr/bin/env bash
# The same jobs through fio 3.33 and through iodeck: the same keys in the same order, the same work, the same
# rates, and percentiles that follow from the bins.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

if [ "$(fio --version 2>/dev/null)" != fio-3.33 ]; then
	skip 'no fio 3.33 here'
	finish
	exit
fi

# Key paths in document order. Left out: what is ours alone, values that are keys, options as given.
keys='def walk_keys($p): if type == "object" then to_entries[] | select(.key | IN("iodeck", "job options", "global options",
	"disk_util", "bins", "percentile") | not) | "\($p).\(.key)", (.key as $k | .value | walk_keys("\($p).\($k)"))
	elif type == "array" then .[] | walk_keys("\($p)[]") else empty end; walk_keys("")'
percentile_keys='[.jobs[] | .read, .write, .trim | .clat_ns.percentile // {} | keys_unsorted]'
# Kinds of values: a number that fio has as an integer must not become a text, nor the other way.
types='[.jobs[] | del(.iodeck, ."job options") | paths(scalars) as $p | select($p[-2:][0] != "bins") | getpath($p) | type] | group_by(.) | map("\(.[0])=\(length)")'
# Which latencies were counted, of which there are percentiles, whether the cells are filled.
counted='[.jobs[0] | ((.read, .write) | .slat_ns, .clat_ns, .lat_ns | [.N > 0, has("percentile")]), (.latency_ns | add > 0)]'
work='[.jobs[] | [.read, .write, .trim] | (map(.total_ios) | add), (map(.io_bytes) | add), (map(.short_ios) | add)]'
# A count that lies on a bound within rounding may go either way.
# R7 and fio-language 3.5: the first bin whose cumulative count reaches p % of N; ours clamped to the extremes.
from_bins='[.jobs[] | .iodeck as $own | .read, .write, .trim | .clat_ns | select(.N > 0) | . as $d |
	[.bins | to_entries[] | {v: (.key | tonumber), n: .value}] as $bins |
	.percentile | to_entries[] | .value as $got | ((.key | tonumber) / 100 * $d.N) as $need |
	[-1e-6, 1e-6 | . as $tie | (reduce $bins[] as $b ({c: 0, v: $d.max};
		if .c < $need + $tie and .c + $b.n >= $need + $tie then .v = $b.v else . end | .c += $b.n) | .v) as $v |
	if $own == null then $v else ([[$v, $d.min] | max, $d.max] | min) end] | index($got) != null] | all'

compare() { # name, options
	local name=$1; shift
	mkdir -p fio.d iodeck.d
	(cd fio.d && fio --name=t "$@" --output-format=json+ --output=../b.json >/dev/null 2>&1)
	(cd iodeck.d && "$IODECK" run --name=t "$@" --output-format=json+ --output=../a.json >/dev/null 2>../err)
	equal "$name: status" $? 0
	check "$name: same keys in the same order" cmp -s <(jq -r "$keys" a.json) <(jq -r "$keys" b.json)
	equal "$name: same percentiles" "$(jq -c "$percentile_keys | unique" a.json)" "$(jq -c "$percentile_keys | unique" b.json)"
	equal "$name: same kinds of values" "$(jq -c "$types" a.json)" "$(jq -c "$types" b.json)"
	equal "$name: iodeck's percentiles follow from its bins" "$(jq "$from_bins" a.json)" true
	equal "$name: fio's percentiles follow from its bins" "$(jq "$from_bins" b.json)" true
	equal "$name: arithmetic" "$(arith a.json)" ''
}
same_work() { equal "$1: same work" "$(jq -c "$work" a.json)" "$(jq -c "$work" b.json)"; }

# Bound by size: a file with each pattern, an engine without one for trims.
for rw in read write randread randwrite rw randrw; do
	compare "file $rw" --filename=f.$rw --size=2m --bs=4k --ioengine=psync --rw=$rw
	same_work "file $rw"
done
for rw in trim randtrim trimwrite; do
	compare "null $rw" --ioengine=null --size=4m --rw=$rw
	same_work "null $rw"
done
compare 'libaio randrw' --filename=f.aio --size=4m --bs=8k --ioengine=libaio --iodepth=8 --direct=1 --rw=randrw --rwmixread=70
same_work 'libaio randrw'
compare 'clones' --ioengine=null --size=1m --numjobs=3 --group_reporting --rw=randread
same_work 'clones'
compare 'loops' --ioengine=null --size=1m --loops=3 --bs=3k
same_work 'loops'

# Bound by a rate: IOPS within 1 %.
for rw in randread rw; do
	compare "rate $rw" --ioengine=null --size=1g --rate_iops=1000 --time_based --runtime=3 --rw=$rw
	for d in read write; do
		b=$(jq ".jobs[0].$d.iops" b.json)
		between "rate $rw: $d IOPS" "$(jq ".jobs[0].$d.iops" a.json)" \
			"$(jq -n "$b * 0.99")" "$(jq -n "$b * 1.01")"
	done
	equal "rate $rw: bandwidth in the same unit" "$(jq '.jobs[0].read | (.bw_bytes / 1024 | floor) == .bw' a.json)" true
done
# What options leave out, fio leaves out too.
compare 'mixed' --ioengine=null --size=1m --rw=randrw --unified_rw_reporting=mixed
compare 'both' --ioengine=null --size=1m --rw=randrw --unified_rw_reporting=both
compare 'lat and slat percentiles' --ioengine=null --size=1m --rw=randrw --iodepth=2 --lat_percentiles=1 --slat_percentiles=1 \
	--percentile_list=1:50:99.9
for o in gtod_reduce disable_lat disable_clat disable_slat disable_bw; do
	compare "$o" --ioengine=null --iodepth=4 --size=1m --rw=randrw --$o=1
	equal "$o: what is not counted" "$(jq -c "$counted" a.json)" "$(jq -c "$counted" b.json)"
	for p in "" --log_avg_msec=100; do
		for who in fio iodeck; do
			mkdir -p logs.$who
			cmd=(fio); [ $who = fio ] || cmd=("$IODECK" run)
			(cd logs.$who && rm -f -- * && "${cmd[@]}" --name=t --ioengine=null --iodepth=4 --size=1m --rate_iops=1000 \
				--$o=1 --write_lat_log=l --write_bw_log=l --write_iops_log=l $p >/dev/null 2>&1)
			# Which logs there are, and which of them hold anything.
			(cd logs.$who && ls; find . -type f -empty | sort) >logs.$who.txt
		done
		check "$o $p: the same logs, the same ones empty" cmp -s logs.fio.txt logs.iodeck.txt
	done
done
# What options add, fio adds too.
compare 'continue_on_error' --ioengine=null --size=1m --rw=randrw --continue_on_error=all
compare 'latency_target' --ioengine=null --iodepth=8 --size=1m --time_based --runtime=20 --latency_target=1s \
	--latency_window=100ms --latency_percentile=50
equal 'latency_target: depth, target, percentile, window' \
	"$(jq -c '.jobs[0] | [.latency_depth, .latency_target, .latency_percentile, .latency_window]' a.json)" \
	"$(jq -c '.jobs[0] | [.latency_depth, .latency_target, .latency_percentile, .latency_window]' b.json)"
compare 'steadystate' --ioengine=null --size=1m --rate_iops=500 --time_based --runtime=30 --ss=iops:40% --ss_dur=2
equal 'steadystate: what was asked and what came of it' \
	"$(jq -c '.jobs[0].steadystate | [.ss, .duration, .attained, (.data.iops | length)]' a.json)" \
	"$(jq -c '.jobs[0].steadystate | [.ss, .duration, .attained, (.data.iops | length)]' b.json)"
finish
