// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_cpu.c - processors, their clock frequency, and memory. */
#include "measure/environment_rows.h"
#include "measure/topology.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* x86 names the model; arm64 gives numbers of maker and part, which are kept as they are. */
json_t *read_cpu_model(struct reading *reading)
{
	static const char *const keys[] = { "CPU implementer", "CPU variant", "CPU part",
					    "CPU revision" };
	char model[256] = "";
	struct slice value;

	if (!reading_file(reading, "/proc/cpuinfo"))
		return NULL;
	if (reading_key(reading, "model name", &value) && value.len)
		return string_json(value.at, value.len);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t used = strlen(model);

		if (reading_key(reading, keys[i], &value))
			snprintf(model + used, sizeof(model) - used, "%s%s %.*s", used ? ", " : "",
				 keys[i], (int)(value.len < 32 ? value.len : 32), value.at);
	}
	if (model[0])
		return string_json(model, strlen(model));
	return reading_because(reading, "/proc/cpuinfo: expected \"model name\" or \"CPU part\"");
}

json_t *read_microcode(struct reading *reading)
{
	struct slice value;

	if (!reading_file(reading, "/proc/cpuinfo"))
		return NULL;
	if (!reading_key(reading, "microcode", &value))
		return reading_because(reading, "/proc/cpuinfo has no \"microcode\"");
	return string_json(value.at, value.len);
}

static int string_order(const void *a, const void *b)
{
	const json_t *const *first = a, *const *second = b;

	return strcmp(json_string_value(*first), json_string_value(*second));
}

/* Array of strings, sorted and without repeats. */
static json_t *strings_distinct(json_t *strings)
{
	size_t count = json_array_size(strings);
	json_t **sorted = calloc(count + 1, sizeof(json_t *));
	json_t *distinct = sorted ? json_array() : NULL;

	for (size_t i = 0; sorted && i < count; i++)
		sorted[i] = json_array_get(strings, i);
	if (sorted)
		qsort(sorted, count, sizeof(json_t *), string_order);
	for (size_t i = 0; distinct && i < count; i++) {
		if (!i || string_order(&sorted[i - 1], &sorted[i]))
			json_array_append(distinct, sorted[i]);
	}
	free(sorted);
	json_decref(strings);
	return distinct;
}

static DIR *dir_open(struct reading *reading, const char *path)
{
	char *name;
	DIR *dir;

	if (asprintf(&name, "%s%s", reading_is_live(reading) ? "" : reading->request->root, path) <
	    0)
		return NULL;
	dir = opendir(name);
	if (!dir)
		reading_because(reading, "%s: %s", path, strerror(errno));
	free(name);
	return dir;
}

/* What all cpufreq policies say: a string where they agree, else an array of all answers. */
json_t *read_policies(struct reading *reading)
{
	static const char path[] = "/sys/devices/system/cpu/cpufreq";
	json_t *answers = json_array(), *one;
	struct dirent *entry;
	DIR *dir = dir_open(reading, path);

	while (dir && (entry = readdir(dir))) {
		char file[256];

		if (strncmp(entry->d_name, "policy", 6) != 0 ||
		    (size_t)snprintf(file, sizeof(file), "%s/%.64s/%s", path, entry->d_name,
				     reading->row->path) >= sizeof(file))
			continue;
		if (reading_file(reading, file)) {
			text_trim(&reading->text);
			json_array_append_new(answers,
					      string_json(reading->text.bytes, reading->text.len));
		}
	}
	if (dir)
		closedir(dir);
	if (!json_array_size(answers)) {
		json_decref(answers);
		return reading->reason[0] ? NULL : reading_because(reading, "%s: no policy", path);
	}
	answers = strings_distinct(answers);
	if (json_array_size(answers) != 1)
		return answers;
	one = json_incref(json_array_get(answers, 0));
	json_decref(answers);
	return one;
}

json_t *read_boost(struct reading *reading)
{
	/* The second file says the opposite. */
	if (reading_file(reading, "/sys/devices/system/cpu/cpufreq/boost"))
		return json_boolean(reading->text.bytes[0] == '1');
	if (reading_file(reading, "/sys/devices/system/cpu/intel_pstate/no_turbo"))
		return json_boolean(reading->text.bytes[0] == '0');
	return reading_because(reading, "neither cpufreq/boost nor intel_pstate/no_turbo");
}

json_t *read_mitigations(struct reading *reading)
{
	static const char path[] = "/sys/devices/system/cpu/vulnerabilities";
	DIR *dir = dir_open(reading, path);
	struct dirent *entry;
	json_t *mitigations, *sorted;

	if (!dir)
		return NULL;
	mitigations = json_object();
	while ((entry = readdir(dir))) {
		char file[320];

		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] == '.' || !reading_file(reading, file))
			continue;
		text_trim(&reading->text);
		json_object_set_new(mitigations, entry->d_name,
				    string_json(reading->text.bytes, reading->text.len));
	}
	closedir(dir);
	/* readdir has no order; two environments must compare as text */
	sorted = json_array();
	for (void *member = json_object_iter(mitigations); member;
	     member = json_object_iter_next(mitigations, member))
		json_array_append_new(sorted, json_string(json_object_iter_key(member)));
	sorted = strings_distinct(sorted);
	for (size_t i = 0; i < json_array_size(sorted); i++) {
		const char *name = json_string_value(json_array_get(sorted, i));
		json_t *value = json_incref(json_object_get(mitigations, name));

		json_object_del(mitigations, name);
		json_object_set_new(mitigations, name, value);
	}
	json_decref(sorted);
	return mitigations;
}

json_t *read_topology(struct reading *reading)
{
	struct topology *topology;
	struct error err = { 0 };
	json_t *summary;

	if (!reading_is_live(reading))
		return reading_because(reading, "only read on the machine itself");
	if (topology_open(NULL, &topology, &err))
		return reading_because(reading, "%s", err.text);
	summary = topology_summary(topology);
	topology_close(topology);
	return summary;
}

json_t *read_memory(struct reading *reading)
{
	struct slice value;
	struct scan scan;
	uint64_t kib;

	if (!reading_file(reading, "/proc/meminfo"))
		return NULL;
	if (!reading_key(reading, "MemTotal", &value))
		return reading_because(reading, "/proc/meminfo: expected \"MemTotal\"");
	scan = scan_start(value.at, value.len);
	if (!scan_u64(&scan, &kib) || kib > INT64_MAX / 1024 || !scan_word_is(&scan, " kB"))
		return reading_because(reading, "/proc/meminfo: MemTotal: expected a number of kB");
	return json_integer((json_int_t)kib * 1024);
}

json_t *read_page_size(struct reading *reading)
{
	(void)reading;
	return json_integer(sysconf(_SC_PAGESIZE));
}
