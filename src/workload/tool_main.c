// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tool_main.c - main() of onproc-work-tool: a copy of job1 or job8, or one of the programs that
 * they run.
 */
#include "workload/job_tool.h"
#include "workload/work.h"

#include <stddef.h>

extern const struct workload workload_job1, workload_job8;

static const struct workload *const table[] = { &workload_job1, &workload_job8, NULL };

int main(int argc, char **argv)
{
	int status;

	return job_tool(argc, argv, &status) ? status : work_main(argc, argv, table);
}
