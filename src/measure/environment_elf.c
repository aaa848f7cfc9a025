// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_elf.c - see environment_elf.h. */
#include "measure/environment_elf.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#define NATIVE_ORDER (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB)

/* Does count × size at offset lie within len? */
static bool is_within(uint64_t offset, uint64_t count, uint64_t size, size_t len)
{
	uint64_t bytes, end;

	return !__builtin_mul_overflow(count, size, &bytes) &&
	       !__builtin_add_overflow(offset, bytes, &end) && end <= len;
}

static int interpreter_copy(const unsigned char *bytes, size_t len, const Elf64_Phdr *segment,
			    struct linkage *linkage, struct error *err)
{
	const unsigned char *path;

	if (!segment->p_filesz || segment->p_filesz > sizeof(linkage->interpreter) ||
	    !is_within(segment->p_offset, 1, segment->p_filesz, len))
		return error_set(err, -EINVAL,
				 "ELF: expected the interpreter's path within the file");
	path = bytes + segment->p_offset;
	if (path[segment->p_filesz - 1] != '\0')
		return error_set(err, -EINVAL, "ELF: expected a zero after the interpreter's path");
	memcpy(linkage->interpreter, path, segment->p_filesz);
	linkage->is_dynamic = true;
	return 0;
}

int elf_linkage(const void *file, size_t len, struct linkage *linkage, struct error *err)
{
	const unsigned char *bytes = file;
	Elf64_Ehdr header;

	*linkage = (struct linkage){ 0 };
	if (len < sizeof(header) || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return error_set(err, -EINVAL, "expected an ELF file");
	memcpy(&header, bytes, sizeof(header));
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != NATIVE_ORDER)
		return error_set(err, -EINVAL,
				 "ELF: expected 64 bits in this machine's byte order");
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return error_set(err, -EINVAL, "ELF: expected a program, found type %u",
				 header.e_type);
	if (header.e_phentsize != sizeof(Elf64_Phdr) ||
	    !is_within(header.e_phoff, header.e_phnum, sizeof(Elf64_Phdr), len))
		return error_set(err, -EINVAL, "ELF: expected the program headers within the file");
	linkage->is_position_independent = header.e_type == ET_DYN;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;

		memcpy(&segment, bytes + header.e_phoff + i * sizeof(segment), sizeof(segment));
		if (segment.p_type == PT_INTERP)
			return interpreter_copy(bytes, len, &segment, linkage, err);
	}
	return 0;
}
