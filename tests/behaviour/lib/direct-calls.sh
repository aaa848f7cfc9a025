#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# direct-calls.sh - the shared library calls itself without the detour that lets others come between.
. "${SOURCE:?}/tests/lib.sh"

need_tool objdump
library=$BUILD/lib/libonproc.so

# Names end in @plt where a call goes by the procedure linkage table.
objdump -d --no-show-raw-insn "$library" >"$TMPDIR/code" || skip 'objdump does not read it'

own_functions_are_called_directly()
{
	expect_file "$TMPDIR/code" '<onproc_mutex_lock>:$'
	expect_file_lacks "$TMPDIR/code" '<onproc_[a-z_]+@plt'
}

# Without a rival: what is inside the function itself.
the_fast_path_has_no_plt_call()
{
	local function

	for function in onproc_mutex_lock onproc_mutex_trylock onproc_mutex_unlock onproc_spinlock_lock \
		onproc_spinlock_unlock onproc_rwsem_read_lock onproc_rwsem_write_lock; do
		awk -v name="<$function>:" '/^[0-9a-f]+ <.*>:$/ { inside = $2 == name } inside' \
			"$TMPDIR/code" >"$TMPDIR/function"
		expect_file "$TMPDIR/function" '^[0-9a-f]+ <'
		expect_file_lacks "$TMPDIR/function" '@plt'
	done
}

behaviour own_functions_are_called_directly own_functions_are_called_directly
behaviour the_fast_path_has_no_plt_call the_fast_path_has_no_plt_call

plan_done
