/* SPDX-License-Identifier: MIT */
/*
 * The values of a cut.  What the signals were before the window stands before its first timestamp,
 * so that a change at this stamp remains a change: an edge is one, and the time before it counts
 * for nothing.
 */
#include "process/progress.h"
#include "record/record_cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- text --- */

static void flush(struct cut *c)
{
    fwrite(c->buffer, 1, c->used, c->out);
    c->used = 0;
}

/* Makes room for that many bytes, fewer than the buffer has. */
static char *room(struct cut *c, size_t bytes)
{
    if (c->used + bytes > CUT_BUFFER)
        flush(c);
    return c->buffer + c->used;
}

static void put(struct cut *c, const char *text)
{
    const size_t n = strlen(text);

    memcpy(room(c, n), text, n);
    c->used += n;
}

static void put_code(struct cut *c, const struct cut_net *n, char before)
{
    char *to = room(c, VCD_CODE + 2);
    size_t length = 0;

    if (before)
        to[length++] = before;
    length += vcd_code(to + length, n->number);
    to[length++] = '\n';
    c->used += length;
}

static void put_number(struct cut *c, char before, uint64_t number)
{
    char digits[24], *at = digits + sizeof digits;

    *--at = '\0';
    *--at = '\n';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    *--at = before;
    put(c, at);
}

/* --- values --- */

static char digit(const uint64_t *value, const uint64_t *unknown, uint32_t bit)
{
    const bool v = value[bit / 64] >> bit % 64 & 1;
    const bool x = unknown && (unknown[bit / 64] >> bit % 64 & 1);

    return x ? (v ? 'z' : 'x') : (char)('0' + v);
}

/* Puts bits without digits at the left that readers put there themselves. */
static void put_bits(struct cut *c, const struct cut_net *n, const uint64_t *value,
                     const uint64_t *unknown)
{
    uint32_t bit = n->width - 1;

    if (n->width == 1) {
        put_code(c, n, digit(value, unknown, 0));
        return;
    }
    const char left = digit(value, unknown, bit);
    while (left != '1' && bit > 0 && digit(value, unknown, bit - 1) == left)
        bit--;
    if (left == '0' && bit > 0 && digit(value, unknown, bit - 1) == '1')
        bit--;
    put(c, "b");
    for (uint32_t left_over = bit + 1; left_over > 0; left_over--) {
        *room(c, 1) = digit(value, unknown, left_over - 1);
        c->used++;
    }
    put_code(c, n, ' ');
}

/* Puts the digits that make it the same number again, as few as there are. */
static void put_real(struct cut *c, const struct cut_net *n, uint64_t word, bool unknown)
{
    char text[40];
    double number;

    word = word >> 63 ? word ^ UINT64_C(1) << 63 : ~word;
    memcpy(&number, &word, sizeof number);
    if (unknown || isinf(number))
        snprintf(text, sizeof text, "r%s", unknown ? "nan" : number > 0 ? "inf" : "-inf");
    for (int digits = 15; !unknown && !isinf(number) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "r%.*g", digits, number);
        if (!(strtod(text + 1, NULL) < number) && !(strtod(text + 1, NULL) > number))
            break;
    }
    put(c, text);
    put_code(c, n, ' ');
}

/* Puts eight bits for each character, the last one lowest; blanks would end the word. */
static void put_text(struct cut *c, const struct cut_net *n, const uint64_t *value, bool unknown)
{
    char escaped[8];

    c->long_texts += unknown;
    put(c, unknown ? "s(more-than-32-bytes)" : "s");
    for (int i = PC_WAVE_TEXT - 1; !unknown && i >= 0; i--) {
        const unsigned char byte = (unsigned char)(value[i / 8] >> 8 * (i % 8));
        if (byte == 0)
            continue;
        snprintf(escaped, sizeof escaped,
                 byte <= ' ' || byte == '\\' || byte == 127 ? "\\x%02x" : "%c", byte);
        put(c, escaped);
    }
    put_code(c, n, ' ');
}

static void put_value(struct cut *c, const struct cut_net *n, const uint64_t *value,
                      const uint64_t *unknown)
{
    const bool first = unknown && unknown[0];

    switch (n->form) {
    case CUT_EVENT:
        put_code(c, n, '1');
        break;
    case CUT_REAL:
        put_real(c, n, value[0], first);
        break;
    case CUT_TEXT:
        put_text(c, n, value, first);
        break;
    default:
        put_bits(c, n, value, unknown);
    }
}

/* --- time --- */

/* Returns a time of the VCD; those beyond 64 bits are counted. */
static uint64_t scaled(struct cut *c, uint64_t time)
{
    uint64_t out;

    c->beyond += !cli_time_scaled(&c->scale, time, &out);
    return out;
}

static void put_stamp(struct cut *c, uint64_t time)
{
    if (time <= c->last)
        return;
    put_number(c, '#', scaled(c, time));
    c->last = time;
}

