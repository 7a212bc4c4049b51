#!/usr/bin/env bash
# Public bug reports about limits, errors and stops (cases 26 to 82), and the traps about files and devices, as
# whole-program tests. A check's words begin with the number; the others of those cases are unit tests.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

# refused "what" "text of the reason": the last run ended with 1, said why in one line, and reported nothing
refused() {
	local rc=$?
	equal "$1: status" $rc 1
	has "$1: reason" err "$2"
	equal "$1: one line" "$(grep -vc 'iodeck: note' err)" 1
	equal "$1: no report" "$(grep -c groupid= out)" 0
}

vectors_of_1_8_that_are_refused() {
	run -name=x -ioengine=null -size=1m -bs=8k -name=y -bs=16k; refused 'vector: y has no engine and no size' 'y.0.0: size= is needed'
	run -thread 1 --name=x --ioengine=null --size=1m; refused 'trap 6: -thread takes no next word' "1: cannot open this job file"
}

case_11_no_size_is_known() {
	run --name=m --rw=randread --ioengine=psync --numjobs=6 --filename=nofile
	refused 'case 11' 'size= is needed: the file does not exist'
	check 'case 11: no file was made' test ! -e nofile
}

case_26_a_percentage_smaller_than_a_block() {
	head -c 1M /dev/zero >small
	run --name=a --filename=small --size=10% --bs=128k
	refused 'case 26' 104857
	has 'case 26: the block too' err 131072
}

case_28_kb_base_1000_and_direct() {
	head -c 1M /dev/zero >based
	run --name=a --filename=based --kb_base=1000 --bs=4k --direct=1; refused 'case 28' 'bs=4000 is not a multiple of 512'
	run --name=a --filename=based --kb_base=1000 --bs=4KiB --direct=1 --output-format=json; equal 'case 28: 4KiB is 4096' $? 0
	equal 'case 28: blocks' "$(jq '.jobs[0].read.total_ios' out)" 256
	equal 'case 28: arithmetic' "$(arith out)" ''
}

case_38_layout_in_large_writes() {
	if ! strace -V >/dev/null 2>&1; then skip 'case 38: no strace'; return; fi
	# LeakSanitizer cannot work below strace.
	ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=write,pwrite64,pwritev,pwritev2 -o trace "$IODECK" run --name=a --filename=laid --size=1m --bs=4k >out 2>err
	between 'case 38: writes of the layout' "$(grep -c 'pwrite' trace)" 1 256
}

# Errors of the set-up are no errors of an I/O: ignore_error has no say (case 61).
cases_56_and_61_memlock() {
	local line='--name=a --ioengine=io_uring --bs=64k --iodepth=64 --size=8m --filename=locked' rc
	head -c 8M /dev/urandom >locked; chmod 644 locked; chmod 755 .
	if ! as_nobody test -r "$dir/locked" || ! as_nobody test -x "$IODECK"; then skip 'case 56: no other user to be'; return; fi
	as_nobody bash -c "ulimit -l 8; '$IODECK' run $line --fixedbufs --ignore_error=ENOMEM:EAGAIN" >out 2>err; rc=$?
	if grep -q 'not permitted\|not implemented' err; then skip "case 56: $(head -n 1 err)"; return; fi
	equal 'case 61: status' $rc 1
	has 'case 56: what to change' err 'ulimit -l'
	check 'case 56: needed and allowed' grep -q 'needs 4096 KiB.*allows 8 KiB' err
	has 'case 61: the step' err fixedbufs
	equal 'cases 56 and 61: no table of zeros' "$(grep -c groupid= out)" 0
	# Rings themselves count before Linux 5.12.
	if [ "$(printf '5.12\n%s\n' "$(uname -r)" | sort -V | head -n 1)" != 5.12 ]; then skip 'case 56: an old kernel'; return; fi
	as_nobody bash -c "ulimit -l 8; '$IODECK' run $line" >out 2>err; equal 'case 56: without fixedbufs' $? 0
}

