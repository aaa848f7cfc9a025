/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dhry.h - what the two translation units of Dhrystone share.
 *
 * The globals have external linkage: a call into the other unit may change them, so the loop has to
 * store and load them around each call, as in the original.
 */
#ifndef ONPROC_WORKLOAD_DHRY_H
#define ONPROC_WORKLOAD_DHRY_H

#define DHRY_TEXT_BYTES 31 /* 30 characters and the zero */
#define DHRY_SIDE	50

enum kind { KIND_1, KIND_2, KIND_3, KIND_4, KIND_5 };

/* 56 bytes where a pointer has 8. */
struct record {
	struct record *next;
	enum kind form; /* which member of the union is valid */
	union {
		struct {
			enum kind kind;
			int number;
			char text[DHRY_TEXT_BYTES];
		} first;
		struct {
			enum kind kind;
			char text[DHRY_TEXT_BYTES];
		} second;
		struct {
			char left, right;
		} third;
	} as;
};

extern int dhry_number, dhry_flag;
extern char dhry_letter_1, dhry_letter_2;
extern struct record *dhry_head, *dhry_second;
extern int dhry_row[DHRY_SIDE];
extern unsigned int dhry_square[DHRY_SIDE][DHRY_SIDE];

/* In the callees' unit. */
enum kind dhry_letters_compare(char left, char right);
int dhry_texts_compare(const char *left, const char *right);
int dhry_kind_is_third(enum kind kind);
void dhry_kind_map(enum kind from, enum kind *to);
void dhry_numbers_add(int left, int right, int *sum);
void dhry_arrays_store(int *row, unsigned int (*square)[DHRY_SIDE], int at, int value);

/* In the loop's unit, where the compiler may inline them. */
void dhry_record_follow(struct record *record);
void dhry_number_lower(int *number);
void dhry_record_next(struct record **next);
void dhry_letters_set_second(void);
void dhry_letters_set_first(void);

#endif