/* Where dumping was off up to that time, as far as it is in the window. */
static void put_gaps(struct cut *c, uint64_t time)
{
    uint64_t from, to;

    while (pc_wave_gap(c->wave, c->gap, &from, &to) == PC_OK && from <= time) {
        if (!c->off && to > c->first) {
            put_stamp(c, from);
            put(c, "$dumpoff\n$end\n");
            c->off = true;
        }
        if (to > time)
            return;
        if (c->off) {
            put_stamp(c, to);
            put(c, "$dumpon\n$end\n");
        }
        c->off = false;
        c->gap++;
    }
}

/* Returns true if its value comes after the first timestamp. vcd2fst drops texts that come before
 * it. */
static bool is_late(const struct cut *c, const struct cut_net *n)
{
    return c->fst && n->form == CUT_TEXT;
}

static void put_kept(struct cut *c, const struct cut_net *n)
{
    if (!n->known) {
        put(c, n->width > 1 ? "bx " : "x");
        put_code(c, n, '\0');
        return;
    }
    put_value(c, n, c->word + n->at, c->word + n->at + ((size_t)n->width + 63) / 64);
}

/* Writes the values before the window, x before the first value of the file, then the first
 * timestamp. */
static void begin_window(struct cut *c, uint64_t time)
{
    bool any = false;

    cut_say_losses(c);
    cut_declare(c);
    c->begun = true;
    c->first = c->last = time;
    for (size_t i = 0; i < c->codes; i++) {
        const struct cut_net *n = &c->net[i];
        if (n->form == CUT_NOT || is_late(c, n))
            continue;
        if (!n->known && (n->form != CUT_BITS || !c->after))
            continue;
        if (!any)
            put(c, "$dumpvars\n");
        any = true;
        put_kept(c, n);
    }
    if (any)
        put(c, "$end\n");
    put_number(c, '#', scaled(c, time));
    for (size_t i = 0; i < c->codes; i++)
        if (c->net[i].known && is_late(c, &c->net[i]))
            put_kept(c, &c->net[i]);
}

/* --- changes --- */

static void begin(void *ctx, uint64_t time)
{
    struct cut *c = ctx;

    c->held = true;
    c->after = time < c->from;
    c->first = time > c->from ? time : c->from;
    if (time >= c->from)
        begin_window(c, time);
}

/* Remembers a value of the time before. */
static void keep(struct cut *c, struct cut_net *n, const struct pc_wave_changes *change)
{
    const size_t words = ((size_t)n->width + 63) / 64, bytes = words * sizeof *c->word;

    if (n->form == CUT_EVENT)
        return;
    n->known = true;
    memcpy(c->word + n->at, change->value, bytes);
    if (change->unknown)
        memcpy(c->word + n->at + words, change->unknown, bytes);
    else
        memset(c->word + n->at + words, 0, bytes);
}

static void take(void *ctx, const struct pc_wave_changes *change)
{
    struct cut *c = ctx;
    struct cut_net *n = &c->net[change->code];

    if (change->before || change->time[0] < c->from) {
        keep(c, n, change);
        return;
    }
    if (!c->begun)
        begin_window(c, c->first);
    put_gaps(c, change->time[0]);
    put_stamp(c, change->time[0]);
    put_value(c, n, change->value, change->unknown);
}

static void forget(void *ctx)
{
    (void)ctx; /* in_order: nothing is told twice */
}

static int finish(struct cut *c, const struct pc_wave_totals *totals)
{
    const bool window = c->o->from.text || c->o->to.text;
    struct pc_error err;

    if (window && (!c->held || totals->time_last < c->first)) {
        cli_fail(&err, 909, "--from and --to leave none of its time");
        return cli_error(&err, cli_input_name(c->o->file), NULL);
    }
    if (!c->begun && c->held)
        begin_window(c, c->first);
    else if (!c->begun) /* there is no timestamp */
        cut_declare(c);
    put_gaps(c, totals->time_last);
    put_stamp(c, totals->time_last);
    if (c->beyond > 0) {
        cli_fail(&err, 1609, "%s after 2^64 * 10^%d s", cli_count(c->beyond, "time"),
                 c->scale.exponent);
        return cli_error(&err, cli_input_name(c->o->file), NULL);
    }
    flush(c);
    return CLI_OK;
}

int cut_values(struct cut *c)
{
    uint8_t *wanted = calloc(c->codes + 1, 1);
    struct pc_wave_totals totals;
    struct pc_error err;

    c->buffer = malloc(CUT_BUFFER);
    if (!wanted || !c->buffer) {
        free(wanted);
        return cli_no_memory();
    }
    for (size_t i = 0; i < c->codes; i++)
        wanted[i] = c->net[i].form != CUT_NOT;
    const struct pc_wave_listener listener = {
        .wanted = wanted,
        .others = c->info.format != PC_WAVE_TAP,
        .in_order = true,
        .until = c->to,
        .begin = begin,
        .take = take,
        .forget = forget,
        .ctx = c,
    };
    const enum pc_status status = pc_wave_listen(c->wave, &listener, &totals, &err);
    free(wanted);
    return status ? cli_error(&err, cli_input_name(c->o->file), NULL) : finish(c, &totals);
}
