// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sensor_message.c - any bytes as a question to the sensor daemon, and as an answer of it: refused,
 * or within what protocol.h allows, and the same bytes when written again.
 */
#include "sensor/kinds.h"
#include "sensor/protocol.h"

#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void check_refusal(int rc)
{
	if (rc != -EBADMSG && rc != -EPROTONOSUPPORT)
		abort();
}

static void check_question(const uint8_t *bytes, size_t count)
{
	uint8_t again[SENSOR_QUESTION_BYTES];
	struct sensor_question question;
	int rc = sensor_question_read(bytes, count, &question);

	if (rc) {
		check_refusal(rc);
		return;
	}
	if (question.slot >= SENSOR_SLOTS || question.thread > INT32_MAX ||
	    (question.kind == SENSOR_HELLO) != !question.thread)
		abort();
	sensor_question_write(&question, again);
	if (count != sizeof(again) || memcmp(bytes, again, count) != 0)
		abort();
}

static void check_answer(const uint8_t *bytes, size_t count)
{
	uint8_t again[SENSOR_ANSWER_BYTES];
	int answer, rc = sensor_answer_read(bytes, count, &answer);

	if (rc) {
		check_refusal(rc);
		return;
	}
	if (answer > 0 || answer < -4095)
		abort();
	sensor_answer_write(answer, again);
	if (count != sizeof(again) || memcmp(bytes, again, count) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	check_question(bytes, count);
	check_answer(bytes, count);
	return 0;
}
