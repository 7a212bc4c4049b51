#!/usr/bin/env bash
# The write guard with real loop devices: what is refused or not agreed to changes no byte; what is agreed
# to is written within its region only. Root, in a mount namespace of its own where that can be had.
if [ -z "${IODECK_GUARD_NS:-}" ] && unshare -m true 2>/dev/null; then
	IODECK_GUARD_NS=1 exec unshare -m --propagation private bash "$0"
fi
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1
MIB=1048576
swaps=() parts=()

clean_more() {
	local x
	for x in "${swaps[@]:-}"; do [ -z "$x" ] || swapoff "$x"; done
	for x in "${mounts[@]:-}"; do [ -z "$x" ] || umount -l "$x" 2>/dev/null; done
	mounts=()
	cleanup
}
trap clean_more EXIT

# sum FILE...: of the bytes as they are on the disk
sum() { sync; sha256sum "$@" | cut -d' ' -f1; }
# The backing file of a loop device.
image_of() { losetup -nO BACK-FILE "$1"; }

# refused "what" TARGET IMAGE "text of the reason" [options]: status 1, the reason, and no byte changed
refused() {
	local what=$1 target=$2 image=$3 text=$4 before rc; shift 4
	before=$(sum "$image")
	"$IODECK" run --name=w --filename="$target" --rw=write --bs=4k --size=1m "$@" >out 2>err; rc=$?
	equal "$what: status" $rc 1
	has "$what: reason" err "$text"
	equal "$what: bytes" "$(sum "$image")" "$before"
}
consent() { echo "--allow-destroy=$1"; }

if ! make_loop 16; then
	skip 'no loop devices here'
	finish; exit
fi
a=$loop; ai=$(image_of "$a")

# --- consent ---
refused 'no consent' "$a" "$ai" 'allow it with --allow-destroy'
make_loop 16; b=$loop; bi=$(image_of "$b")
refused 'consent for another device' "$a" "$ai" 'allow it with --allow-destroy' "$(consent "$b")"
refused 'a file consent is none for a device' "$a" "$ai" 'regular file' "--allow-overwrite=$a"
refused 'consent for the image is none for the device' "$a" "$ai" 'not a block device' "$(consent "$ai")"
for rw in randwrite rw randrw trim randtrim trimwrite; do
	refused "no consent, $rw" "$a" "$ai" 'allow it with' --rw=$rw
done
refused '--readonly wins over consent' "$a" "$ai" 'readonly' --readonly "$(consent "$a")"
cat >job.fio <<J
[w]
filename=$a
rw=write
size=1m
allow-destroy=$a
J
before=$(sum "$ai"); "$IODECK" run job.fio >out 2>err; equal 'a job file carries no consent' $? 1
equal 'nothing was written by it' "$(sum "$ai")" "$before"

# With consent: the region and nothing else. 4 MiB from 2 MiB.
cp "$ai" was
"$IODECK" run --name=w --filename="$a" --rw=randwrite --bs=16k --offset=2m --size=4m --iodepth=8 \
	--ioengine=libaio --direct=1 --output-format=json "$(consent "$a")" >out 2>err
equal 'with consent: status' $? 0
equal 'with consent: bytes' "$(jq '.jobs[0].write.io_bytes' out)" $((4 * MIB))
sync
check 'bytes before the region' cmp -s -n $((2 * MIB)) "$ai" was
check 'bytes after the region' cmp -s -i $((6 * MIB)) "$ai" was
check 'the region was written' sh -c "! cmp -s -i $((2 * MIB)) -n $((4 * MIB)) '$ai' was"

# Names: links and /dev/fd lead to the device, whatever they are called.
mkdir -p l/m; ln -s "$a" l/one; ln -s ../one l/m/two; ln -s m/two l/three
refused 'a chain of links, no consent' l/three "$ai" 'allow it with'
"$IODECK" run --name=w --filename=l/three --rw=write --size=1m "$(consent "$a")" >out 2>err
equal 'a chain of links to a device with consent for the device' $? 0
exec 9<"$a"
refused '/dev/fd, no consent' /dev/fd/9 "$ai" 'allow it with'
exec 9<&-
refused 'an empty shell variable' /dev/ "$ai" 'is a directory' "$(consent "$a")"

