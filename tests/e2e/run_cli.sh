#!/usr/bin/env bash
# `iodeck run` as scripts use it: streams, status, formats, files.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

# Streams: stdout holds the report only, errors go to stderr, and json is one document.
run --name=a --ioengine=null --size=1m --output-format=json; equal 'null run status' $? 0
equal 'total_ios' "$(jq '.jobs[0].read.total_ios' out)" 256
equal 'stderr is empty' "$(cat err)" ''
run --name=a --ioengine=nosuch --size=1m; equal 'unknown engine status' $? 1
equal 'nothing on stdout' "$(cat out)" ''
has 'unknown engine is named' err 'engine nosuch not loadable'

# Case 109: errors must not stand in the json, also when the job fails.
truncate -s 64k short; cp short before
run --name=a --filename=short --rw=write --size=64k --output-format=json; equal 'case 109: foreign file status' $? 1
check 'the foreign file is untouched' cmp -s short before
run --name=a --filename=made --size=1m --rw=write --output-format=json --output=o.json
equal 'write job on a new file' $? 0
equal 'bytes written' "$(jq '.jobs[0].write.io_bytes' o.json)" 1048576
equal 'stdout is empty with --output' "$(cat out)" ''

# Interrupt: the report of what was done, status 128, stdout still one json document.
"$IODECK" run --name=a --ioengine=null --size=1m --time_based --runtime=30 --rate_iops=100 \
	--output-format=json >out 2>err & pid=$!
sleep 0.7; kill -INT $pid; wait $pid; equal 'status after SIGINT' $? 128
equal 'arithmetic of an interrupted run' "$(arith out)" ''
between 'I/Os before the interrupt' "$(jq '.jobs[0].read.total_ios' out)" 20 200
has 'the signal is told' err 'terminating on signal 2'

# case 73: a file size limit is an error of the job, not of the program.
(ulimit -f 8; "$IODECK" run --name=a --filename=limited --rw=write --size=64k >out 2>err); equal 'case 73: ulimit -f status' $? 1
has 'case 73: EFBIG is told' err 'File too large'

# case 79: a full file system.
mkdir full
if mount -t tmpfs -o size=1m tmpfs full 2>/dev/null; then
	mounts+=("$dir/full")
	run --name=a --filename=full/f --rw=read --size=4m; equal 'case 79: no space status' $? 1
	has 'case 79: needed and free are named' err '4 MiB'
	equal 'case 79: nothing is left on the full disk' "$(ls full)" ''
else
	skip 'cannot mount a tmpfs'
fi

# Clones are jobs of their own without group_reporting, one with it.
run --name=a --ioengine=null --size=64k --numjobs=3 --output-format=json
equal 'three reports' "$(jq '.jobs | length' out)" 3
run --name=a --ioengine=null --size=64k --numjobs=3 --group_reporting --output-format=json
equal 'one report' "$(jq '.jobs | length' out)" 1
equal 'arithmetic' "$(arith out)" ''
equal 'of all clones' "$(jq '.jobs[0].read.total_ios' out)" 48

# Article 002's reader over json, and the word jobname once a job (fio-language 1.3).
equal 'grep jobname counts jobs' "$(grep -c jobname out)" 1

# Job files: the article's five stonewalled sections on one file (1.2), scaled down.
cat >ssd-test.fio <<'J'
##2020-05-24
[global]
bs=4k
ioengine=libaio
iodepth=4
numjobs=1
group_reporting
size=1m
direct=1
runtime=60
directory=.
filename=ssd.test.file
#inflate-log=/data/soft/test.log

[seq-read]
name=iops_seq_read
rw=read
stonewall
[rand-read]
name=iops_rand_read
rw=randread
stonewall
[seq-write]
name=iops_seq_write
rw=write
stonewall
[rand-write]
name=iops_rand_write
rw=randwrite
stonewall
[randrw]
name=iops_randrw
rw=randrw
rwmixread=70
stonewall
J
run ssd-test.fio; equal 'article job file' $? 0
equal 'five groups' "$(grep -c '^Run status group' out)" 5
equal 'first group is 0' "$(grep -c '^Run status group 0 (all jobs):' out)" 1
has 'layout is told' out 'iops_seq_read: Laying out IO file (1 file / 1MiB)'

# The fio name: a symlink called fio is `iodeck run`.
ln -s "$IODECK" fio
./fio --name=a --ioengine=null --size=1m >out 2>err; equal 'symlink fio' $? 0
has 'it prints a report' out 'READ: bw='

# The status line is plain lines when forced into a log (case 112), and silent by default there.
"$IODECK" run --name=a --ioengine=null --size=1m --time_based --runtime=2 --rate_iops=100 --eta=always >out 2>err
has 'eta in the log' err '[eta '
equal 'no carriage returns' "$(tr -cd '\r' <err | wc -c)" 0
equal 'no status on stdout' "$(grep -c 'eta' out)" 0

# case 140: no terminal.
"$IODECK" </dev/null >out 2>err; equal 'no terminal status' $? 2
has 'it names the other way' err 'iodeck run'
finish
