#!/usr/bin/env bash
# `iodeck run` on a loop device and on files: numbers that must obey arithmetic, and devices that must
# keep their bytes.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

# Little's law (R5), N x B (R4), rate (R1), sums (R6), order of percentiles (R7) from the json alone.
arithmetic() { # file, asked depth, block size
	jq -e --argjson qd "$2" --argjson bs "$3" '
	.jobs[] | (.read, .write) | select(.total_ios > 0) |
	(.io_bytes == .total_ios * $bs) and
	((.iops - 1000 * .total_ios / .runtime | fabs) <= 1e-6 * .iops) and
	((.iops * .lat_ns.mean / 1e9) as $n | $n <= $qd * 1.02 and $n >= $qd * 0.85) and
	((.slat_ns.mean + .clat_ns.mean - .lat_ns.mean | fabs) <= 1) and
	([.clat_ns.min] + [.clat_ns.percentile[]] + [.clat_ns.max] | . == sort)' "$1" >/dev/null
}

for spot in "$dir/file" /dev/shm/iodeck-e2e-$$; do
	for e in psync:1 libaio:32 io_uring:32; do
		"$IODECK" run --name=t --filename="$spot" --size=32m --ioengine="${e%:*}" --iodepth="${e#*:}" \
			--direct=1 --rw=randread --time_based --runtime=1 --output-format=json >o.json 2>err
		equal "$spot $e status" $? 0
		equal "$spot $e: R1 to R12" "$(arith o.json)" ''
		check "$spot $e obeys arithmetic" arithmetic o.json "${e#*:}" 4096
	done
done
rm -f /dev/shm/iodeck-e2e-$$

if make_loop 64; then
	sum=$(sha256sum <"$loop")
	name=$(basename "$loop")
	# Article 001's line, scaled (it uses -name last, values as next words, -thread bare).
	"$IODECK" run -filename="$loop" -direct=1 -iodepth 16 -thread -rw=randread -ioengine=libaio -bs=4k -size=32M \
		-numjobs=2 -runtime=10 -group_reporting -name=mytest >out 2>err
	equal 'the line of article 001' $? 0
	has 'both jobs in one block' out 'mytest: (groupid=0, jobs=2): err= 0'
	has 'all blocks read' out 'issued rwts: total=16384,0,0,0'
	# Neighbours that meet in the queue may be merged into one request.
	equal 'disk line' "$(sed -n "s/^  $name: ios=\([0-9]*\)\/0, merge=\([0-9]*\)\/0.*/\1 \2/p" out |
		awk '{ print $1 + $2 }')" 16384
	"$IODECK" run --name=t --filename="$loop" --direct=1 --ioengine=io_uring --iodepth=8 --rw=randread --time_based \
		--runtime=1 --output-format=json >o.json 2>err
	equal 'loop: R1 to R12' "$(arith o.json)" ''
	check 'loop obeys arithmetic' arithmetic o.json 8 4096
	equal 'disk name' "$(jq -r '.disk_util[0].name' o.json)" "$name"
	between 'every I/O reached the device' \
		"$(jq '.disk_util[0].read_ios / .jobs[0].read.total_ios' o.json)" 0.99 1.01
	between 'util' "$(jq '.disk_util[0].util' o.json)" 20 100
	for rw in write randwrite randrw trim randtrim trimwrite; do
		"$IODECK" run --name=t --filename="$loop" --rw=$rw --size=1m >out 2>err
		equal "$rw on a block device is refused" $? 1
		has "$rw says why" err 'would be destroyed'
	done
	# A link to the device is the device.
	ln -s "$loop" link
	"$IODECK" run --name=t --filename=link --rw=write --size=1m >out 2>err
	equal 'write through a link is refused' $? 1
	# case 25: an offset past the end.
	"$IODECK" run --name=t --filename="$loop" --offset=80m --size=4m >out 2>err
	equal 'case 25: offset past the end' $? 1
	has 'both numbers' err 'offset 80 MiB is past the end (64 MiB)'
	equal 'the device still holds its bytes' "$(sha256sum <"$loop")" "$sum"
else
	skip 'no loop device to be had'
fi

# case 29: 4Kn.
if make_loop 16 -b 4096; then
	"$IODECK" run --name=t --filename="$loop" --bs=512 --direct=1 >out 2>err
	equal 'case 29: 512-byte blocks on 4Kn' $? 1
	has 'the multiple is named' err '4096'
else
	skip 'no loop device with 4 KiB sectors'
fi

# Against fio on the same device in the same run: the same work, counted the same.
if command -v fio >/dev/null && make_loop 32; then
	for rw in read randread; do
		"$IODECK" run --name=t --filename="$loop" --rw=$rw --direct=1 --output-format=json >a.json 2>err
		arith_all a.json
		fio --name=t --filename="$loop" --rw=$rw --direct=1 --output-format=json >b.json 2>/dev/null
		q='.jobs[0].read | [.total_ios, .io_bytes, .short_ios]'
		equal "$rw: same work as fio" "$(jq -c "$q" a.json)" "$(jq -c "$q" b.json)"
		q='.jobs[0] | keys_unsorted - ["iodeck"]'
		equal "$rw: same keys as fio" "$(jq -c "$q" a.json)" "$(jq -c "$q" b.json)"
	done
else
	skip 'fio or a loop device is missing'
fi
finish
