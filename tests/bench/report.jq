# From the samples of one bench (a line per run) to rows, ratios, targets and text.

def quantile(p): sort | if length == 0 then null else .[((length - 1) * p) | round] end;
def median: sort | if length == 0 then null
	elif length % 2 == 1 then .[(length - 1) / 2]
	else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def spread: {median: median, q1: quantile(0.25), q3: quantile(0.75), min: min, max: max};
def cpu_ns: .usr_ns + .sys_ns;
def num(d): if . == null then "-" else (. * pow(10; d) | round / pow(10; d)) | tostring end;

# What one program did in a row.
def figures: if length == 0 then null else {
	iops: (map(.iops) | spread), usr_ns: (map(.usr_ns) | median), sys_ns: (map(.sys_ns) | median),
	cpu_ns: (map(cpu_ns) | median), lat_ns: (map(.lat_ns) | median)} end;

# iodeck over the other, pair by pair within a round; CPU per I/O as a ratio too (below 1: cheaper).
def ratios($mine; $other):
	[ $mine[] as $m | $other[] | select(.round == $m.round) | {i: ($m.iops / .iops),
	  u: (if .usr_ns > 0 then $m.usr_ns / .usr_ns else null end), c: (($m | cpu_ns) / cpu_ns)} ]
	| if length == 0 then null else {iops: (map(.i) | spread),
	  usr: (map(.u | select(. != null)) | if length > 0 then spread else null end), cpu: (map(.c) | spread)} end;

def row_of: (map(select(.skipped)) | first) as $skip
	| if $skip then {name: $skip.row, skipped: $skip.skipped}
	  else (map(select(.who == "iodeck"))) as $i | (map(select(.who == "fio"))) as $f
	     | (map(select(.who == "best"))) as $b
	     | {name: .[0].row, iodeck: ($i | figures), fio: ($f | figures), fio_best: ($b | figures),
	        vs_fio: ratios($i; $f), vs_best: ratios($i; $b)} end;

def rows: map(select(.row)) | reduce .[] as $s ([]; if any(.[]; .[0].row == $s.row)
	then map(if .[0].row == $s.row then . + [$s] else . end) else . + [[$s]] end) | map(row_of);

def range_text: if . == null then "-" else "\(.median | num(2)) [\(.q1 | num(2)) \(.q3 | num(2))]" end;
def pad(n): tostring | . + (" " * ([n - length, 0] | max) // "");
def row_text: if .skipped then "\(.name | pad(21)) skipped: \(.skipped)" else
	"\(.name | pad(21)) \(.iodeck.iops.median | num(0) | pad(10)) | \(.vs_fio.iops | range_text | pad(17)) \(.vs_best.iops | range_text | pad(17)) | \(.vs_fio.cpu.median | num(2) | pad(5)) \(.vs_best.cpu.median | num(2) | pad(5)) | \(.iodeck.usr_ns | num(0)) \(.fio.usr_ns | num(0)) \(.fio_best.usr_ns | num(0)) | \(.iodeck.sys_ns | num(0)) \(.fio.sys_ns | num(0)) \(.fio_best.sys_ns | num(0))" end;

def watched: map(select(.watch)) | group_by(.watch) | map({key: .[0].watch, value: (group_by(.who)
	| map({key: .[0].who, value: {first_io_ms: (map(.first_io_ms | select(. != null)) | median),
	  wall_ms: (map(.wall_ms) | median), max_rss_kib: (map(.max_rss_kib) | max)}}) | from_entries)}) | from_entries;

# A target that was not measured (filtered, skipped) has value null and met null.
def target($what; $want; $value; cond): {what: $what, target: $want, value: $value,
	met: (if $value == null then null else ($value | cond) end)};
def row($n): .rows | map(select(.name == $n and (.skipped | not))) | first;
def versus_best($r): $r | if . == null then null else (.vs_best // .vs_fio) end;

def targets: . as $r
	| [ target("null qd32, IOPS against fio"; ">= 5"; row("null-qd32").vs_fio.iops.median; . >= 5),
	    target("null qd1, IOPS against fio"; ">= 4"; row("null-qd1").vs_fio.iops.median; . >= 4),
	    target("io_uring qd32 4k tmpfs, user CPU per I/O against fio"; "<= 0.4"; row("uring-qd32").vs_fio.usr.median; . <= 0.4),
	    target("the same, IOPS against fio at its best"; ">= 1.1"; versus_best(row("uring-qd32")).iops.median; . >= 1.1),
	    target("lowest IOPS ratio of any row, fio at its best"; ">= 0.98";
	      ($r.rows | map(select(.skipped | not) | (.vs_best // .vs_fio).iops.median) | min); . >= 0.98),
	    target("libaio qd32, IOPS against fio"; ">= 1.05"; row("libaio-qd32").vs_fio.iops.median; . >= 1.05),
	    target("psync qd1, IOPS against fio"; ">= 1.05"; row("psync").vs_fio.iops.median; . >= 1.05),
	    target("start to first I/O, ms"; "< 50"; $r.watched.startup.iodeck.first_io_ms; . < 50),
	    target("resident, 1 job qd32 4k beyond its buffers, MiB"; "< 8";
	      ($r.watched["memory-j1"].iodeck.max_rss_kib | if . then (. - 32 * 4) / 1024 else null end); . < 8),
	    target("resident, 256 jobs qd32 4k beyond their buffers, MiB"; "< 64";
	      ($r.watched["memory-j256"].iodeck.max_rss_kib | if . then (. - 256 * 32 * 4) / 1024 else null end); . < 64),
	    target("sampler at 256 jobs, % of a core"; "< 2"; $r.sampler_pct; . < 2),
	    target("console at 120x40, kB/s to the terminal"; "<= 12"; $r.console.kb_s; . <= 12),
	    target("console at 120x40, UI, % of a core"; "<= 1"; $r.console.ui_pct; . <= 1),
	    target("IOPS under the console against headless"; ">= 0.99"; $r.console.iops.median; . >= 0.99) ];

# The dearest of the devices drawn.
def console: {kb_s: (map(select(.console) | .tty_bytes_s / 1000) | max), ui_pct: (map(select(.console) | .ui_pct) | max),
	iops: (map(select(.console_ratio) | .console_ratio) | if length > 0 then spread else {median: null} end)};

def report($head): $head + {rows: rows, micro: (map(select(.micro) | {key: .micro, value: .value}) | from_entries),
	watched: watched, sampler_pct: (map(select(.sampler_pct) | .sampler_pct) | first), console: console} | . + {targets: targets};

def closing: "",
	(.watched | to_entries[] | .key as $k | .value | to_entries[]
	  | "\($k | pad(12)) \(.key | pad(7)) first I/O \(.value.first_io_ms | num(1)) ms, whole \(.value.wall_ms | num(0)) ms, resident \(.value.max_rss_kib / 1024 | num(1)) MiB"),
	"", (.targets[] | "\(if .met == null then "-   " elif .met then "ok  " else "MISS" end) \(.what | pad(58)) \(.target | pad(8)) \(.value | num(2))"),
	"", "load \(.load_before) -> \(.load_after); \(.kernel), \(.cpus) CPUs, clock \(.clocksource); \(.rounds) rounds of \(.seconds_each) s; \(.took_s) s in all";
