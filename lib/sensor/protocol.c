// SPDX-License-Identifier: MIT
/* protocol.c - see protocol.h. */
#include "sensor/protocol.h"

#include "sensor/kinds.h"

#include <errno.h>

#define MOST_ERRNO 4095 /* of Linux */

static void put32(uint8_t *bytes, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get32(const uint8_t *bytes)
{
	uint32_t value = 0;

	for (int i = 0; i < 4; i++)
		value |= (uint32_t)bytes[i] << 8 * i;
	return value;
}

void sensor_question_write(const struct sensor_question *question,
			   uint8_t bytes[SENSOR_QUESTION_BYTES])
{
	put32(bytes, SENSOR_PROTOCOL);
	put32(bytes + 4, (uint32_t)question->kind);
	put32(bytes + 8, question->slot);
	put32(bytes + 12, question->thread);
}

static int check_start(const uint8_t *bytes, size_t count, size_t expected)
{
	if (count != expected)
		return -EBADMSG;
	return get32(bytes) == SENSOR_PROTOCOL ? 0 : -EPROTONOSUPPORT;
}

int sensor_question_read(const uint8_t *bytes, size_t count, struct sensor_question *question)
{
	int rc = check_start(bytes, count, SENSOR_QUESTION_BYTES);
	uint32_t kind, slot, thread;

	if (rc)
		return rc;
	kind = get32(bytes + 4);
	slot = get32(bytes + 8);
	thread = get32(bytes + 12);
	switch (kind) {
	case SENSOR_HELLO:
		if (slot || thread)
			return -EBADMSG;
		break;
	case SENSOR_BEGINS:
	case SENSOR_ENDS:
		if (slot >= SENSOR_SLOTS || !thread || thread > INT32_MAX)
			return -EBADMSG;
		break;
	default:
		return -EBADMSG;
	}
	*question = (struct sensor_question){ (enum sensor_question_kind)kind, slot, thread };
	return 0;
}

void sensor_answer_write(int answer, uint8_t bytes[SENSOR_ANSWER_BYTES])
{
	put32(bytes, SENSOR_PROTOCOL);
	put32(bytes + 4, (uint32_t)answer);
}

int sensor_answer_read(const uint8_t *bytes, size_t count, int *answer)
{
	int rc = check_start(bytes, count, SENSOR_ANSWER_BYTES);
	int32_t value;

	if (rc)
		return rc;
	value = (int32_t)get32(bytes + 4);
	if (value > 0 || value < -MOST_ERRNO)
		return -EBADMSG;
	*answer = value;
	return 0;
}
