// SPDX-License-Identifier: GPL-2.0-or-later
/* protocol.c - questions to the sensor daemon and its answers: what is written is read, no more. */
#include "sensor/protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

static void a_question_is_read_as_written(void **state)
{
	static const struct sensor_question questions[] = {
		{ SENSOR_HELLO, 0, 0 },
		{ SENSOR_BEGINS, 0, 1 },
		{ SENSOR_BEGINS, 65535, INT32_MAX },
		{ SENSOR_ENDS, 0x1234, 0x123456 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		uint8_t bytes[SENSOR_QUESTION_BYTES];
		struct sensor_question read;

		sensor_question_write(&questions[i], bytes);
		assert_int_equal(sensor_question_read(bytes, sizeof(bytes), &read), 0);
		assert_memory_equal(&read, &questions[i], sizeof(read));
	}
}

/* By hand, from the table in protocol.h. */
static void the_bytes_are_as_documented(void **state)
{
	static const uint8_t expected[] = { 'S', 'S',  'N', '1', 2,    0,    0,	   0,
					    2,	 0x01, 0,   0,	 0x40, 0xe2, 0x01, 0 };
	uint8_t bytes[SENSOR_QUESTION_BYTES];

	(void)state;
	sensor_question_write(&(struct sensor_question){ SENSOR_BEGINS, 258, 123456 }, bytes);
	assert_memory_equal(bytes, expected, sizeof(expected));
}

static int read_with(size_t at, uint8_t value, size_t count)
{
	uint8_t bytes[SENSOR_QUESTION_BYTES + 1] = { 0 };
	struct sensor_question read;

	sensor_question_write(&(struct sensor_question){ SENSOR_BEGINS, 1, 1 }, bytes);
	bytes[at] = value;
	return sensor_question_read(bytes, count, &read);
}

static void what_is_no_question_is_refused(void **state)
{
	(void)state;
	assert_int_equal(read_with(0, 'S', 16), 0);
	for (size_t count = 0; count <= 17; count++)
		assert_int_equal(read_with(0, 'S', count), count == 16 ? 0 : -EBADMSG);
	assert_int_equal(read_with(3, '2', 16), -EPROTONOSUPPORT);
	assert_int_equal(read_with(4, 0, 16), -EBADMSG);     /* kind */
	assert_int_equal(read_with(4, 4, 16), -EBADMSG);     /* kind */
	assert_int_equal(read_with(4, 1, 16), -EBADMSG);     /* a greeting with a slot */
	assert_int_equal(read_with(10, 1, 16), -EBADMSG);    /* slot 65537 */
	assert_int_equal(read_with(12, 0, 16), -EBADMSG);    /* thread 0 */
	assert_int_equal(read_with(15, 0x80, 16), -EBADMSG); /* a negative thread */
}

static void an_answer_is_zero_or_an_error(void **state)
{
	static const struct {
		int answer, rc;
	} cases[] = { { 0, 0 },	       { -1, 0 },	    { -ESRCH, 0 },	    { -4095, 0 },
		      { 1, -EBADMSG }, { -4096, -EBADMSG }, { INT32_MIN, -EBADMSG } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t bytes[SENSOR_ANSWER_BYTES];
		int answer = 1;

		sensor_answer_write(cases[i].answer, bytes);
		assert_int_equal(sensor_answer_read(bytes, sizeof(bytes), &answer), cases[i].rc);
		assert_int_equal(answer, cases[i].rc ? 1 : cases[i].answer);
		assert_int_equal(sensor_answer_read(bytes, 7, &answer), -EBADMSG);
		assert_int_equal(sensor_answer_read(bytes, 0, &answer), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_question_is_read_as_written),
		cmocka_unit_test(the_bytes_are_as_documented),
		cmocka_unit_test(what_is_no_question_is_refused),
		cmocka_unit_test(an_answer_is_zero_or_an_error),
	};

	return cmocka_run_group_tests_name("protocol", tests, NULL, NULL);
}
