// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * environment_block.c - machine, kernel and build in the fewest lines that explain a number.
 *
 * A table of lines, each made of members of the environment object; members that the record does
 * not hold are left out, unreadable ones say why. Everything else is in the JSON.
 */
#include "report/blocks.h"

#include <stdlib.h>
#include <string.h>

#define LABEL_COLUMNS 14
#define REASON_BYTES  80
#define ITEMS	      6
#define PACKAGE_BYTES 48

struct environment_item {
	const char *member;
	const char *before; /* words before the value; "" for a value that speaks for itself */
	void (*add)(struct paragraph *line, const json_t *value); /* NULL: add_value() */
	bool if_known; /* left out when unreadable: another member of the line says enough */
};

static void add_value(struct paragraph *line, const json_t *value);

static void add_list(struct paragraph *line, const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		paragraph_add(line, "%s", i ? ", " : "");
		add_value(line, json_array_get(array, i));
	}
}

static void add_object(struct paragraph *line, const json_t *object)
{
	const char *name, *separator = "";
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
	{
		paragraph_add(line, "%s", separator);
		paragraph_add_outside(line, name);
		paragraph_add(line, " ");
		add_value(line, value);
		separator = ", ";
	}
}

static void add_value(struct paragraph *line, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		paragraph_add_outside(line, json_string_value(value));
		break;
	case JSON_INTEGER:
		paragraph_add(line, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		paragraph_add(line, "%.6g", json_real_value(value));
		break;
	case JSON_TRUE:
		paragraph_add(line, "yes");
		break;
	case JSON_FALSE:
		paragraph_add(line, "no");
		break;
	case JSON_NULL:
		paragraph_add(line, "unknown");
		break;
	case JSON_ARRAY:
		add_list(line, value);
		break;
	case JSON_OBJECT:
		add_object(line, value);
		break;
	}
}

static void add_mebibytes(struct paragraph *line, const json_t *value)
{
	if (json_is_number(value))
		paragraph_add(line, "%.0f MiB", json_number_value(value) / (1 << 20));
	else
		add_value(line, value);
}

/* One frequency, or that of each policy, in kHz. */
static void add_frequency(struct paragraph *line, const json_t *value)
{
	if (json_is_number(value))
		paragraph_add(line, "%.0f MHz", json_number_value(value) / 1e3);
	else
		add_value(line, value);
}

/* Those that cost time or are open, by name; what the CPU is not affected by is left out. */
static void add_mitigations(struct paragraph *line, const json_t *value)
{
	static const char *const kinds[] = { "Mitigation", "Vulnerable" };
	static const char *const words[] = { "on for ", "vulnerable to " };
	const char *separator = "";

	if (!json_is_object(value)) {
		add_value(line, value);
		return;
	}
	for (int kind = 0; kind < 2; kind++) {
		const char *name, *before = words[kind];
		json_t *state;

		json_object_foreach((json_t *)value, name, state)
		{
			const char *text = json_string_value(state);

			if (!text || strncmp(text, kinds[kind], strlen(kinds[kind])) != 0)
				continue;
			paragraph_add(line, "%s%s", separator, before);
			paragraph_add_outside(line, name);
			before = "";
			separator = ", ";
		}
	}
	if (!*separator)
		paragraph_add(line, "none");
}

static const char *const topology_counts[] = { "packages", "nodes", "cores", "threads", NULL };

/* "1 packages, 1 nodes, 2 cores, 2 threads": the caches are in the JSON. */
static void add_topology(struct paragraph *line, const json_t *value)
{
	const char *separator = "";

	if (!json_is_object(value)) {
		add_value(line, value);
		return;
	}
	for (size_t i = 0; topology_counts[i]; i++) {
		const json_t *count = json_object_get(value, topology_counts[i]);

		if (!json_is_integer(count))
			continue;
		paragraph_add(line, "%s%" JSON_INTEGER_FORMAT " %.*s", separator,
			      json_integer_value(count),
			      (int)strlen(topology_counts[i]) - (json_integer_value(count) == 1),
			      topology_counts[i]);
		separator = ", ";
	}
}

/* Words of a kernel command line, by their beginning, that change what tests measure. */
static const char *const cmdline_words[] = {
	"audit",
	"clocksource",
	"cpuidle",
	"default_hugepagesz",
	"haltpoll",
	"hugepages",
	"idle=",
	"init_on_",
	"intel_idle",
	"intel_pstate",
	"iommu",
	"irqaffinity",
	"isolcpus",
	"kvm",
	"maxcpus",
	"mce",
	"mds",
	"mitigations",
	"nmi_watchdog",
	"no_hash_pointers",
	"nohz",
	"nopti",
	"nopv",
	"nosmt",
	"nospec",
	"nr_cpus",
	"numa_balancing",
	"preempt",
	"processor.max_cstate",
	"pti",
	"randomize",
	"rcu",
	"retbleed",
	"sched",
	"skew_tick",
	"slub_debug",
	"spec",
	"threadirqs",
	"transparent_hugepage",
	"tsc",
	"tsx",
	"xen",
	NULL,
};

