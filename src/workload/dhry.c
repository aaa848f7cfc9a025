// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dhry.c - Dhrystone 2: the mix of statements that Weicker counted in programs of the 1980s.
 *
 * One iteration is one pass of Dhrystone 2.1: 103 statements by his statistics, no floating point,
 * no system call, about 10 KB of data. What it times on a machine of today: calls between two
 * translation units, one strcmp(3) of libc that stops at the 20th letter, copies of a constant of
 * 31 bytes and of a record of 56. The counter is in memory and the values of the last pass are
 * checked, so the loop cannot be removed.
 */
#include "workload/dhry.h"

#include "workload/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_1	  "ONPROC TEXT NUMBER 1, THE TEXT"
#define TEXT_2	  "ONPROC TEXT NUMBER 2, THE TEXT"
#define TEXT_3	  "ONPROC TEXT NUMBER 3, THE TEXT"
#define TEXT_SOME "ONPROC TEXT NUMBER X, THE TEXT"

#define SQUARE_START 10 /* of the element that counts the passes */

int dhry_number, dhry_flag;
char dhry_letter_1, dhry_letter_2;
struct record *dhry_head, *dhry_second;
int dhry_row[DHRY_SIDE];
unsigned int dhry_square[DHRY_SIDE][DHRY_SIDE];

/* What is checked at the end: the local variables of the last pass. */
struct dhry {
	uint64_t passes;
	int number_1, number_2, number_3;
	enum kind kind;
	char text_1[DHRY_TEXT_BYTES], text_2[DHRY_TEXT_BYTES];
};

void dhry_record_follow(struct record *record)
{
	struct record *next = record->next;

	*record->next = *dhry_head;
	record->as.first.number = 5;
	next->as.first.number = record->as.first.number;
	next->next = record->next;
	dhry_record_next(&next->next);
	if (next->form == KIND_1) {
		next->as.first.number = 6;
		dhry_kind_map(record->as.first.kind, &next->as.first.kind);
		next->next = dhry_head->next;
		dhry_numbers_add(next->as.first.number, 10, &next->as.first.number);
	} else {
		*record = *record->next;
	}
}

void dhry_number_lower(int *number)
{
	enum kind kind = KIND_2;
	int more = *number + 10;

	do {
		if (dhry_letter_1 == 'A') {
			more--;
			*number = more - dhry_number;
			kind = KIND_1;
		}
	} while (kind != KIND_1);
}

void dhry_record_next(struct record **next)
{
	if (dhry_head)
		*next = dhry_head->next;
	dhry_numbers_add(10, dhry_number, &dhry_head->as.first.number);
}

void dhry_letters_set_second(void)
{
	int is_first = dhry_letter_1 == 'A';

	dhry_flag = is_first | dhry_flag;
	dhry_letter_2 = 'B';
}

void dhry_letters_set_first(void)
{
	dhry_letter_1 = 'A';
	dhry_flag = 0;
}

static int dhry_setup(struct work *work)
{
	struct dhry *dhry = calloc(1, sizeof(*dhry));

	work->state = dhry;
	dhry_second = malloc(sizeof(*dhry_second));
	dhry_head = malloc(sizeof(*dhry_head));
	if (!dhry || !dhry_second || !dhry_head)
		return -ENOMEM;
	memset(dhry_second, 0, sizeof(*dhry_second));
	dhry_head->next = dhry_second;
	dhry_head->form = KIND_1;
	dhry_head->as.first.kind = KIND_3;
	dhry_head->as.first.number = 40;
	strcpy(dhry_head->as.first.text, TEXT_SOME);
	strcpy(dhry->text_1, TEXT_1);
	dhry_square[8][7] = SQUARE_START;
	return 0;
}