# --- the console: nothing is written before the dialog is answered ---
console() { "$IODECK" --script "$1" --size 100x30 >out 2>err </dev/null; }
cat >ask.txt <<S
dev $a
set rw=randwrite size=1m time_based=0 runtime=0
run
assert This run WRITES to $a
assert to go on
key r
assert the pattern is randread
set rw=randwrite
run
type yes
key Enter
save-screen dialog.txt
key Esc
run
key Esc
quit
S
before=$(sum "$ai"); console ask.txt; equal 'the console asks: status' $? 0
equal 'the console asks: bytes' "$(sum "$ai")" "$before"
phrase=$(sed -n 's/.*Type  \(.*[^ ]\)  to go on.*/\1/p' dialog.txt)
check 'the phrase is shown' test -n "$phrase"
cat >arm.txt <<S
dev $a
set rw=randwrite size=1m time_based=0 runtime=0
run
type $phrase
key Enter
wait idle
wait 1
assert WRITES ARMED
quit
S
console arm.txt; equal 'the phrase starts it: status' $? 0
has 'the phrase starts it: report' out 'WRITE: bw='
check 'the phrase starts it: bytes' test "$(sum "$ai")" != "$before"

# --- refused whatever is said ---
all() { echo "$(consent "$1")"; }
if mkfs.ext4 -qF "$b" 2>/dev/null && mkdir mnt && mount -o ro "$b" mnt 2>/dev/null; then
	mounts+=("$dir/mnt")
	refused 'mounted' "$b" "$bi" 'is mounted at' "$(all "$b")"
	refused 'mounted, allow_mounted_write' "$b" "$bi" 'is mounted at' "$(all "$b")" --allow_mounted_write=1
	ln -sfn "$b" l/mounted
	refused 'mounted, through a link' l/mounted "$bi" 'is mounted at' "$(all "$b")"
	refused 'the image of a mounted device' "$bi" "$bi" 'is the file behind' "--allow-overwrite=$bi"
	umount mnt; mounts=()
else
	skip 'cannot mount ext4 here'
fi

# A whole device with a mounted partition, and the partition beside it.
head -c 32M /dev/urandom >p.img
if p=$(losetup -f --show p.img 2>/dev/null); then
	loops+=("$p")
	# By hand: no table has to be written, and no kernel has to understand it.
	addpart "$p" 1 2048 16384 2>/dev/null && addpart "$p" 2 20480 16384 2>/dev/null
	for _ in $(seq 50); do [ -b "${p}p1" ] && break; sleep 0.1; done
	if [ -b "${p}p1" ] && mkfs.ext4 -qF "${p}p1" && mount -o ro "${p}p1" mnt; then
		mounts+=("$dir/mnt")
		refused 'disk of a mounted partition' "$p" p.img 'is mounted at' "$(all "$p")"
		refused 'a mounted partition' "${p}p1" p.img 'is mounted at' "$(all "${p}p1")"
		before=$(dd if=p.img bs=512 count=20480 2>/dev/null | sha256sum)
		"$IODECK" run --name=w --filename="${p}p2" --rw=write --size=1m "$(all "${p}p2")" >out 2>err
		equal 'the partition beside it: status' $? 0
		equal 'the partition beside it: what is before' \
			"$(sync; dd if=p.img bs=512 count=20480 2>/dev/null | sha256sum)" "$before"
		umount mnt; mounts=()
	else
		skip 'no partitions on loop devices here'
	fi
fi

make_loop 16; s=$loop
if mkswap "$s" >/dev/null 2>&1 && swapon "$s" 2>/dev/null; then
	swaps+=("$s")
	# The kernel itself may write to it just now, so its bytes are not compared.
	"$IODECK" run --name=w --filename="$s" --rw=write --size=1m "$(all "$s")" >out 2>err
	equal 'swap: status' $? 1
	has 'swap: says why' err 'is in use as swap'
	swapoff "$s"; swaps=()
else
	skip 'no swap here'
fi

# A second loop device on the first one holds it.
if h=$(losetup -f --show "$a" 2>/dev/null); then
	loops=("$h" "${loops[@]}")
	refused 'held by another loop device' "$a" "$ai" 'is built on' "$(all "$a")"
	losetup -d "$h"; loops=("${loops[@]:1}")
fi

# Somebody has it open exclusively.
if command -v flock >/dev/null && command -v python3 >/dev/null; then
	python3 -c 'import os,sys,time; os.open(sys.argv[1], os.O_RDONLY|os.O_EXCL); print("held", flush=True); time.sleep(60)' "$a" >held & holder=$!
	for _ in $(seq 50); do [ -s held ] && break; sleep 0.1; done
	refused 'open exclusively' "$a" "$ai" 'claimed exclusively' "$(all "$a")"
	kill $holder; wait $holder 2>/dev/null
fi