static bool is_cmdline_word(const char *word)
{
	for (size_t i = 0; cmdline_words[i]; i++)
		if (!strncmp(word, cmdline_words[i], strlen(cmdline_words[i])))
			return true;
	return false;
}

/* The rest may be long, or private, and is in the JSON. */
static void add_cmdline(struct paragraph *line, const json_t *value)
{
	char *text = json_is_string(value) ? strdup(json_string_value(value)) : NULL;
	const char *separator = "";
	char *rest = text, *word;
	size_t left_out = 0;

	if (!text) {
		line->failed |= json_is_string(value);
		add_value(line, value);
		return;
	}
	while ((word = strsep(&rest, " ")) != NULL) {
		if (!*word)
			continue;
		if (!is_cmdline_word(word)) {
			left_out++;
			continue;
		}
		paragraph_add(line, "%s", separator);
		paragraph_add_outside(line, word);
		separator = " ";
	}
	if (left_out)
		paragraph_add(line, *separator ? " (and %zu more)" : "%zu words of no matter here",
			      left_out);
	free(text);
}

/* "ext4 (local) for /var/tmp, options rw,relatime" */
static void add_filesystem(struct paragraph *line, const json_t *value)
{
	if (!json_is_object(value)) {
		add_value(line, value);
		return;
	}
	paragraph_add_outside(line, json_string_value(json_object_get(value, "type")));
	paragraph_add(line, " (");
	paragraph_add_outside(line, json_string_value(json_object_get(value, "kind")));
	paragraph_add(line, ") at ");
	paragraph_add_outside(line, json_string_value(json_object_get(value, "dir")));
	paragraph_add(line, ", options ");
	paragraph_add_outside(line, json_string_value(json_object_get(value, "options")));
}

/* "GNU coreutils" and "9.1" of "sort (GNU coreutils) 9.1". */
struct package {
	char name[PACKAGE_BYTES], version[PACKAGE_BYTES];
};

