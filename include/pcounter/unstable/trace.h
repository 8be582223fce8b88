/* SPDX-License-Identifier: MIT */
/* Unstable. Trace: register accesses from a kernel's log (see pcounter.h) */
#ifndef PCOUNTER_TRACE_H
#define PCOUNTER_TRACE_H

#include "pcounter/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads the text of Linux's mmiotrace, plain or compressed (gzip, zstd, xz, bzip2),
 * a line at a time.
 */
struct pc_trace;

struct pc_trace_desc {
    const char *path; /* "-" is standard input */
    const struct pc_alloc *alloc;
    uint32_t max_ratio; /* decompressed : compressed; 0: 1000 */
};
/* Opens a trace; PC_ENOENT or PC_EIO if the file cannot be opened or read, PC_EINPUT if it is
 * empty; PC_EARG without a path. */
PC_API PC_MUST_CHECK enum pc_status pc_trace_open(const struct pc_trace_desc *desc,
                                                  struct pc_trace **out, struct pc_error *err);
PC_API void pc_trace_close(struct pc_trace *trace); /* NULL is fine */

enum pc_trace_kind {
    PC_TRACE_READ,
    PC_TRACE_WRITE,
    PC_TRACE_MAP,
    PC_TRACE_UNMAP,
    PC_TRACE_MARK,
    PC_TRACE_PCIDEV,
    PC_TRACE_OTHER,  /* VERSION, LSPCI */
    PC_TRACE_LOST,   /* events did not fit in the kernel's buffer, somewhere before this line */
    PC_TRACE_UNKNOWN /* an access whose instruction the kernel did not understand */
};

/* A line.  Members that the kind does not have are 0. */
struct pc_trace_event {
    enum pc_trace_kind kind;
    uint32_t line;
    uint64_t time_ns;
    unsigned width;          /* READ, WRITE: bytes, 1 2 4 8 */
    uint32_t map;            /* READ, WRITE, MAP, UNMAP, UNKNOWN: number of the mapping */
    uint64_t address;        /* READ, WRITE, MAP: on the bus; UNKNOWN: the same, 0 if not told */
    uint64_t value;          /* READ, WRITE; LOST: how many, 0 if not told */
    uint64_t length;         /* MAP */
    uint16_t vendor, device; /* PCIDEV */
    uint64_t bar[7];         /* PCIDEV: addresses; the low bits are flags of PCI */
    uint64_t bar_size[7];    /* PCIDEV */
    const char *text;        /* MARK, LOST: after the time; until the next call */
    size_t text_size;
};
/*
 * Reads the next line that is neither empty nor a # comment; PC_END after the last. PC_EINPUT and
 * PC_EUNSUP with line and column for what does not belong in a trace, and for a value at the end of
 * the file that may have lost digits; PC_ELIMIT for a line that is too long.
 */
PC_API PC_MUST_CHECK enum pc_status pc_trace_next(struct pc_trace *trace,
                                                  struct pc_trace_event *out, struct pc_error *err);
/*
 * Returns, after PC_END, what is odd about the end of a compressed trace, which then is not
 * complete: it ends early (a line that was cut is left out), or other bytes follow it. NULL:
 * nothing. Until close.
 */
PC_API const char *pc_trace_warning(const struct pc_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