# Held for the whole run: nobody can mount it between the start and the end.
mkfs.ext4 -qF -O ^has_journal "$b" 2>/dev/null && {
	"$IODECK" run --name=w --filename="$b" --rw=randwrite --offset=12m --size=1m --time_based --runtime=3 \
		--rate_iops=50 "$(all "$b")" >out 2>err & run=$!
	sleep 1
	check 'a mount in mid-run fails' sh -c "! mount -o ro '$b' mnt 2>/dev/null"
	wait $run; equal 'the run is not disturbed' $? 0
	check 'free again after it' mount -o ro "$b" mnt
	umount mnt 2>/dev/null
}

make_loop 16 -r && { r=$loop; refused 'read-only' "$r" "$(image_of "$r")" 'read-only' "$(all "$r")"; }
refused 'no such device' /dev/iodeck-nothing "$ai" 'No such file'  "--allow-destroy=/dev/iodeck-nothing"
refused 'a character device' /dev/zero "$ai" 'neither' "$(all "$a")"

# Article 003's line on the disk below /. It is the real one, so --readonly stands before the guard.
root=$(findmnt -nvo SOURCE / 2>/dev/null)
if [ -b "${root:-}" ]; then
	"$IODECK" run --readonly -filename="$root" -direct=1 -rw=write -ioengine=libaio -bs=1024k -size=8G \
		-numjobs=4 -runtime=60 -group_reporting -name=checkdisk >out 2>err
	equal 'the system disk: status' $? 1
	"$IODECK" devices --json >out
	equal 'the system disk: verdict' \
		"$(jq -r --arg n "$(basename "$root")" '.devices[] | select(.name == $n) | .writes.verdict' out)" refuse
fi

# --- files: the data-loss traps of fio-language 4.4 ---
head -c 1M /dev/urandom >user.dat
# fio refills it
refused 'read job on a short file' user.dat user.dat 'not made by iodeck' --rw=read --size=2m
refused 'mixed job on a short file' user.dat user.dat 'not made by iodeck' --rw=randrw --size=2m
# fio unlinks and recreates it
refused 'write job on a smaller file' user.dat user.dat 'not made by iodeck' --size=2m
refused 'write job on a file as long' user.dat user.dat 'not made by iodeck' --size=1m
refused 'write job on a longer file' user.dat user.dat 'not made by iodeck' --size=4k
refused 'overwrite=1' user.dat user.dat 'overwrite' --overwrite=1
ln -s user.dat link; ln -s nowhere dangling
refused 'through a link' link user.dat 'symbolic link' --allow-overwrite=user.dat
refused 'consent given to the link' link user.dat 'symbolic link' --allow-overwrite=link
"$IODECK" run --name=w --filename=dangling --rw=write --size=64k >out 2>err; equal 'a dangling link' $? 1
check 'nothing was made through it' test ! -e nowhere
inode=$(stat -c %i user.dat)
"$IODECK" run --name=r --filename=user.dat --rw=read >out 2>err; equal 'a read job that fits: status' $? 0
equal 'the same file' "$(stat -c %i user.dat)" "$inode"

head -c 64k user.dat >part
"$IODECK" run --name=w --filename=user.dat --rw=write --offset=64k --size=64k --allow-overwrite=user.dat >out 2>err
equal 'with consent: status' $? 0
check 'with consent: bytes before the region' cmp -s -n 65536 user.dat part
equal 'with consent: the same file' "$(stat -c '%i %s' user.dat)" "$inode $MIB"
refused 'it stays foreign' user.dat user.dat 'not made by iodeck'

# unlink=1 removes what this run made, and nothing else.
"$IODECK" run --name=r --filename=user.dat --rw=read --unlink=1 >out 2>err
check 'unlink=1 keeps a foreign file' test -e user.dat
"$IODECK" run --name=w --filename=made --rw=write --size=64k --unlink=1 >out 2>err
check 'unlink=1 removes its own' test ! -e made
"$IODECK" run --name=w --filename=made --rw=write --size=64k >out 2>err
"$IODECK" run --name=w --filename=made --rw=write --size=64k --unlink=1 >out 2>err
check 'unlink=1 keeps what an earlier run made' test -e made

# ENOSPC in mid-run: the report of what was done, status 1.
mkdir full
if mount -t tmpfs -o size=1m tmpfs full 2>/dev/null; then
	mounts+=("$dir/full"); truncate -s 8M full/f
	"$IODECK" run --name=w --filename=full/f --rw=write --size=8m --allow-overwrite=full/f --output-format=json >out 2>err
	equal 'full in mid-run: status' $? 1
	has 'full in mid-run: it is told' err 'No space left'
	arith_all out
	between 'full in mid-run: partial result' "$(jq '.jobs[0].write.io_bytes' out)" 400000 $MIB
fi
finish