static int dhry_loop(struct work *work)
{
	struct dhry *dhry = work->state;
	int number_1 = 0, number_2 = 0, number_3 = 0;
	char text_1[DHRY_TEXT_BYTES], text_2[DHRY_TEXT_BYTES] = "";
	enum kind kind = KIND_1;
	uint64_t pass = 0;

	strcpy(text_1, TEXT_1);
	while (!work_stopped(work)) {
		dhry_letters_set_first();
		dhry_letters_set_second();
		number_1 = 2;
		number_2 = 3;
		strcpy(text_2, TEXT_2);
		kind = KIND_2;
		dhry_flag = !dhry_texts_compare(text_1, text_2);
		while (number_1 < number_2) {
			number_3 = 5 * number_1 - number_2;
			dhry_numbers_add(number_1, number_2, &number_3);
			number_1++;
		}
		dhry_arrays_store(dhry_row, dhry_square, number_1, number_3);
		dhry_record_follow(dhry_head);
		for (char letter = 'A'; letter <= dhry_letter_2; letter++) {
			if (kind == dhry_letters_compare(letter, 'C')) {
				dhry_kind_map(KIND_1, &kind);
				strcpy(text_2, TEXT_3);
				number_2 = (int)pass;
				dhry_number = (int)pass;
			}
		}
		number_2 = number_2 * number_1;
		number_1 = number_2 / number_3;
		number_2 = 7 * (number_2 - number_3) - number_1;
		dhry_number_lower(&number_1);
		work_count(work, ++pass);
	}
	dhry->passes = pass;
	dhry->number_1 = number_1;
	dhry->number_2 = number_2;
	dhry->number_3 = number_3;
	dhry->kind = kind;
	memcpy(dhry->text_1, text_1, sizeof(text_1));
	memcpy(dhry->text_2, text_2, sizeof(text_2));
	return 0;
}

struct expected {
	const char *name;
	long long found, expected;
};

/* The values that follow from the statements, after any number of passes but none. */
static int dhry_verify(const struct work *work)
{
	const struct dhry *dhry = work->state;
	const struct record *head = dhry_head, *second = dhry_second;
	const struct expected expected[] = {
		{ "number", dhry_number, 5 },
		{ "flag", dhry_flag, 1 },
		{ "letter 1", dhry_letter_1, 'A' },
		{ "letter 2", dhry_letter_2, 'B' },
		{ "row[8]", dhry_row[8], 7 },
		{ "square[8][7]", dhry_square[8][7], (unsigned int)(dhry->passes + SQUARE_START) },
		{ "first record's form", head->form, KIND_1 },
		{ "first record's kind", head->as.first.kind, KIND_3 },
		{ "first record's number", head->as.first.number, 17 },
		{ "first record's text", strcmp(head->as.first.text, TEXT_SOME), 0 },
		{ "second record's form", second->form, KIND_1 },
		{ "second record's kind", second->as.first.kind, KIND_2 },
		{ "second record's number", second->as.first.number, 18 },
		{ "second record's text", strcmp(second->as.first.text, TEXT_SOME), 0 },
		{ "both records' successor", head->next == second && second->next == second, 1 },
		{ "local number 1", dhry->number_1, 5 },
		{ "local number 2", dhry->number_2, 13 },
		{ "local number 3", dhry->number_3, 7 },
		{ "local kind", dhry->kind, KIND_2 },
		{ "text 1", strcmp(dhry->text_1, TEXT_1), 0 },
		{ "text 2", strcmp(dhry->text_2, TEXT_2), 0 },
	};

	if (!dhry->passes)
		return 0;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		if (expected[i].found != expected[i].expected)
			return work_fail(work, -EBADMSG, "%s is %lld, not %lld, after %llu passes",
					 expected[i].name, expected[i].found, expected[i].expected,
					 (unsigned long long)dhry->passes);
	return 0;
}

static void dhry_cleanup(struct work *work)
{
	free(dhry_head);
	free(dhry_second);
	free(work->state);
}

const struct workload workload_dhry2reg = {
	.id = "unixbench6/dhry2reg@1",
	.title = "Dhrystone 2 using register variables",
	.help = "one pass of Dhrystone 2.1: integers, texts, records and calls",
	.unit = "lps",
	.program = "dhry",
	.file = "dhry",
	.note = "built with the flags of UnixBench, -march=native among them: see dhry2reg-generic",
	.baseline = 116700,
	.units_per_iteration = 1,
	.class = CLASS_CPU,
	.rate = RATE_COUNTED,
	.processes = 1,
	.classic_s = 10,
	.classic_passes = 10,
	.setup = dhry_setup,
	.loop = dhry_loop,
	.verify = dhry_verify,
	.cleanup = dhry_cleanup,
};

const struct workload workload_dhry2reg_generic = {
	.id = "onproc/dhry2reg-generic@1",
	.title = "Dhrystone 2, generic build",
	.help = "dhry2reg built with -O2 for any CPU of the architecture",
	.unit = "lps",
	.program = "dhry-generic",
	.file = "dhry",
	.units_per_iteration = 1,
	.class = CLASS_CPU,
	.rate = RATE_COUNTED,
	.processes = 1,
	.setup = dhry_setup,
	.loop = dhry_loop,
	.verify = dhry_verify,
	.cleanup = dhry_cleanup,
};
