#!/usr/bin/env bash
# The far ends: a thousand jobs, a depth of thousands, blocks of 512 B and 64 MiB, a file of 100 TiB.
. "$(dirname "$0")/lib.sh"
[ -d /dev/shm ] && { rm -rf "$dir"; dir=$(mktemp -d /dev/shm/iodeck-e2e-XXXXXX); } # O_DIRECT, sparse without end
cd "$dir" || exit 1

# report WHAT ARGS...: runs them, json in ./out, checked by its arithmetic.
report() {
	local what=$1; shift
	"$IODECK" run --name=t --group_reporting --output-format=json "$@" >out 2>err
	equal "$what: status" $? 0
	check "$what: arithmetic" arith out
}
reads() { jq '.jobs[0].read.total_ios' out; }

report '1024 jobs' --ioengine=null --rw=randread --bs=4k --size=4m --number_ios=500 --numjobs=1024
equal '1024 jobs: each did its own' "$(reads)" $((1024 * 500))
equal '1024 jobs: all are told of' "$(jq '.jobs[0].iodeck.jobs' out)" 1024

for engine in null libaio io_uring; do
	if ! "$IODECK" run --enghelp="$engine" >/dev/null 2>err; then skip "$engine: $(cat err)"; continue; fi
	head -c 8388608 /dev/zero >deep
	"$IODECK" run --name=t --ioengine="$engine" --filename=deep --rw=randread --bs=512 --size=8m --direct=1 \
		--iodepth=4096 --number_ios=16000 --output-format=json >out 2>err; rc=$?
	if [ $rc -ne 0 ] && [ "$engine" != null ] && grep -q 'aio-max-nr\|seccomp\|not permitted' err; then
		skip "$engine: $(cat err)"; continue
	fi
	equal "$engine at 4096: status" $rc 0
	equal "$engine at 4096: I/Os" "$(reads)" 16000
	check "$engine at 4096: arithmetic" arith out
	between "$engine at 4096: deep" "$(jq '.jobs[0].iodepth_level[">=64"]' out)" 50 100
done

head -c 134217728 /dev/zero >large
report '64 MiB' --ioengine=psync --filename=large --rw=read --bs=64m --size=128m --direct=1
equal '64 MiB: bytes' "$(jq '.jobs[0].read.io_bytes' out)" 134217728
report '512 B' --ioengine=psync --filename=large --rw=randread --bs=512 --size=128m --number_ios=5000 --direct=1
equal '512 B: bytes' "$(jq '.jobs[0].read.io_bytes' out)" 2560000

if truncate -s 100T sparse 2>/dev/null; then
	report '100 TiB' --ioengine=psync --filename=sparse --rw=randread --bs=4k --number_ios=5000
	equal '100 TiB: I/Os' "$(reads)" 5000
	report '100 TiB, the end of it' --ioengine=psync --filename=sparse --rw=read --bs=1m --offset=$((100 * 2**40 - 2**24))
	equal '100 TiB: up to its end' "$(jq '.jobs[0].read.io_bytes' out)" 16777216
	equal '100 TiB: nothing was written' "$(stat -c %b sparse)" 0
else
	skip 'no file of 100 TiB can be had'
fi
finish
