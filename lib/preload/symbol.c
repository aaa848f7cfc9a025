// SPDX-License-Identifier: MIT
/*
 * symbol.c - see symbol.h.
 *
 * dladdr() knows only what an object exports. Static variables, and the functions of most programs,
 * are in the table of symbols of its file, where that has not been stripped off.
 */
#include "symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
	const unsigned char *bytes;
	size_t len;
};

struct found {
	const char *name;
	uint64_t offset;
};

static bool is_within(const struct image *image, uint64_t offset, uint64_t bytes)
{
	return offset <= image->len && bytes <= image->len - offset;
}

/* The symbol of the table that the address lies in: one with a size that holds it. */
static bool find_in_table(const struct image *image, const Elf64_Shdr *symbols,
			  const Elf64_Shdr *names, uint64_t address, struct found *found)
{
	if (symbols->sh_entsize != sizeof(Elf64_Sym) ||
	    !is_within(image, symbols->sh_offset, symbols->sh_size) ||
	    !is_within(image, names->sh_offset, names->sh_size) || !names->sh_size ||
	    image->bytes[names->sh_offset + names->sh_size - 1])
		return false;
	for (uint64_t i = 0; i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym symbol;
		unsigned char type;

		memcpy(&symbol, image->bytes + symbols->sh_offset + i * sizeof(symbol),
		       sizeof(symbol));
		type = ELF64_ST_TYPE(symbol.st_info);
		if ((type != STT_OBJECT && type != STT_FUNC) || symbol.st_shndx == SHN_UNDEF ||
		    address < symbol.st_value || address - symbol.st_value >= symbol.st_size ||
		    symbol.st_name >= names->sh_size)
			continue;
		found->name = (const char *)image->bytes + names->sh_offset + symbol.st_name;
		found->offset = address - symbol.st_value;
		return true;
	}
	return false;
}

static bool find_in_image(const struct image *image, uint64_t address, struct found *found)
{
	Elf64_Ehdr header;

	if (!is_within(image, 0, sizeof(header)))
		return false;
	memcpy(&header, image->bytes, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr) ||
	    !is_within(image, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr)))
		return false;
	for (unsigned i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr symbols, names;

		memcpy(&symbols, image->bytes + header.e_shoff + i * sizeof(symbols),
		       sizeof(symbols));
		if (symbols.sh_type != SHT_SYMTAB || symbols.sh_link >= header.e_shnum)
			continue;
		memcpy(&names, image->bytes + header.e_shoff + symbols.sh_link * sizeof(names),
		       sizeof(names));
		if (find_in_table(image, &symbols, &names, address, found))
			return true;
	}
	return false;
}

static int image_open(const char *path, struct image *image)
{
	struct stat status;
	void *bytes = MAP_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size > 0)
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return -ENOEXEC;
	image->bytes = bytes;
	image->len = (size_t)status.st_size;
	return 0;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int symbol_name(const void *address, char *text, size_t bytes)
{
	struct image image = { NULL, 0 };
	struct found found = { NULL, 0 };
	struct link_map *map = NULL;
	const char *object, *path;
	uint64_t inside;
	Dl_info place;

	if (!dladdr1(address, &place, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return -ENOENT;
	/* The program itself has no name in the list of the dynamic linker. */
	path = map->l_name[0] ? map->l_name : "/proc/self/exe";
	object = map->l_name[0] ? last_part(map->l_name) : last_part(place.dli_fname);
	inside = (uint64_t)((uintptr_t)address - map->l_addr);
	if (!image_open(path, &image))
		find_in_image(&image, inside, &found);
	if (!found.name && place.dli_sname) {
		found.name = place.dli_sname;
		found.offset = (uint64_t)((uintptr_t)address - (uintptr_t)place.dli_saddr);
	}
	if (!found.name)
		snprintf(text, bytes, "%s+0x%llx", object, (unsigned long long)inside);
	else if (found.offset)
		snprintf(text, bytes, "%s: %s+0x%llx", object, found.name,
			 (unsigned long long)found.offset);
	else
		snprintf(text, bytes, "%s: %s", object, found.name);
	if (image.bytes)
		munmap((void *)image.bytes, image.len);
	return 0;
}
