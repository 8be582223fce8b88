/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a plain or gzip file, inflated one piece ahead by a thread of its own, if there is one
 * to be had: inflating takes more than half as long as parsing and comparing what comes out.
 */
#ifndef PC_CLI_CHECK_READER_H
#define PC_CLI_CHECK_READER_H

#include <stdbool.h>
#include <stddef.h>

struct check_reader;

enum { CHECK_PIECE = 1 << 18 };

/* Why there is nothing to read: the number of an error of the catalogue, and its text. */
struct check_reason {
    unsigned code; /* 100: memory has run out; 1023: the file */
    char text[200];
};

/* NULL if memory runs out, or the file cannot be opened.  "-" is stdin. */
struct check_reader *check_reader_open(const char *path, struct check_reason *why);
/*
 * Copies the next piece, at most CHECK_PIECE bytes; *count is 0 at the end.  false if reading
 * failed: *why tells.
 */
bool check_reader_next(struct check_reader *r, char *out, size_t *count, struct check_reason *why);
void check_reader_close(struct check_reader *r); /* NULL is fine */

#endif
