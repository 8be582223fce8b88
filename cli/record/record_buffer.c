/* SPDX-License-Identifier: MIT */
/*
 * pcounter record --decode: a buffer of record mode, piece by piece, so that memory does not grow.
 * Each packet is held to what the unit can have written (clauses PC.REC.1 to PC.REC.8).
 */
#include "process/interrupt.h"
#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REST_MAX (UINT64_C(1) << 32) /* D-73: a buffer lies within 4 GiB */

enum { PIECE = 65536 };

struct buffer {
    struct record_options *o;
    struct record_sheet sheet;
    FILE *file;
    unsigned domain; /* of all of them */
    size_t size;     /* of a packet */
    uint64_t at;     /* byte of the packet that is looked at */
    uint64_t cycles; /* of the one before it */
    bool any;        /* there was one */
    uint64_t zeros;  /* bytes that were not written, after the last packet */
    uint8_t piece[PIECE];
};

/* --- checks --- */

static int PC_PRINTF(3, 4) wrong(const struct buffer *b, unsigned code, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code, fmt, args);
    va_end(args);
    err.has_byte = true;
    err.byte = b->at;
    return cli_error(&err, cli_input_name(b->o->of.path), NULL);
}

/* Returns the largest of its counters, and which one that is. */
static unsigned largest(const struct pc_packet *p)
{
    unsigned most = 0;

    for (unsigned i = 1; i < p->events; i++)
        most = p->event[i] > p->event[most] ? i : most;
    return most;
}

static int check(const struct buffer *b, const struct pc_packet *p)
{
    const uint64_t grown = (p->cycles - (b->any ? b->cycles : 0)) & PC_PACKET_CYCLES_MAX;
    const unsigned most = largest(p);

    if (p->unused)
        return wrong(b, 1604, "the upper bits of STOP's half word are 0x%x instead of 0",
                     p->unused);
    if (p->stop == 0 && p->events == RECORD_INPUTS && p->event[most] < PC_PACKET_FLUSH)
        return wrong(b, 1604, "neither a STOP nor a counter at 0xf000: nothing sends this packet");
    if (b->any && (grown == 0 || grown > PC_PACKET_CYCLES_MAX / 2))
        return wrong(b, 1604, "the cycle count goes from %" PRIu64 " to %" PRIu64, b->cycles,
                     p->cycles);
    if (p->event[most] > grown)
        return wrong(b, 1604, "%s counts %u in %s", record_slot(most), p->event[most],
                     cli_count(grown, "cycle"));
    if (p->stop > grown)
        return wrong(b, 1604, "STOP counts %u in %s", p->stop, cli_count(grown, "cycle"));
    return CLI_OK;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* --- packets --- */

static int take(struct buffer *b, const uint8_t *bytes)
{
    struct pc_packet p;

    if (is_zero(bytes, b->size)) {
        b->zeros += b->size;
        return b->zeros <= REST_MAX
                   ? CLI_OK
                   : wrong(b, 1606, "more than 4 GiB of zeros after the last packet");
    }
    if (b->zeros > 0)
        return wrong(b, 1604, "a packet after %s of zeros", cli_count(b->zeros, "byte"));
    (void)pc_packet_decode(bytes, b->size, &p);
    int code = check(b, &p);
    if (code)
        return code;
    b->cycles = p.cycles;
    b->any = true;
    record_sheet_packet(&b->sheet, b->domain, &p, NULL);
    return b->sheet.code;
}

/* Returns true if the run ends: Ctrl-C, or the reader has gone. */
static bool stopped(const struct buffer *b)
{
    return cli_interrupted() || !rep_is_read(b->sheet.rep);
}

/* A pipe gives what it has, without a wait for more; 0: the end; less: that failed. */
static ssize_t read_some(struct buffer *b, size_t left)
{
    ssize_t n;

    do
        n = read(fileno(b->file), b->piece + left, PIECE - left);
    while (n < 0 && errno == EINTR && !stopped(b));
    return n < 0 && errno == EINTR ? 0 : n;
}

static int read_all(struct buffer *b)
{
    size_t left = 0;
    ssize_t n = 0;
    int code = CLI_OK;

    while (code == CLI_OK && !stopped(b) && (n = read_some(b, left)) > 0) {
        const size_t end = left + (size_t)n;
        size_t i = 0;
        for (; code == CLI_OK && end - i >= b->size; i += b->size, b->at += b->size)
            code = take(b, b->piece + i);
        left = end - i;
        memmove(b->piece, b->piece + i, left);
        if (b->o->of.live)
            rep_flush(b->sheet.rep);
    }
    if (code == CLI_OK && n < 0)
        return cli_error_at(906, NULL, 0, NULL, "cannot read %s: %s", cli_input_name(b->o->of.path),
                            strerror(errno));
    if (stopped(b))
        return code;
    if (code == CLI_OK && left > 0)
        return wrong(b, 1605, "%s where a packet has %zu", cli_count(left, "byte"), b->size);
    if (code == CLI_OK && b->at == 0)
        return wrong(b, 1605, "the file is empty");
    return code;
}

static int decode_into(struct buffer *b, struct rep *rep)
{
    int code = record_sheet_open(&b->sheet, rep, b->o, NULL, UINT32_C(1) << b->domain);

    if (code == CLI_OK) {
        cli_catch_interrupt(b->o->of.path);
        code = read_all(b);
        b->sheet.partial = stopped(b);
    }
    if (code == CLI_OK) {
        if (!b->o->packets)
            record_sheet_leave(&b->sheet);
        code = record_sheet_end(&b->sheet, b->sheet.end[b->domain]);
        if (!b->any && !b->sheet.partial)
            cli_note(1602, "%s: no packet was written", cli_input_name(b->o->of.path));
    } else {
        record_sheet_cut(&b->sheet, b->sheet.end[b->domain]);
    }
    record_sheet_close(&b->sheet);
    return code;
}

static int open_file(struct buffer *b)
{
    const char *path = b->o->of.path;
    const bool piped = strcmp(path, "-") == 0;

    b->file = piped ? stdin : fopen(path, "rb");
    return b->file ? CLI_OK
                   : cli_error_at(906, NULL, 0, NULL, "cannot open %s: %s", path, strerror(errno));
}

int record_decode(struct record_options *o)
{
    struct buffer *b = malloc(sizeof *b);
    struct rep *rep;
    int code = b ? cli_claim_input("record", o->of.path) : cli_no_memory();

    if (code == CLI_OK) {
        *b = (struct buffer){ .o = o };
        code = record_find_names(o);
        b->size = o->is_short ? PC_PACKET_SHORT : PC_PACKET_LONG;
    }
    if (code == CLI_OK) {
        b->domain = o->of.event[0].domain;
        code = open_file(b);
    }
    if (code == CLI_OK && (code = rep_open(&rep, &record_report, &o->report)) == CLI_OK) {
        code = rep_close(rep, decode_into(b, rep));
        code = code == CLI_OK && b->sheet.partial ? CLI_INTERRUPTED : code;
    }
    if (b && b->file && b->file != stdin)
        fclose(b->file);
    free(b);
    return code;
}
