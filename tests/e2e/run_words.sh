#!/usr/bin/env bash
# Words of the command line: dumps while a run is on, help, showcmd read back, engine options at work.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

# fio-language 4.14: cumulative documents, one after another, the last one is the final report.
run --name=a --ioengine=null --size=1m --rate_iops=200 --time_based --runtime=1 \
	--status-interval=300ms --output-format=json
equal 'status with dumps' $? 0
n=$(jq -s length out); between 'documents' "$n" 3 4
check 'each has at least as many I/Os as the one before' \
	jq -se '[.[].jobs[0].read.total_ios] | . == sort' out
between 'I/Os at the end' "$(jq -s '.[-1].jobs[0].read.total_ios' out)" 195 201

# SIGUSR1: a report now, and the run goes on.
"$IODECK" run --name=a --ioengine=null --size=1m --rate_iops=100 --time_based --runtime=1 \
	--output-format=json >out 2>err & pid=$!
sleep 0.5; kill -USR1 $pid; wait $pid; equal 'status after SIGUSR1' $? 0
equal 'documents after SIGUSR1' "$(jq -s length out)" 2

# The trigger file of fio does the same, wherever temporary files are, and is taken away.
mkdir -p tmp
TMPDIR=$PWD/tmp "$IODECK" run --name=a --ioengine=null --size=1m --rate_iops=100 --time_based --runtime=1 \
	--output-format=json >out 2>err & pid=$!
sleep 0.5; : >tmp/fio-dump-status; wait $pid; equal 'status after fio-dump-status' $? 0
equal 'documents after fio-dump-status' "$(jq -s length out)" 2
check 'the trigger file is gone' test ! -e tmp/fio-dump-status

# --showcmd is a command line that does the same.
printf '[global]\nioengine=null\nsize=1m\n[a b]\nrw=randread\n[c]\nbs=8k\n' >j.fio
run --showcmd j.fio; equal 'showcmd status' $? 0
sed "s|^iodeck run |\"$IODECK\" run --output-format=json |" out >cmd
bash ./cmd >out2 2>err; equal 'the shown command runs' $? 0
equal 'its jobs' "$(jq -c '[.jobs[] | [.jobname, .read.total_ios]]' out2)" '[["a b",256],["c",128]]'

run --set bs=16k --section=c --output-format=json j.fio
equal '--set wins over the file' "$(jq -c '[.jobs[] | .read.total_ios]' out)" '[64]'
run --cmdhelp=bs; equal 'cmdhelp status' $? 0; has 'cmdhelp' out 'blocksize'
run --cmdhelp=nosuchoption; equal 'cmdhelp of an unknown option' $? 1; equal 'stdout' "$(cat out)" ''
run --enghelp; has 'engines are listed' out 'libaio'
run --enghelp=nosuch; equal 'enghelp of an unknown engine' $? 1

# Status lines: whole lines in a log, as often as asked.
run --name=a --ioengine=null --size=1m --rate_iops=100 --time_based --runtime=1 --eta=always \
	--eta-interval=250ms
between 'status lines' "$(grep -c '^Jobs:' err)" 2 4

# Engine options do what they say: io_uring with registered buffers and files moves the same data.
for opts in --fixedbufs --registerfiles --nonvectored=0 --force_async=2 '--fixedbufs --registerfiles'; do
	run --name=a --ioengine=io_uring $opts --filename=f --size=1m --rw=randread --iodepth=4 --output-format=json
	if [ $? -ne 0 ] && grep -q 'not permitted\|ulimit' err; then skip "$opts: $(head -1 err)"; continue; fi
	equal "io_uring $opts" "$(jq '.jobs[0].read.io_bytes' out)" 1048576
done
finish
