/* SPDX-License-Identifier: MIT */
/* Status, errors, memory, output (see pcounter.h) */
#ifndef PCOUNTER_BASE_H
#define PCOUNTER_BASE_H

/*
 * The version that these headers are of; pc_version() is that of the library. The suffix is empty
 * in a release, and "-rc1" in the first candidate of one. The build takes the version from here.
 */
#define PC_VERSION_MAJOR  1
#define PC_VERSION_MINOR  0
#define PC_VERSION_PATCH  0
#define PC_VERSION_SUFFIX "-rc1"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(PC_BUILDING) && defined(__GNUC__)
#define PC_API __attribute__((visibility("default")))
#else
#define PC_API
#endif
#if defined(__GNUC__)
#define PC_MUST_CHECK __attribute__((warn_unused_result))
#if defined(__MINGW32__) && !defined(__clang__)
#define PC_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#else
#define PC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#endif
#else
#define PC_MUST_CHECK
#define PC_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum pc_status {
    PC_OK = 0,
    PC_END = 1,      /* nothing more to read: not an error */
    PC_ENOMEM = 2,   /* the allocator returned NULL */
    PC_EARG = 3,     /* the caller broke the contract: NULL, index out of range */
    PC_EINPUT = 4,   /* a file or a text is malformed */
    PC_ENOENT = 5,   /* no such file, chip, signal, register ... */
    PC_EAMBIG = 6,   /* a name matches several things */
    PC_EIO = 7,      /* the operating system failed a read or a write */
    PC_ELIMIT = 8,   /* a resource limit was reached; the error names the option to raise it */
    PC_EUNFIT = 9,   /* it cannot be expressed on this chip */
    PC_ENOUNIT = 10, /* the chip has no such unit */
    PC_EUNSUP = 11,  /* known to the documents, not modelled here */
    PC_STATUS_COUNT
};

/* Returns the name of a status ("PC_EINPUT"). Never NULL. */
PC_API const char *pc_status_name(enum pc_status status);

/*
 * An error: what went wrong, where, and what to do.  `code` is the number in PC-E0217;
 * pc_explain() has more about it.  A place that does not apply is 0; lines
 * and columns count from 1, `byte` is an offset from 0 and valid if `has_byte`.
 */
struct pc_error {
    enum pc_status status;
    unsigned code;
    uint32_t line;
    uint32_t column;
    uint64_t byte;
    bool has_byte;
    char text[400]; /* what is wrong, one line, no newline */
    char hint[400]; /* what to do, or similar names; may be empty */
};

/* A row of the error catalogue. */
struct pc_error_info {
    unsigned code;
    enum pc_status status;
    const char *title;
    const char *why;
    const char *what_to_do;
};
/* Returns the row of a code; NULL if there is none. */
PC_API const struct pc_error_info *pc_explain(unsigned code);
/* Returns all rows, ascending by code; sets *count. */
PC_API const struct pc_error_info *pc_explain_all(size_t *count);

/*
 * Memory.  `resize` behaves like realloc: p NULL allocates, size 0 frees and
 * returns NULL; sizes in bytes, aligned as malloc() does; old_size is what was asked for.  It is
 * called only in threads that call the library.  Pass NULL for a `const struct pc_alloc *` to use
 * libc's; otherwise the struct is copied, but not what ctx points to.
 */
struct pc_alloc {
    void *(*resize)(void *ctx, void *p, size_t old_size, size_t new_size);
    void *ctx;
};

/* Output of the library goes through the caller: return PC_OK or PC_EIO. */
struct pc_writer {
    enum pc_status (*write)(void *ctx, const char *data, size_t size);
    void *ctx;
};

/* Returns the library's own version: "1.0.0", or "1.0.0-rc1" of a candidate. */
PC_API const char *pc_version(void);

/* A decimal number, exactly: number * 10^exponent, without zeros at the end of what is after the
 * point, so "15.20" is 152 and -1. */
struct pc_decimal {
    uint64_t number;
    int exponent; /* 0, or below */
};
/*
 * Reads "15" or "15.2", without a sign, from the start of a text of `length` characters.  *used:
 * how many of them it is.  PC_EINPUT: a digit is missing at *used, in front or after the point;
 * PC_ELIMIT: it has more than 64 bits.
 */
PC_API enum pc_status pc_decimal_parse(const char *text, size_t length, struct pc_decimal *out,
                                       size_t *used);

#ifdef __cplusplus
}
#endif

#endif