case_61_a_failed_set_up_is_never_ignored() {
	run --name=a --filename=/dev/null/x --size=1m --ignore_error=ENOTDIR:ENOENT,ENOTDIR:ENOENT
	refused 'case 61: a name that cannot be' '/dev/null is not a folder'
}

case_62_a_synchronous_engine_has_depth_1() {
	run --name=a --ioengine=psync --iodepth=64 --filename=small --output-format=normal,json; equal 'case 62: status' $? 0
	has 'case 62: the note' err 'depth is capped at 1'
	has 'case 62: the depths' out 'IO depths    : 1=100.0%'
	sed -n '/^{/,/^}/p' out >json
	equal 'case 62: the depth in force' "$(jq '.jobs[0].iodeck.effective_iodepth' json)" 1
	equal 'case 62: arithmetic' "$(arith json)" ''
}

case_65_a_mapped_file_is_cut_short() {
	"$IODECK" run --name=a --ioengine=mmap --filename=mapped --size=4m --rw=randread --time_based --runtime=30 \
		--output-format=json >out 2>err & local pid=$!
	for _ in $(seq 100); do [ -s mapped ] && break; sleep 0.1; done
	sleep 0.5; truncate -s 0 mapped; wait $pid; equal 'case 65: status' $? 1
	equal 'case 65: EIO' "$(jq '.jobs[0].error' out)" 5
	check 'case 65: the offset' grep -q 'mapped at offset [0-9]' err
	equal 'case 65: arithmetic' "$(arith out)" ''
}

case_68_buffers_that_are_not_to_be_had() {
	case $IODECK in */address*) skip 'case 68: no address limit under a sanitizer'; return ;; esac
	(ulimit -v 1000000; run --name=a --filename=never --size=8g --bs=64m --iodepth=64 --ioengine=libaio)
	refused 'case 68' 'needs 4 GiB of buffers'
	check 'case 68: before the layout' test ! -e never
}

# What the kernel writes back later fails where nobody looks but fsync: a sparse image on a full file system.
case_74_buffered_write_errors_surface() {
	mkdir full
	if ! mount -t tmpfs -o size=2m tmpfs full 2>/dev/null; then skip 'case 74: cannot mount a tmpfs'; return; fi
	mounts+=("$dir/full")
	truncate -s 16m full/img
	if ! loop=$(losetup -f --show full/img 2>/dev/null); then skip 'case 74: no loop device'; return; fi
	loops=("$loop" "${loops[@]}")
	run --name=a --filename="$loop" --rw=randwrite --bs=4k --size=8m --end_fsync=1 --allow-destroy="$loop" --output-format=json
	equal 'case 74: status' $? 1
	check 'case 74: the error' test "$(jq '.jobs[0].error' out)" -gt 0
	has 'case 74: of the sync' err sync
	equal 'case 74: arithmetic' "$(arith out)" ''
	run --name=a --filename="$loop" --rw=randwrite --bs=4k --size=8m --allow-destroy="$loop"
	has 'case 74: without a sync errors may be lost' err 'end_fsync'
	losetup -d "$loop"; loops=("${loops[@]:1}"); umount full; mounts=()
}

