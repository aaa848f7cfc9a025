// SPDX-License-Identifier: GPL-2.0-or-later
/* privileges.c - see privileges.h. By system calls: no library is needed for any of it. */
#include "sensord/privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CAP_BPF
#	define CAP_BPF 39
#endif

#define NOBODY 65534u /* as everywhere; no file of value is its */

#if defined(__x86_64__)
#	define AUDIT_ARCH_OWN AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#	define AUDIT_ARCH_OWN AUDIT_ARCH_AARCH64
#endif

/* Of the kernel's: more than there are. */
#define CAPABILITIES 64

static int become_nobody(struct error *err)
{
	if (geteuid())
		return 0;
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) ||
	    setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		return error_errno(err, -errno, "becoming an unprivileged user");
	return 0;
}

static int keep_cap_bpf_alone(struct error *err)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2] = { { 0 } };

	sets[CAP_BPF / 32].effective = 1u << CAP_BPF % 32;
	sets[CAP_BPF / 32].permitted = 1u << CAP_BPF % 32;
	if (syscall(SYS_capset, &header, sets))
		return error_errno(err, -errno, "dropping capabilities");
	return 0;
}

/* While they are still there to do it with; fails for those that the kernel does not have. */
static void empty_the_bounding_set(void)
{
	for (unsigned long capability = 0; capability < CAPABILITIES; capability++)
		prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

static const uint32_t forbidden[] = {
#ifdef SYS_open
	SYS_open,
	SYS_creat,
	SYS_fork,
	SYS_vfork,
#endif
	SYS_openat,
	SYS_execve,
	SYS_execveat,
	SYS_clone,
	SYS_socket,
	SYS_connect,
	SYS_ptrace,
	SYS_mount,
	SYS_unshare,
	SYS_setns,
	SYS_keyctl,
	SYS_add_key,
	SYS_io_uring_setup,
	SYS_perf_event_open,
	SYS_init_module,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
};
#define FORBIDDEN (sizeof(forbidden) / sizeof(forbidden[0]))

/* A call of another architecture ends the process; one that is forbidden is refused. */
static int forbid_calls(struct error *err)
{
#ifdef AUDIT_ARCH_OWN
	struct sock_filter filter[FORBIDDEN + 6];
	struct sock_fprog program = { .len = 0, .filter = filter };
	const uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;

	filter[program.len++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, arch));
	filter[program.len++] =
		(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_OWN, 1, 0);
	filter[program.len++] =
		(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	filter[program.len++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < FORBIDDEN; i++)
		filter[program.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, forbidden[i], (uint8_t)(FORBIDDEN - i), 0);
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, refuse);
	/* A kernel without seccomp is no reason not to serve. */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) && errno != EINVAL)
		return error_errno(err, -errno, "forbidding system calls");
#endif
	return 0;
}

int privileges_drop(struct error *err)
{
	int rc;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return error_errno(err, -errno, "giving up new privileges");
	empty_the_bounding_set();
	rc = become_nobody(err);
	if (!rc)
		rc = keep_cap_bpf_alone(err);
	if (!rc)
		rc = forbid_calls(err);
	return rc;
}
