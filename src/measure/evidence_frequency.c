// SPDX-License-Identifier: GPL-2.0-or-later
/* evidence_frequency.c - see evidence_frequency.h. */
#include "measure/evidence_frequency.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUS_READ_MOST 32 /* some drivers ask the CPU itself, up to 10 ms each */

static int double_order(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), double_order);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static int khz_read(struct sources *sources, int cpu, const char *file, double *khz,
		    struct error *err)
{
	char name[96];
	char *path;
	struct scan scan;
	uint64_t number;
	int rc;

	snprintf(name, sizeof(name), "/sys/devices/system/cpu/cpu%d/cpufreq/%s", cpu, file);
	if (asprintf(&path, "%s%s", sources->root, name) < 0)
		return error_set(err, -ENOMEM, "no memory");
	rc = text_read(&sources->text, AT_FDCWD, path);
	free(path);
	if (rc)
		return error_errno(err, rc, "%s", name);
	scan = scan_start(sources->text.bytes, sources->text.len);
	if (!scan_u64(&scan, &number) || !number) {
		scan_expected(&scan, err, "a frequency in kHz");
		return error_context(err, "%s", name);
	}
	*khz = (double)number;
	return 0;
}

/* Best share so far with n_busy CPUs or more; 0: none. Remembers the present one. */
static int memory_best(struct frequency_memory *memory, size_t n_busy, double share, double *best)
{
	if (n_busy >= memory->room) {
		size_t room = n_busy + 1;
		double *grown = reallocarray(memory->best, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		memset(grown + memory->room, 0, (room - memory->room) * sizeof(*grown));
		memory->best = grown;
		memory->room = room;
	}
	*best = 0;
	for (size_t i = n_busy; i < memory->room; i++) {
		if (memory->best[i] > *best)
			*best = memory->best[i];
	}
	if (share > memory->best[n_busy])
		memory->best[n_busy] = share;
	return 0;
}

int frequency_read(struct sources *sources, const int *busy_cpu, size_t n_busy,
		   struct frequency_memory *memory, struct frequency *frequency, struct error *err)
{
	size_t count = n_busy < CPUS_READ_MOST ? n_busy : CPUS_READ_MOST;
	double khz[CPUS_READ_MOST] = { 0 }, share[CPUS_READ_MOST] = { 0 };
	double now, best;
	int rc;

	if (!n_busy)
		return error_set(err, -ENODATA, "no allowed CPU was busy for half of the window");
	for (size_t i = 0; i < count; i++) {
		int cpu = busy_cpu[i * n_busy / count];
		double most = 0;

		rc = khz_read(sources, cpu, "scaling_cur_freq", &khz[i], err);
		if (rc)
			return rc;
		/* CPUs of different kinds have different maxima; without one all count as equal. */
		share[i] = khz[i];
		if (!khz_read(sources, cpu, "cpuinfo_max_freq", &most, NULL))
			share[i] /= most;
	}
	now = median(share, count);
	frequency->khz = median(khz, count);
	rc = memory_best(memory, n_busy, now, &best);
	if (rc)
		return error_set(err, rc, "no memory");
	frequency->was_khz = best > now ? frequency->khz * best / now : frequency->khz;
	return 0;
}