# A file system that is frozen answers no write until it is thawed.
frozen() {
	truncate -s 64m ice.img; mkdir -p ice
	mkfs.ext4 -qF ice.img 2>/dev/null && mount -o loop ice.img ice 2>/dev/null && command -v fsfreeze >/dev/null
}
case_76_a_device_that_hangs() {
	if ! frozen; then skip 'case 76: no file system to freeze'; return; fi
	mounts+=("$dir/ice")
	"$IODECK" run --name=a --filename=ice/f --size=16m --rw=write --direct=1 --time_based --runtime=2 --rate_iops=200 \
		--output-format=json >out 2>err & local pid=$! t0 t1
	for _ in $(seq 100); do [ -s ice/f ] && break; sleep 0.1; done
	sleep 0.7; fsfreeze -f ice; sleep 3; fsfreeze -u ice; t0=$(date +%s%N); wait $pid; equal 'case 76: status' $? 0
	t1=$(date +%s%N)
	between 'case 76: the end after the thaw, ms' $(((t1 - t0) / 1000000)) 0 2000
	between 'case 76: the run time is the true one, ms' "$(jq '.jobs[0].write.runtime' out)" 2500 20000
	between 'case 76: the wait is in the latencies, ms' "$(jq '.jobs[0].write.clat_ns.max / 1e6' out)" 2000 20000
	has 'case 76: it is told' err 'overran'
	equal 'case 76: arithmetic' "$(arith out)" ''
}

# fio-language 4.13: the first stops, the second reports at once.
case_77_interrupts_while_a_device_hangs() {
	mountpoint -q ice || { skip 'case 77: no file system to freeze'; return; }
	"$IODECK" run --name=a --filename=ice/f --size=16m --rw=write --direct=1 --time_based --runtime=60 --rate_iops=200 \
		--output-format=json >out 2>err & local pid=$! t0
	sleep 1.5; fsfreeze -f ice; sleep 0.5; t0=$(date +%s%N); kill -INT $pid; sleep 1; kill -INT $pid
	for _ in $(seq 100); do [ -s out ] && break; sleep 0.1; done
	between 'case 77: the report comes while it hangs, ms' $((($(date +%s%N) - t0) / 1000000)) 900 4500
	fsfreeze -u ice; wait $pid; equal 'case 77: status' $? 128
	has 'case 77: what is missing is told' err 'still in flight'
	check 'case 77: what was done is reported' test "$(jq '.jobs[0].write.total_ios' out)" -gt 0
	equal 'case 77: arithmetic' "$(arith out)" ''
}

# Without extents ext4 has no fallocate.
case_80_fallocate_is_not_to_be_had() {
	truncate -s 32m old.img; mkdir -p old
	if ! mkfs.ext4 -qF -O ^extents,^64bit,^has_journal old.img 2>/dev/null || ! mount -o loop old.img old 2>/dev/null; then
		skip 'case 80: no file system without extents'; return
	fi
	mounts+=("$dir/old")
	if fallocate -l 4096 old/try 2>/dev/null; then skip 'case 80: it has fallocate'; return; fi
	run --name=a --filename=old/f --rw=write --size=4m --output-format=json; equal 'case 80: status' $? 0
	equal 'case 80: the report is one document' "$(jq '.jobs[0].write.io_bytes' out)" 4194304
	between 'case 80: lines on stderr besides the layout' "$(grep -vc 'Laying out' err)" 0 1
	equal 'case 80: arithmetic' "$(arith out)" ''
}

case_82_read_only_targets() {
	local rw
	for rw in write randwrite rw randrw; do
		if make_loop 4 -r; then
			run --name=a --filename="$loop" --rw=$rw --size=1m --allow-destroy="$loop"; refused "case 82: read-only device, $rw" 'read-only'
		fi
	done
	[ -n "${loop:-}" ] || skip 'case 82: no loop device'
	head -c 1M /dev/zero >locked444; chmod 444 locked444
	if as_nobody test -r "$dir/locked444"; then
		for rw in write randrw; do
			(as_nobody "$IODECK" run --name=a --filename="$dir/locked444" --rw=$rw --size=1m \
				--allow-overwrite="$dir/locked444" >out 2>err); refused "case 82: mode 444, $rw" 'ermission denied'
		done
	else
		skip 'case 82: no other user to be'
	fi
	mkdir -p ro
	if mount --bind . ro 2>/dev/null && mount -o remount,ro,bind ro 2>/dev/null; then
		mounts+=("$dir/ro")
		for rw in write randrw; do
			run --name=a --filename=ro/locked444 --rw=$rw --size=1m --allow-overwrite=ro/locked444
			refused "case 82: read-only mount, $rw" 'ead-only'
			run --name=a --filename=ro/new --rw=$rw --size=1m; refused "case 82: a new file there, $rw" 'ead-only'
		done
		umount ro; mounts=("${mounts[@]:0:$((${#mounts[@]} - 1))}")
	else
		skip 'case 82: cannot mount'
	fi
}

