// SPDX-License-Identifier: GPL-2.0-or-later
/* ab_note.c - see ab_note.h. */
#include "measure/ab_note.h"

#include "base/file.h"
#include "store/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEMA	   "onproc.sides"
#define SUFFIX	   ".json"
#define NOTE_BYTES 1048576u /* commands may be long, but not so */
#define WHOLE_BYTES                                                                                \
	300 /* of a command to be typed again; of a longer one SHOWN_BYTES are shown               \
	     */
#define SHOWN_BYTES 60

struct ab_note {
	int fd;
	bool was_left;
	char *path, *run;
};

static char *directory_of(const char *database)
{
	char *path = NULL;

	return asprintf(&path, "%s.sides.d", database) < 0 ? NULL : path;
}

static char *path_of(const char *directory, const char *run)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s" SUFFIX, directory, run) < 0 ? NULL : path;
}

int ab_note_open(const char *database, const char *run, struct ab_note **opened, struct error *err)
{
	struct ab_note *note = calloc(1, sizeof(*note));
	char *directory = directory_of(database);
	struct stat status;
	int rc = 0;

	*opened = NULL;
	if (note && directory) {
		note->path = path_of(directory, run);
		note->run = strdup(run);
		note->fd = -1;
	}
	if (!note || !directory || !note->path || !note->run) {
		rc = error_set(err, -ENOMEM, "no memory for the note of the sides");
		goto out;
	}
	if (mkdir(directory, 0700) && errno != EEXIST) {
		rc = error_errno(err, -errno, "making the directory %s", directory);
		goto out;
	}
	note->fd = open(note->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (note->fd < 0)
		rc = error_errno(err, -errno, "making %s", note->path);
	else if (flock(note->fd, LOCK_EX | LOCK_NB))
		rc = error_errno(err, -errno, "locking %s", note->path);
	else if (fstat(note->fd, &status))
		rc = error_errno(err, -errno, "reading %s", note->path);
	else
		note->was_left = status.st_size > 0;
out:
	free(directory);
	if (!rc)
		*opened = note;
	else if (note)
		ab_note_close(note, false);
	return rc;
}

int ab_note_write(struct ab_note *note, const struct sides *sides, int side, struct error *err)
{
	json_t *object =
		json_pack("{s:s, s:i, s:s, s:s, s:s?, s:s?}", "schema", SCHEMA, "schema_version", 1,
			  "run", note->run, "side", side_letters[side], "name",
			  sides->side[side].name, "restore", sides_restore(sides));
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
	size_t length = text ? strlen(text) : 0;
	int rc = 0;

	json_decref(object);
	if (!text)
		return error_set(err, -ENOMEM, "no memory for the note of the sides");
	/* In place: the lock is on this file and not on its name. */
	if (lseek(note->fd, 0, SEEK_SET) < 0)
		rc = -errno;
	if (!rc)
		rc = write_all(note->fd, text, length);
	if (!rc && (ftruncate(note->fd, (off_t)length) || fdatasync(note->fd)))
		rc = -errno;
	free(text);
	return rc ? error_errno(err, rc, "writing %s", note->path) : 0;
}

const char *ab_note_path(const struct ab_note *note)
{
	return note ? note->path : NULL;
}

bool ab_note_was_left(const struct ab_note *note)
{
	return note && note->was_left;
}

void ab_restore_words(const char *restore, const char *path, char *text, size_t bytes)
{
	if (strlen(restore) <= WHOLE_BYTES)
		snprintf(text, bytes, "`%s`", restore);
	else
		snprintf(text, bytes, "`%.*s…` (whole in %.200s)", SHOWN_BYTES, restore,
			 path ? path : "the plan of the run");
}

void side_words(const char *letter, const char *name, char *text, size_t bytes)
{
	snprintf(text, bytes, "side %s%s%.*s%s", letter, name ? " (" : "", SHOWN_BYTES,
		 name ? name : "", name ? ")" : "");
}

void ab_note_close(struct ab_note *note, bool is_restored)
{
	if (!note)
		return;
	if (is_restored)
		unlink(note->path);
	if (note->fd >= 0)
		close(note->fd);
	free(note->path);
	free(note->run);
	free(note);
}

/* An open note whose writer is gone, -1: none. */
static int open_left(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static const char *text_of(const json_t *object, const char *member)
{
	return json_string_value(json_object_get(object, member));
}

static void tell_left(const char *path, const char *run,
		      void (*each)(const struct ab_left *left, void *context), void *context)
{
	struct ab_left left = { .run = run, .path = path };
	json_t *object = NULL;
	char *text = NULL;
	size_t count = 0;
	int fd = open_left(path);

	if (fd < 0)
		return;
	if (!file_read_fd(fd, path, NOTE_BYTES, &text, &count, NULL))
		object = json_loadb(text, count, 0, NULL);
	left.letter = text_of(object, "side");
	left.name = text_of(object, "name");
	left.restore = text_of(object, "restore");
	if (left.letter && strcmp(left.letter, "A") != 0 && strcmp(left.letter, "B") != 0)
		left.letter = NULL;
	/* An empty note was cut before the first switch; one that is damaged was written after it.
	 */
	if (left.letter || count)
		each(&left, context);
	json_decref(object);
	free(text);
	close(fd);
}

void ab_notes_left(const char *database, void (*each)(const struct ab_left *left, void *context),
		   void *context)
{
	char *directory = directory_of(database);
	DIR *listing = directory ? opendir(directory) : NULL;
	struct dirent *entry;

	while (listing && (entry = readdir(listing))) {
		size_t length = strlen(entry->d_name);
		char run[RUN_ID_BYTES], *path;

		if (length <= strlen(SUFFIX) || length - strlen(SUFFIX) >= sizeof(run) ||
		    strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) != 0)
			continue;
		snprintf(run, sizeof(run), "%.*s", (int)(length - strlen(SUFFIX)), entry->d_name);
		path = run_id_is_valid(run) ? path_of(directory, run) : NULL;
		if (path)
			tell_left(path, run, each, context);
		free(path);
	}
	if (listing)
		closedir(listing);
	free(directory);
}

bool ab_note_forget(const char *database, const char *run)
{
	char *directory = directory_of(database);
	char *path = directory && run_id_is_valid(run) ? path_of(directory, run) : NULL;
	int fd = path ? open_left(path) : -1;
	bool forgot = fd >= 0;

	if (forgot) {
		unlink(path);
		close(fd);
	}
	free(path);
	free(directory);
	return forgot;
}
