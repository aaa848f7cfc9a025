/* SPDX-License-Identifier: MIT */
/*
 * protocol.h - what a process and the sensor daemon say to each other.
 *
 * A SOCK_SEQPACKET connection belongs to the process that made it; the daemon frees what it had
 * when the connection or the process ends. Each question of SENSOR_QUESTION_BYTES gets one answer
 * of SENSOR_ANSWER_BYTES, in order. The answer to HELLO carries one descriptor: the map with the
 * states of the client's slots, which can be read and mapped, and not be written.
 *
 * All numbers are little-endian, 32 bits:
 *   question: SENSOR_PROTOCOL, enum sensor_question_kind, slot, thread
 *   answer:   SENSOR_PROTOCOL, 0 or a negative errno (Linux, as 32 bits)
 * `thread` is what gettid(2) gives in the client's own pid namespace.
 */
#ifndef ONPROC_LIB_SENSOR_PROTOCOL_H
#define ONPROC_LIB_SENSOR_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#define SENSOR_PROTOCOL	       0x314e5353u /* "SSN1"; the last byte is the version */
#define SENSOR_QUESTION_BYTES  16
#define SENSOR_ANSWER_BYTES    8
#define SENSOR_SOCKET	       "/run/onproc/sensor.sock"
#define SENSOR_SOCKET_VARIABLE "ONPROC_SENSOR_SOCKET"

enum sensor_question_kind {
	SENSOR_HELLO = 1, /* first, once; slot and thread are 0 */
	SENSOR_BEGINS = 2,
	SENSOR_ENDS = 3,
};

struct sensor_question {
	enum sensor_question_kind kind;
	uint32_t slot;	 /* below SENSOR_SLOTS */
	uint32_t thread; /* 1 to INT32_MAX */
};

void sensor_question_write(const struct sensor_question *question,
			   uint8_t bytes[SENSOR_QUESTION_BYTES]);

/* Any bytes. 0; -EPROTONOSUPPORT: another version; -EBADMSG: no such question. */
int sensor_question_read(const uint8_t *bytes, size_t count, struct sensor_question *question);

void sensor_answer_write(int answer, uint8_t bytes[SENSOR_ANSWER_BYTES]);

/* Any bytes. 0, then *answer is 0 or a negative errno; or as above. */
int sensor_answer_read(const uint8_t *bytes, size_t count, int *answer);

#endif
