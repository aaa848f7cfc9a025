// SPDX-License-Identifier: GPL-2.0-or-later
/* output.c - see output.h. */
#include "cmd/output.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int run_json(const struct run *run, FILE *out)
{
	return report_document(run_to_json(run, true), out);
}

static const struct {
	const char *name;
	output_form write;
} forms[] = {
	{ "table", report_table },
	{ "unixbench", report_unixbench },
	{ "json", run_json },
	{ "csv", report_csv },
};

const char *const output_form_names[] = { "table", "unixbench", "json", "csv", NULL };

output_form output_form_find(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!strcmp(forms[i].name, name))
			return forms[i].write;
	}
	return NULL;
}

static int form_failed(int rc, const struct output *output, struct error *err)
{
	if (rc == -ENODATA)
		return error_set(err, rc, "%s has no result of a UnixBench test", output->name);
	return error_errno(err, rc, "%s: writing it", output->name);
}

static int write_stdout(const struct output *output, struct error *err)
{
	int rc = output->write(output->what, stdout);

	if (rc && !ferror(stdout))
		return form_failed(rc, output, err);
	return output_finish(err);
}

/* The file that a name stands for, through symbolic links; the name itself when there is none yet.
 */
static char *resolved(const char *path)
{
	char *whole = realpath(path, NULL);

	return whole ? whole : strdup(path);
}

static bool is_special(const char *path)
{
	struct stat status;

	return !stat(path, &status) && !S_ISREG(status.st_mode);
}

static int stream_finish(FILE *stream, bool is_file, const char *path, struct error *err)
{
	int rc = 0;

	errno = 0;
	if (fflush(stream) || ferror(stream) || (is_file && fsync(fileno(stream))))
		rc = errno ? -errno : -EIO;
	if (fclose(stream) && !rc)
		rc = -errno;
	return rc ? error_errno(err, rc, "%s: writing it", path) : 0;
}

static int write_special(const char *path, const struct output *output, struct error *err)
{
	FILE *stream = fopen(path, "we");
	int rc, finished;

	if (!stream)
		return error_errno(err, -errno, "%s: opening it", path);
	rc = output->write(output->what, stream);
	finished = stream_finish(stream, false, path, err);
	if (finished)
		return finished;
	return rc ? form_failed(rc, output, err) : 0;
}

static int open_beside(const char *path, char **name, FILE **stream, struct error *err)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	if (asprintf(name, "%s.XXXXXX", path) < 0) {
		*name = NULL;
		return error_set(err, -ENOMEM, "no memory for a path");
	}
	fd = mkostemp(*name, O_CLOEXEC);
	if (fd < 0) {
		int code = -errno;

		free(*name);
		*name = NULL;
		return error_errno(err, code, "%s: making the file", path);
	}
	/* a file system without modes is no reason to lose a result */
	(void)fchmod(fd, 0666 & ~mask);
	*stream = fdopen(fd, "w");
	if (!*stream) {
		close(fd);
		return error_set(err, -ENOMEM, "%s: no memory for a stream", path);
	}
	return 0;
}

static int write_regular(const char *path, const struct output *output, struct error *err)
{
	FILE *stream = NULL;
	char *name = NULL;
	int rc, finished;

	rc = open_beside(path, &name, &stream, err);
	if (rc)
		goto out;
	rc = output->write(output->what, stream);
	if (rc)
		form_failed(rc, output, err);
	finished = stream_finish(stream, true, path, err);
	rc = finished ? finished : rc;
	if (!rc && rename(name, path))
		rc = error_errno(err, -errno, "%s: putting it in place", path);
out:
	if (rc && name)
		unlink(name);
	free(name);
	return rc;
}

int output_write(const char *path, const struct output *output, struct error *err)
{
	char *whole;
	int rc;

	if (!strcmp(path, "-"))
		return write_stdout(output, err);
	whole = resolved(path);
	if (!whole)
		return error_set(err, -ENOMEM, "no memory for a path");
	if (is_special(whole))
		rc = write_special(path, output, err);
	else
		rc = write_regular(whole, output, err);
	free(whole);
	return rc;
}

struct run_output {
	const struct run *run;
	output_form form;
};

static int write_run(const void *what, FILE *out)
{
	const struct run_output *output = what;

	return output->form(output->run, out);
}

int output_file(const char *path, const struct run *run, output_form form, struct error *err)
{
	const struct run_output of_run = { run, form };
	char name[RUN_ID_BYTES + 8];
	const struct output output = { write_run, &of_run, name };

	snprintf(name, sizeof(name), "run %s", run->id);
	return output_write(path, &output, err);
}

int output_run(const struct run *run, output_form form, struct error *err)
{
	return output_file("-", run, form, err);
}

int output_check(const char *path, struct error *err)
{
	char *whole, *directory = NULL;
	struct stat status;
	int rc = 0;

	if (!strcmp(path, "-"))
		return output_check_stdout(err);
	whole = resolved(path);
	if (!whole)
		return error_set(err, -ENOMEM, "no memory for a path");
	if (!stat(whole, &status) && S_ISDIR(status.st_mode)) {
		rc = error_set(err, -EISDIR, "%s: it is a directory", path);
	} else if (is_special(whole)) {
		if (access(whole, W_OK))
			rc = error_errno(err, -errno, "%s", path);
	} else {
		char *parent = strdup(whole);

		directory = parent ? dirname(parent) : NULL;
		if (!directory)
			rc = error_set(err, -ENOMEM, "no memory for a path");
		else if (access(directory, W_OK | X_OK))
			rc = error_errno(err, -errno, "%s: no file can be made in %s", path,
					 directory);
		free(parent);
	}
	free(whole);
	return rc;
}

int output_check_stdout(struct error *err)
{
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return error_set(err, -EBADF, "standard output is closed");
	return 0;
}

/* A pipe whose reader is gone; asked when stdio has forgotten why a write failed. */
static bool reader_is_gone(void)
{
	struct pollfd poll_stdout = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&poll_stdout, 1, 0) == 1 && poll_stdout.revents & POLLERR;
}

int output_finish(struct error *err)
{
	int code;

	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	code = errno ? -errno : -EIO;
	if (reader_is_gone())
		code = -EPIPE;
	if (output_check_stdout(err))
		return -EBADF;
	return error_errno(err, code, "standard output");
}
