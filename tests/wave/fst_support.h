/* SPDX-License-Identifier: MIT */
/* Reading FST files in tests: straight through wv_fst_open(), as text or as counts. */
#ifndef PC_TEST_FST_SUPPORT_H
#define PC_TEST_FST_SUPPORT_H

#include "fst_make.h"
#include "heap.h"
#include "wave/reader.h"

extern struct test_heap fst_memory; /* of the scan that runs; reset by the test */
extern const struct pc_alloc fst_watched;

/* What reading a file to its end gave; status PC_END is success. */
struct fst_scan {
    enum pc_status status;
    struct pc_error err;
    bool opened, unfinished;
    size_t scopes, vars, codes, warnings;
    uint64_t stamps, records, first, last;
    uint64_t *rises, *falls; /* one a code; freed by fst_scan_free */
    uint64_t *code_hash;     /* of times and bits of one code */
    struct wv_hier hier;     /* of an opened file */
    char encoding[16], version[32], date[32];
    int exponent;
    uint64_t factor;
};

/* `wanted` picks variables by full name; NULL: all.  `out` as text too if not NULL. */
typedef bool fst_wanted_fn(const char *name);
void fst_scan(const char *path, fst_wanted_fn *wanted, const struct pc_wave_limits *limits,
              bool tolerate, struct mk *text, struct fst_scan *out);
void fst_scan_free(struct fst_scan *s);

/* Does the same for bytes in memory, through a file of their own; nothing may be left allocated. */
void fst_scan_bytes(const struct mk *file, struct mk *text, struct fst_scan *out);
/* Opens and reads `file`; the code of the error, 0 for none. */
unsigned fst_error_of(const struct mk *file, struct pc_error *err);
/*
 * The same, and in blocks, with one thread and with several, alike; errors have to tell a byte
 * inside of the file, and 64 MiB have to do.
 */
unsigned fst_located_error_of(const struct mk *file);
/* Fails unless it reads as `text`; `what` names the case. */
void fst_expect_text(const struct mk *file, const char *text, const char *what);

/*
 * A file that the test writes to; removed by fst_temp_close.  One a program.
 */
const char *fst_temp(const struct mk *content, const char *ending);
void fst_temp_close(void);

#endif
