/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sha256.h - SHA-256 (FIPS 180-4), for content hashes of workloads and programs. */
#ifndef ONPROC_BASE_SHA256_H
#define ONPROC_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_HEX_BYTES 65 /* 64 digits and the terminating zero */

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	unsigned char block[64];
};

void sha256_init(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *bytes, size_t count);
void sha256_hex(struct sha256 *sha, char hex[SHA256_HEX_BYTES]);

/* Hash of a file's bytes. Returns 0 or a negative errno. */
int sha256_file(const char *path, char hex[SHA256_HEX_BYTES]);

#endif
