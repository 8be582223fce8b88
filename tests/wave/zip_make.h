/* SPDX-License-Identifier: MIT */
/*
 * Zip archives made byte by byte, so that tests can also make wrong ones: members are written as
 * they are added, their list by zip_end(), and both can be changed in between.
 */
#ifndef PC_TESTS_WAVE_ZIP_MAKE_H
#define PC_TESTS_WAVE_ZIP_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

struct zip_member {
    char name[64];
    uint32_t offset, crc, packed, size;
    uint16_t method, flags;
};

struct zip_made {
    uint8_t *bytes;
    size_t size, capacity;
    struct zip_member *member;
    size_t members, member_capacity;
};

void zip_add(struct zip_made *z, const char *name, const void *data, size_t size, uint16_t method);
void zip_text(struct zip_made *z, const char *name, const char *text);
/* The list of members and its end; `declared` members instead of how many there are, if not 0. */
void zip_end(struct zip_made *z, uint16_t declared);
void zip_free(struct zip_made *z);

/* A small session for the command line: two probes at 1 MHz, with counts that are easy. */
void zip_small_session(struct zip_made *z);

#endif
