/* SPDX-License-Identifier: MIT */
/*
 * Errors inside the library.  Every error has a number in errors.def; the row gives
 * its status, its title and what pc_explain() says.  Filling in an error and
 * returning its status is one call:
 *
 *     return pc_fail(err, 609, "\"%s\" is not a time", text);
 *
 * err may be NULL: only the status is returned.
 */
#ifndef PC_BASE_ERROR_H
#define PC_BASE_ERROR_H

#include "pcounter/pcounter.h"

enum pc_status pc_fail(struct pc_error *err, unsigned code, const char *fmt, ...) PC_PRINTF(3, 4);

/* Fails with a place: line and column from 1 (0: none). */
enum pc_status pc_fail_at(struct pc_error *err, unsigned code, uint32_t line, uint32_t column,
                          const char *fmt, ...) PC_PRINTF(5, 6);

/* Fails with a byte offset. */
enum pc_status pc_fail_byte(struct pc_error *err, unsigned code, uint64_t byte, const char *fmt,
                            ...) PC_PRINTF(4, 5);

/* Adds what to do to an error that has just been filled in. */
void pc_hint(struct pc_error *err, const char *fmt, ...) PC_PRINTF(2, 3);

#endif
