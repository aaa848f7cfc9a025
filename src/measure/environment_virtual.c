// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_virtual.c - is this a virtual machine or a container, and whose? */
#include "measure/environment_rows.h"

#include "measure/cgroup.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *hypervisor_name(const char *signature)
{
	static const char *const names[][2] = {
		{ "KVMKVMKVM", "KVM" },	      { "Microsoft Hv", "Hyper-V" },
		{ "VMwareVMware", "VMware" }, { "XenVMMXenVMM", "Xen" },
		{ "TCGTCGTCGTCG", "TCG" },    { "ACRNACRNACRN", "ACRN" },
		{ "bhyve bhyve ", "bhyve" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(signature, names[i][0]))
			return names[i][1];
	return signature;
}

#if defined(__x86_64__) || defined(__i386__)
#	include <cpuid.h>

/* Leaf 0x40000000 is where hypervisors put 12 bytes of signature. */
static json_t *signature_read(void)
{
	unsigned eax, words[3];
	char signature[13];
	size_t len;

	__cpuid(0x40000000, eax, words[0], words[1], words[2]);
	memcpy(signature, words, 12);
	signature[12] = '\0';
	len = strlen(signature);
	for (size_t i = 0; i < len; i++) {
		if (signature[i] < ' ' || signature[i] > '~')
			return NULL;
	}
	return len ? json_string(hypervisor_name(signature)) : NULL;
}
#else
static json_t *signature_read(void)
{
	return NULL;
}
#endif

json_t *read_hypervisor(struct reading *reading)
{
	json_t *signature;
	struct slice flags;
	bool has_flag;

	if (reading_file(reading, "/sys/hypervisor/type") ||
	    reading_file(reading, "/proc/device-tree/hypervisor/compatible")) {
		text_trim(&reading->text);
		return string_json(reading->text.bytes, strlen(reading->text.bytes));
	}
	if (!reading_file(reading, "/proc/cpuinfo"))
		return NULL;
	has_flag = reading_key(reading, "flags", &flags) &&
		   memmem(flags.at, flags.len, " hypervisor", strlen(" hypervisor"));
	if (!has_flag)
		return reading_because(reading, "no sign of one: no flag \"hypervisor\" in "
						"/proc/cpuinfo, no /sys/hypervisor");
	signature = reading_is_live(reading) ? signature_read() : NULL;
	return signature ? signature : json_string("unnamed");
}

json_t *read_machine(struct reading *reading)
{
	static const char *const files[] = { "/sys/class/dmi/id/sys_vendor",
					     "/sys/class/dmi/id/product_name",
					     "/proc/device-tree/model" };
	char machine[256] = "";

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		size_t used = strlen(machine);

		if (reading_file(reading, files[i]) && text_trim(&reading->text)[0])
			snprintf(machine + used, sizeof(machine) - used, "%s%.100s",
				 used ? " " : "", reading->text.bytes);
	}
	if (!machine[0])
		return reading_because(reading, "neither /sys/class/dmi/id nor /proc/device-tree");
	return string_json(machine, strlen(machine));
}

/* Signs that the usual container managers leave; an image may bring the first two anywhere, so they
 * are named. */
json_t *read_container(struct reading *reading)
{
	static const char *const words[] = { "kubepods",   "docker", "libpod",	     "lxc",
					     "containerd", "garden", "machine.slice" };
	static const struct {
		const char *path, *name;
	} files[] = { { "/.dockerenv", "docker: /.dockerenv" },
		      { "/run/.containerenv", "podman: /run/.containerenv" } };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (reading_file(reading, files[i].path))
			return json_string(files[i].name);
	}
	if (reading_file(reading, "/run/systemd/container") && text_trim(&reading->text)[0])
		return string_json(reading->text.bytes, reading->text.len);
	if (reading_file(reading, "/proc/1/environ")) {
		const char *mark = memmem(reading->text.bytes, reading->text.len, "container=", 10);
		bool starts = mark && (mark == reading->text.bytes || mark[-1] == '\0');

		if (starts && mark[10])
			return string_json(mark + 10, strlen(mark + 10));
	}
	if (!reading_file(reading, "/proc/1/cgroup"))
		return NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(reading->text.bytes, words[i]))
			return json_string(words[i]);
	}
	return reading_because(reading, "no sign of one");
}
