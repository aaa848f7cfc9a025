// SPDX-License-Identifier: GPL-2.0-or-later
/* ab_switch.c - see ab_switch.h. */
#include "measure/ab_switch.h"

#include "base/clock.h"
#include "measure/command_execution.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWITCH_PATIENCE_NS                                                                         \
	(600 * NS_PER_S) /* a package may have to be exchanged; more is a hang                     \
			  */
#define CHECK_SHOWN 80

int switch_open(struct ab_switch *change, const struct sides *sides, bool is_aa,
		const char *database, const char *run, struct error *err)
{
	int rc;

	*change = (struct ab_switch){ .sides = sides, .is_aa = is_aa, .side = -1 };
	if (!database || !sides_restore(sides))
		return 0;
	rc = ab_note_open(database, run, &change->note, err);
	/* Of a run that has no block left to measure the machine is put back all the same. */
	change->was_touched = ab_note_was_left(change->note);
	return rc;
}

/* Runs a command of the user's on a side, to its end. */
static int run_on_side(const struct sides *sides, int side, const char *command, const char *what,
		       bool keeps_output, struct execution *execution, struct error *err)
{
	struct variables variables = { 0 };
	struct execution_request request = {
		.text = command,
		.keeps_output = keeps_output,
		.uninterrupted = true,
		.timeout_ns = SWITCH_PATIENCE_NS,
	};
	int rc;

	*execution = (struct execution){ 0 };
	if (variables_set(&variables, "ONPROC_SIDE", side_letters[side]) ||
	    variables_put_all(&variables, sides->side[side].variables.entry)) {
		variables_free(&variables);
		return error_errno(err, -ENOMEM, "environment variables of a side");
	}
	request.environment = variables.entry;
	rc = execution_run(&request, execution, err);
	if (rc)
		error_context(err, "%s", what);
	else
		rc = execution_check(execution, what, err);
	variables_free(&variables);
	return rc;
}

/* What a command printed, for a message: one line, cut. */
static void shown(const char *text, char *line, size_t bytes)
{
	size_t length;

	snprintf(line, bytes, "%s", text);
	for (length = strlen(line); length && line[length - 1] == '\n'; length--)
		line[length - 1] = '\0';
	for (char *end = line; (end = strchr(end, '\n'));)
		*end = ' ';
}

static int check_side(struct ab_switch *change, int side, struct error *err)
{
	struct execution execution;
	char was[CHECK_SHOWN], is[CHECK_SHOWN];
	const char *other = change->printed[!side], *printed;
	int rc;

	if (!change->sides->check)
		return 0;
	rc = run_on_side(change->sides, side, change->sides->check, "--check", true, &execution,
			 err);
	if (rc)
		goto out;
	printed = execution.output ? execution.output : "";
	shown(printed, is, sizeof(is));
	if (!change->printed[side]) {
		change->printed[side] = strdup(printed);
		if (!change->printed[side]) {
			rc = error_errno(err, -ENOMEM, "what --check printed");
			goto out;
		}
	}
	if (strcmp(change->printed[side], printed) != 0) {
		shown(change->printed[side], was, sizeof(was));
		rc = error_set(err, -ESTALE,
			       "--check printed \"%s\", and \"%s\" the first time: the side is not "
			       "what it was",
			       is, was);
	} else if (!change->is_aa && other && !strcmp(other, printed)) {
		rc = error_set(err, -ESTALE,
			       "the switch has no effect: --check printed \"%s\" for both sides",
			       is);
	}
out:
	execution_free(&execution);
	return rc;
}

int switch_to(struct ab_switch *change, int side, struct error *err)
{
	const char *setup = change->sides->side[side].setup;
	struct execution execution;
	char words[100];
	int rc = 0;

	if (change->side == side)
		return 0;
	if (change->note)
		rc = ab_note_write(change->note, change->sides, side, err);
	if (rc)
		return rc;
	change->side = -1;
	change->was_touched = true;
	if (setup) {
		rc = run_on_side(change->sides, side, setup, "its setup", false, &execution, err);
		execution_free(&execution);
	}
	if (!rc)
		rc = check_side(change, side, err);
	if (rc) {
		side_words(side_letters[side], change->sides->side[side].name, words,
			   sizeof(words));
		error_context(err, "switching to %s", words);
		return rc;
	}
	change->side = side;
	return 0;
}

/* The cause, how the machine is set now, and what is to be done. */
static void say_by_hand(const struct ab_switch *change, const char *restore, struct error *err)
{
	char cause[301], set[100] = "which side is set is not known", command[600];
	int side = change->side;

	snprintf(cause, sizeof(cause), "%.300s", err->text);
	if (side >= 0) {
		side_words(side_letters[side], change->sides->side[side].name, set, sizeof(set));
		snprintf(set + strlen(set), sizeof(set) - strlen(set), " may still be set");
	}
	ab_restore_words(restore, ab_note_path(change->note), command, sizeof(command));
	error_set(err, err->code, "%s; %s; run %s by hand", cause, set, command);
}

int switch_close(struct ab_switch *change, struct error *err)
{
	const char *restore = change->sides ? sides_restore(change->sides) : NULL;
	struct execution execution;
	int rc = 0;

	if (restore && change->was_touched) {
		rc = run_on_side(change->sides, SIDE_A, restore, "restoring side A", false,
				 &execution, err);
		execution_free(&execution);
		if (rc)
			say_by_hand(change, restore, err);
	}
	ab_note_close(change->note, !rc);
	free(change->printed[SIDE_A]);
	free(change->printed[SIDE_B]);
	*change = (struct ab_switch){ .side = -1 };
	return rc;
}
