#!/usr/bin/env bash
# Case 83: the page cache of a device cannot be dropped without CAP_SYS_ADMIN; one warning says so.
. "$(dirname "$0")/lib.sh"
cd "$dir" || exit 1

if ! command -v setpriv >/dev/null || ! make_loop 4; then
	skip 'no setpriv or no loop device'
	finish
	exit
fi
warning='results may come from the page cache'
setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$IODECK" run --name=x --filename="$loop" --rw=read --size=1m \
	--numjobs=3 >out 2>err
equal 'status' $? 0
equal 'one warning' "$(grep -c "$warning" err)" 1
has 'it names the device' err "dropping the page cache of $loop"
"$IODECK" run --name=x --filename="$loop" --rw=read --size=1m >out 2>err
equal 'status with the capability' $? 0
equal 'no warning' "$(grep -c "$warning" err)" 0
setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$IODECK" run --name=x --filename="$loop" --rw=read --size=1m \
	--direct=1 >out 2>err
equal 'no warning with direct=1' "$(grep -c "$warning" err)" 0
finish