static bool package_of(const json_t *tool, struct package *package)
{
	const char *version = json_string_value(json_object_get(tool, "version"));
	char rest;

	return version && sscanf(version, "%*[^ ] (GNU %47[a-zA-Z ]) %47[0-9.]%c", package->name,
				 package->version, &rest) == 2;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* "GNU coreutils 9.1: sort od tee", with all tools of the package; "GNU grep 3.8". False: said with
 * a tool before. */
static bool add_package(struct paragraph *line, const json_t *tools, const char *first,
			const struct package *package, const char *separator)
{
	const char *name, *before = ": ";
	struct package other;
	json_t *tool;
	bool is_first = true;

	json_object_foreach((json_t *)tools, name, tool)
	{
		if (!package_of(tool, &other) || strcmp(other.name, package->name) != 0 ||
		    strcmp(other.version, package->version) != 0)
			continue;
		if (is_first && strcmp(name, first) != 0)
			return false;
		if (is_first)
			paragraph_add(line, "%sGNU %s" PARAGRAPH_STAY "%s", separator,
				      package->name, package->version);
		is_first = false;
		if (!strcmp(base_name(name), package->name))
			continue;
		paragraph_add(line, "%s", before);
		paragraph_add_outside(line, base_name(name));
		before = " ";
	}
	return true;
}

/* "GNU coreutils 9.1: sort od tee; sh is /usr/bin/dash" */
static void add_tools(struct paragraph *line, const json_t *value)
{
	const char *name, *separator = "";
	json_t *tool;

	if (!json_is_object(value)) {
		add_value(line, value);
		return;
	}
	json_object_foreach((json_t *)value, name, tool)
	{
		const char *version = json_string_value(json_object_get(tool, "version"));
		struct package package;

		if (package_of(tool, &package)) {
			if (add_package(line, value, name, &package, separator))
				separator = "; ";
			continue;
		}
		paragraph_add(line, "%s", separator);
		if (version) {
			paragraph_add_outside(line, version);
		} else {
			paragraph_add_outside(line, base_name(name));
			paragraph_add(line, " is ");
			paragraph_add_outside(line,
					      json_string_value(json_object_get(tool, "path")));
		}
		separator = "; ";
	}
}

/* "before-patch, from a table of UnixBench results; printed index 1327.6" */
static void add_imported(struct paragraph *line, const json_t *value)
{
	const json_t *label = json_object_get(value, "label");
	const json_t *scores = json_object_get(value, "scores");

	if (json_is_string(label)) {
		paragraph_add_outside(line, json_string_value(label));
		paragraph_add(line, ", ");
	}
	paragraph_add(line, "from ");
	paragraph_add_outside(line, json_string_value(json_object_get(value, "format")));
	for (size_t i = 0; i < json_array_size(scores); i++) {
		const json_t *score = json_array_get(scores, i);

		paragraph_add(line, "%s%.1f", i ? ", " : "; printed index ",
			      json_number_value(json_object_get(score, "printed")));
		if (json_array_size(scores) > 1)
			paragraph_add(line, " at %" JSON_INTEGER_FORMAT,
				      json_integer_value(json_object_get(score, "copies")));
	}
}

/* One line each. What is not here is in the JSON of the run. */
static const struct environment_line {
	const char *label;
	struct environment_item item[ITEMS + 1];
} lines[] = {
	{ "machine",
	  { { "machine", "", NULL, true },
	    { "hypervisor", "hypervisor " },
	    { "container", "container " } } },
	{ "cpu",
	  { { "cpu_model", "" },
	    { "microcode", "microcode " },
	    { "topology", "", add_topology },
	    { "cpus_allowed", "allowed " },
	    { "cgroup_cpu_quota", "quota " } } },
	{ "clock",
	  { { "governor", "governor " },
	    { "frequency_max_khz", "at most ", add_frequency, true },
	    { "boost", "boost ", NULL, true } } },
	{ "kernel",
	  { { "kernel_release", "" },
	    { "arch", "" },
	    { "preemption", "preemption " },
	    { "hz", "HZ " },
	    { "clocksource", "clocksource " } } },
	{ "cmdline", { { "cmdline", "", add_cmdline } } },
	{ "mitigations", { { "mitigations", "", add_mitigations } } },
	{ "scheduler",
	  { { "policy", "policy " },
	    { "nice", "nice " },
	    { "autogroup", "autogroup " },
	    { "sched_ext", "sched_ext ", NULL, true } } },
	{ "memory",
	  { { "memory_bytes", "", add_mebibytes },
	    { "thp", "huge pages " },
	    { "aslr", "ASLR " } } },
	{ "file tests", { { "filesystem", "", add_filesystem } } },
	{ "build", { { "compiler", "" }, { "cflags", "" }, { "libc", "" } } },
	{ "tools", { { "tools", "", add_tools, true } } },
	{ "imported", { { "imported", "", add_imported, true } } },
};

/* Beginnings of reasons that say that there is none, not that it could not be read. */
static const char *const none_reasons[] = { "no limit", "no sign of one", NULL };

/* Why a member is null: NAME_reason beside it. */
static void add_unknown(struct paragraph *line, const json_t *environment, const char *member)
{
	char name[REASON_BYTES];
	const char *reason;

	snprintf(name, sizeof(name), "%s_reason", member);
	reason = json_string_value(json_object_get(environment, name));
	for (size_t i = 0; reason && none_reasons[i]; i++) {
		if (!strncmp(reason, none_reasons[i], strlen(none_reasons[i]))) {
			paragraph_add(line, "none");
			return;
		}
	}
	paragraph_add(line, "unknown");
	if (reason) {
		paragraph_add(line, " (");
		paragraph_add_outside(line, reason);
		paragraph_add(line, ")");
	}
}

static void print_line(const json_t *environment, const struct environment_line *shown,
		       struct paragraph *line, FILE *out)
{
	const char *separator = "";

	paragraph_add(line, "  %s", shown->label);
	paragraph_pad(line, LABEL_COLUMNS);
	for (const struct environment_item *item = shown->item; item->member; item++) {
		const json_t *value = json_object_get(environment, item->member);

		if (!value || (item->if_known && json_is_null(value)))
			continue;
		paragraph_add(line, "%s%s", separator, item->before);
		if (json_is_null(value))
			add_unknown(line, environment, item->member);
		else if (item->add)
			item->add(line, value);
		else
			add_value(line, value);
		separator = ", ";
	}
	if (!*separator) { /* nothing known of it: not even the label */
		line->length = 0;
		return;
	}
	paragraph_print(line, out, LABEL_COLUMNS);
}

void report_environment(const struct run *run, struct paragraph *line, FILE *out)
{
	if (!run->environment)
		return;
	fprintf(out, "\nEnvironment\n");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		print_line(run->environment, &lines[i], line, out);
}
