/* SPDX-License-Identifier: MIT */
/* The cost of the shortest formula of each table of four variables, by search; see the .c. */
#ifndef PC_TEST_FORMULA_SEARCH_H
#define PC_TEST_FORMULA_SEARCH_H

#include <stdint.h>

enum { FS_FUNCTIONS = 65536 };
enum fs_kind { FS_VARIABLE, FS_NOT, FS_AND, FS_XOR, FS_OR, FS_MUX };

/* How it is made: a, of a and b, or s ? a : b.  mentions 0: a constant. */
struct fs_function {
    uint8_t mentions, operators, kind;
    uint16_t a, b, s;
};

/* 0xaaaa, 0xcccc, 0xf0f0, 0xff00 */
extern const uint16_t fs_variable[4];

void fs_search(struct fs_function all[FS_FUNCTIONS]);

#endif
