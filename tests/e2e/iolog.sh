#!/usr/bin/env bash
# Logs of I/O (fio-language 2): fio 3.33 plays back what iodeck wrote, and the other way round; --bandwidth-log.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

# The whole run, a row for each half second and direction: their sum is the result.
run --bandwidth-log --name=a --ioengine=null --size=1g --rw=randrw --rate_iops=1000 --time_based --runtime=700ms \
	--numjobs=2 --output-format=json
equal 'bandwidth-log: status' $? 0
for d in read:0 write:1; do
	kib=$(jq "[.jobs[].${d%:*}.io_kbytes] | add" out)
	between "bandwidth-log: ${d%:*}" \
		"$(awk -F', ' '{ s += $2 * ($1 - t); t = $1 } END { printf "%d\n", s / 1000 }' "agg-${d%:*}_bw.log")" \
		$((kib - 40)) $((kib + 40))
	equal "bandwidth-log: columns of ${d%:*}" "$(awk -F', ' '{ print NF, $3, $4, $5 }' "agg-${d%:*}_bw.log" | sort -u)" \
		"5 ${d#*:} 0 0"
done
equal 'bandwidth-log: nothing was trimmed' "$(awk -F', ' '{ print $2 }' agg-trim_bw.log | sort -u)" 0

if [ "$(fio --version 2>/dev/null)" != fio-3.33 ]; then
	skip 'no fio 3.33 here'
	finish
	exit
fi
# The I/O of a log, without its times.
io() { awk 'NF == 5 { print $3, $2, $4, $5 }' "$1" | sed 's/\(sync\) \([^ ]*\) .*/\1 \2/'; }
# Both write the same: a sequential job has one order of I/O only.
job=(--name=w --size=64k --bs=4k --rw=write --nrfiles=2 --file_service_type=sequential --fdatasync=4 --end_fsync=1)
fio "${job[@]}" --write_iolog=fio.log >/dev/null 2>&1
rm -f w.0.*
run "${job[@]}" --write_iolog=deck.log
equal 'the same first line' "$(head -n 1 fio.log)" "$(head -n 1 deck.log)"
check 'the same writes' cmp -s <(io fio.log | grep -v sync) <(io deck.log | grep -v sync)
equal 'each file is added, opened and closed' "$(grep -c 'add$\|open$\|close$' deck.log)" 6
# fio syncs the file that was written last, iodeck all of them.
check 'data is synced after each fourth write' awk '$3 == "write" { n++ } $3 == "datasync" && n % 4 { bad = 1 }
	END { exit bad || n != 16 }' deck.log

# Each plays back both. fio writes no log then, so it is the reports that are compared.
count='[.jobs[0] | .read.total_ios, .write.total_ios, .write.io_bytes]'
for log in fio deck; do
	rm -f w.0.* again.log
	run --name=r --read_iolog=$log.log --write_iolog=again.log --output-format=json
	equal "$log.log: status" $? 0
	check "$log.log: what was played back is what it says" cmp -s <(io $log.log) <(io again.log)
	rm -f w.0.*
	fio --name=r --read_iolog=$log.log --output-format=json --output=fio.json >/dev/null 2>&1
	equal "$log.log: the same in fio" "$(jq -c "$count" out)" "$(sed -n '/^{/,$p' fio.json | jq -c "$count")"
done

# Both append, and both read what was appended.
run --name=n --ioengine=null --size=16k --write_iolog=both.log
fio --name=n --ioengine=null --size=16k --write_iolog=both.log >/dev/null 2>&1
equal 'two runs in one log' "$(grep -c 'fio version 3' both.log)" 2
run --name=n --ioengine=null --read_iolog=both.log --output-format=json
equal 'both are played back' "$(jq '.jobs[0].read.total_ios' out)" 8
equal 'by fio too' "$(fio --name=n --ioengine=null --read_iolog=both.log --output-format=json 2>/dev/null | sed -n '/^{/,$p' |
	jq '.jobs[0].read.total_ios')" 8

# A wrong log: one line with its place, nothing is made.
printf 'fio version 3 iolog\n0 new add\n5 new open\n9 new write 0 512\n10 new write 512\n' >bad.log
run --name=b --read_iolog=bad.log; equal 'wrong line: status' $? 1
has 'wrong line: its place' err 'iodeck: b: bad.log:5: wanted TIME FILE'
equal 'wrong line: one line' "$(wc -l <err)" 1
check 'wrong line: nothing is made' test ! -e new
printf '\007tae\0\0\0\0' >trace.bin
run --name=b --read_iolog=trace.bin; equal 'blktrace: status' $? 1
has 'blktrace: refused by name' err 'a blktrace file'
# The guard: a file of the log that is somebody's.
echo precious >mine
printf 'fio version 3 iolog\n0 mine add\n5 mine open\n9 mine write 0 512\n' >mine.log
run --name=b --read_iolog=mine.log; equal 'the guard: status' $? 1
equal 'the guard: the file is as it was' "$(cat mine)" precious
run --name=b --read_iolog=mine.log --allow-overwrite=mine; equal 'the guard: with consent' $? 0
run --name=b --ioengine=null --size=4k --write_iolog=mine; equal 'no log is appended to: status' $? 1
finish