trap_27_a_read_job_never_destroys_a_file() {
	head -c 1M /dev/urandom >theirs; cp theirs before
	local rw
	for rw in read randread randrw; do
		run --name=a --filename=theirs --rw=$rw --size=2m; refused "trap 27: $rw of more than there is" theirs
		check "trap 27: $rw: the bytes" cmp -s theirs before
	done
}

trap_28_trim_does_not_escape_the_guard() {
	local rw sum
	make_loop 4 || { skip 'trap 28: no loop device'; return; }
	sum=$(sha256sum <"$loop")
	for rw in trim randtrim trimwrite randtrimwrite; do
		run --name=a --filename="$loop" --rw=$rw --size=1m; refused "trap 28: $rw" 'would be destroyed'
	done
	equal 'trap 28: the bytes' "$(sha256sum <"$loop")" "$sum"
	mkdir -p trimmed
	if ! mkfs.ext4 -qF "$loop" 2>/dev/null || ! mount -o ro "$loop" trimmed; then skip 'trap 28: cannot mount'; return; fi
	sum=$(sha256sum <"$loop")
	run --name=a --filename="$loop" --rw=trim --size=1m --allow-destroy="$loop"; refused 'trap 28: mounted' 'is mounted at'
	equal 'trap 28: the bytes of a mounted one' "$(sha256sum <"$loop")" "$sum"
	umount trimmed
}

# Five new files of 300 KiB on a file system of 1 MiB, laid out by nobody: two find no room.
trap_29_the_status_is_the_number_of_failed_jobs() {
	local rc
	run --name=a --ioengine=null --size=64k; equal 'trap 29: none' $? 0
	mkdir -p tiny
	if ! mount -t tmpfs -o size=1m tmpfs tiny 2>/dev/null; then skip 'trap 29: cannot mount a tmpfs'; return; fi
	mounts+=("$dir/tiny")
	run --name=a --directory=tiny --rw=write --size=300k --create_on_open=1 --fallocate=none --numjobs=5 --output-format=json; rc=$?
	equal 'trap 29: as many as failed' $rc "$(jq '[.jobs[] | select(.error != 0)] | length' out)"
	between 'trap 29: some did' $rc 1 4
	equal 'trap 29: arithmetic' "$(arith out)" ''
}

trap_34_a_name_below_something_that_is_no_folder() {
	run --name=a --filename=/dev/null/test.big --size=1m --rw=write; refused 'trap 34: a device' '/dev/null is not a folder'
	run --name=a --filename=small/test.big --size=1m; refused 'trap 34: a file' 'small is not a folder'
}

vectors_of_1_8_that_are_refused
case_11_no_size_is_known
case_26_a_percentage_smaller_than_a_block
case_28_kb_base_1000_and_direct
case_38_layout_in_large_writes
cases_56_and_61_memlock
case_61_a_failed_set_up_is_never_ignored
case_62_a_synchronous_engine_has_depth_1
case_65_a_mapped_file_is_cut_short
case_68_buffers_that_are_not_to_be_had
case_74_buffered_write_errors_surface
case_76_a_device_that_hangs
case_77_interrupts_while_a_device_hangs
case_80_fallocate_is_not_to_be_had
case_82_read_only_targets
trap_27_a_read_job_never_destroys_a_file
trap_28_trim_does_not_escape_the_guard
trap_29_the_status_is_the_number_of_failed_jobs
trap_34_a_name_below_something_that_is_no_folder
finish
