/* SPDX-License-Identifier: MIT */
/*
 * One line of the text that Linux's mmiotrace writes (Documentation/trace/mmiotrace of the
 * kernel): a keyword, then fields between blanks.
 *
 *   R|W WIDTH TIME MAP ADDRESS VALUE PC PID
 *   MAP TIME MAP ADDRESS VIRTUAL LENGTH PC PID     UNMAP TIME MAP PC PID
 *   PCIDEV BUSDEV VENDORDEVICE IRQ BAR*7 SIZE*7 DRIVER
 *   MARK TIME TEXT     VERSION NUMBER     LSPCI TEXT
 *   UNKNOWN TIME MAP ADDRESS BYTES PC PID    an instruction that the kernel did not understand
 *   MARK TIME Lost N events.    CPU:N [LOST N EVENTS]    what did not fit in its buffer
 *
 * Fields after the last one that is needed are not read: older kernels leave PC and
 * PID out.  A negative map (an access that belonged to no map) is map 0.
 */
#include "wave/trace/replay.h"
#include "base/text.h"

#include <string.h>

struct cursor {
    const char *at, *end, *start;
    uint32_t line;
};

struct word {
    const char *at;
    size_t size;
};

static uint32_t column(const struct cursor *c, const char *at)
{
    return (uint32_t)(at - c->start) + 1; /* a line has at most RP_LINE_MAX bytes */
}

/* Empty at the end of the line. */
static struct word next_word(struct cursor *c)
{
    struct word w;

    while (c->at < c->end && pc_is_blank(*c->at))
        c->at++;
    w.at = c->at;
    while (c->at < c->end && !pc_is_blank(*c->at))
        c->at++;
    w.size = (size_t)(c->at - w.at);
    return w;
}

static bool is(struct word w, const char *name)
{
    return w.size == strlen(name) && memcmp(w.at, name, w.size) == 0;
}

static enum pc_status bad_field(const struct cursor *c, struct word w, const char *what,
                                struct pc_error *err)
{
    if (w.size == 0)
        return pc_fail_at(err, 1201, c->line, column(c, w.at), "the line ends where %s is expected",
                          what);
    return pc_fail_at(err, 1201, c->line, column(c, w.at), "\"%.*s\" is not %s",
                      (int)(w.size < 40 ? w.size : 40), w.at, what);
}

/* Reads all of `size` characters as a number; false if it is none, or larger than 64 bits. */
static bool number(const char *at, size_t size, unsigned base, uint64_t *out)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        unsigned d = (unsigned)pc_hex_digit(at[i]);
        if (d >= base || value > (UINT64_MAX - d) / base)
            return false;
        value = value * base + d;
    }
    *out = value;
    return size > 0;
}

/* Takes a hexadecimal number, with or without 0x. */
static enum pc_status take_hex(struct cursor *c, const char *what, uint64_t *out,
                               struct pc_error *err)
{
    struct word w = next_word(c);
    bool prefix = w.size > 2 && w.at[0] == '0' && (w.at[1] == 'x' || w.at[1] == 'X');
    size_t skip = prefix ? 2 : 0;

    return number(w.at + skip, w.size - skip, 16, out) ? PC_OK : bad_field(c, w, what, err);
}

/* Seconds with up to nine decimals. */
static enum pc_status take_time(struct cursor *c, uint64_t *ns, struct pc_error *err)
{
    struct word w = next_word(c);
    const char *dot = memchr(w.at, '.', w.size);
    size_t whole = dot ? (size_t)(dot - w.at) : w.size;
    size_t decimals = dot ? w.size - whole - 1 : 0;
    uint64_t seconds, part = 0;

    if (!number(w.at, whole, 10, &seconds) || seconds > UINT64_MAX / 1000000000u - 1 ||
        decimals > 9 || (dot && !number(dot + 1, decimals, 10, &part)))
        return bad_field(c, w, "a time in seconds", err);
    for (size_t i = decimals; i < 9; i++)
        part *= 10;
    *ns = seconds * 1000000000u + part;
    return PC_OK;
}

static enum pc_status take_map(struct cursor *c, uint32_t *map, struct pc_error *err)
{
    struct word w = next_word(c);
    bool negative = w.size > 1 && w.at[0] == '-';
    uint64_t value;

    if (!number(w.at + negative, w.size - negative, 10, &value) || value > INT32_MAX)
        return bad_field(c, w, "the number of a map", err);
    *map = negative ? 0 : (uint32_t)value;
    return PC_OK;
}

static enum pc_status take_width(struct cursor *c, unsigned *width, struct pc_error *err)
{
    struct word w = next_word(c);

    if (w.size != 1 || !memchr("1248", w.at[0], 4))
        return bad_field(c, w, "a width of 1, 2, 4 or 8 bytes", err);
    *width = (unsigned)pc_hex_digit(w.at[0]);
    return PC_OK;
}

static enum pc_status parse_access(struct cursor *c, struct pc_trace_event *out,
                                   struct pc_error *err)
{
    enum pc_status status = take_width(c, &out->width, err);

    if (!status)
        status = take_time(c, &out->time_ns, err);
    if (!status)
        status = take_map(c, &out->map, err);
    if (!status)
        status = take_hex(c, "an address", &out->address, err);
    if (!status)
        status = take_hex(c, "a value", &out->value, err);
    if (!status && out->width < 8 && out->value >> (8 * out->width) != 0)
        return pc_fail_at(err, 1201, c->line, 0, "the value 0x%llx does not fit in %u byte%s",
                          (unsigned long long)out->value, out->width, out->width == 1 ? "" : "s");
    return status;
}

static enum pc_status parse_map(struct cursor *c, struct pc_trace_event *out, struct pc_error *err)
{
    uint64_t unused;
    enum pc_status status = take_time(c, &out->time_ns, err);

    if (!status)
        status = take_map(c, &out->map, err);
    if (status || out->kind == PC_TRACE_UNMAP)
        return status;
    status = take_hex(c, "an address", &out->address, err);
    if (!status)
        status = take_hex(c, "a virtual address", &unused, err);
    return status ? status : take_hex(c, "a length", &out->length, err);
}

/* All of the text is `head`, a number and `tail`: that many; else 0. */
static uint64_t number_between(const char *text, size_t size, const char *head, const char *tail)
{
    const size_t before = strlen(head), behind = strlen(tail);
    uint64_t n = 0;

    if (size <= before + behind || memcmp(text, head, before) != 0 ||
        memcmp(text + size - behind, tail, behind) != 0 ||
        !number(text + before, size - before - behind, 10, &n))
        return 0;
    return n;
}

static enum pc_status parse_mark(struct cursor *c, struct pc_trace_event *out, struct pc_error *err)
{
    enum pc_status status = take_time(c, &out->time_ns, err);

    while (c->at < c->end && pc_is_blank(*c->at))
        c->at++;
    while (c->end > c->at && pc_is_blank(c->end[-1]))
        c->end--;
    out->text = c->at;
    out->text_size = (size_t)(c->end - c->at);
    out->value = number_between(out->text, out->text_size, "Lost ", " events.");
    if (out->value)
        out->kind = PC_TRACE_LOST;
    return status;
}

/* Parses "CPU:0 [LOST 12 EVENTS]", "CPU:0 [LOST EVENTS]" of ftrace, whatever the tracer. */
static bool parse_lost(struct cursor *c, struct word w, struct pc_trace_event *out)
{
    uint64_t cpu;

    if (w.size < 5 || memcmp(w.at, "CPU:", 4) != 0 || !number(w.at + 4, w.size - 4, 10, &cpu) ||
        !is(next_word(c), "[LOST"))
        return false;
    w = next_word(c);
    out->kind = PC_TRACE_LOST;
    return is(w, "EVENTS]") ||
           (number(w.at, w.size, 10, &out->value) && is(next_word(c), "EVENTS]"));
}

/* Where it was, if the line says so: older kernels write it otherwise. */
static void parse_unknown(struct cursor *c, struct pc_trace_event *out)
{
    struct pc_trace_event e = { .kind = PC_TRACE_UNKNOWN, .line = c->line };

    out->kind = PC_TRACE_UNKNOWN;
    if (!take_time(c, &e.time_ns, NULL) && !take_map(c, &e.map, NULL) &&
        !take_hex(c, "an address", &e.address, NULL))
        *out = e;
}

static enum pc_status parse_pcidev(struct cursor *c, struct pc_trace_event *out,
                                   struct pc_error *err)
{
    uint64_t id = 0, unused;
    enum pc_status status = take_hex(c, "bus and device", &unused, err);

    if (!status)
        status = take_hex(c, "vendor and device", &id, err);
    if (!status && id > UINT32_MAX)
        return pc_fail_at(err, 1201, c->line, 0, "vendor and device have eight digits");
    if (!status)
        status = take_hex(c, "an interrupt", &unused, err);
    out->vendor = (uint16_t)(id >> 16);
    out->device = (uint16_t)id;
    for (int i = 0; i < 7 && !status; i++)
        status = take_hex(c, "the address of a BAR", &out->bar[i], err);
    for (int i = 0; i < 7 && !status; i++)
        status = take_hex(c, "the size of a BAR", &out->bar_size[i], err);
    return status;
}

static enum pc_status parse_version(struct cursor *c, struct pc_error *err)
{
    struct word w = next_word(c);

    if (is(w, "20070824"))
        return PC_OK;
    if (w.size == 0)
        return bad_field(c, w, "a version", err);
    return pc_fail_at(err, 1202, c->line, column(c, w.at),
                      "version \"%.*s\" of the format; 20070824 is known",
                      (int)(w.size < 40 ? w.size : 40), w.at);
}

static enum pc_status no_keyword(const struct cursor *c, struct word w, struct pc_error *err)
{
    for (size_t i = 0; i < w.size && i < 40; i++)
        if ((unsigned char)w.at[i] < ' ' || (unsigned char)w.at[i] >= 0x7f)
            return pc_fail_at(err, 1200, c->line, column(c, w.at + i),
                              "byte 0x%02x is not text: this is not an mmiotrace",
                              (unsigned char)w.at[i]);
    return pc_fail_at(err, 1200, c->line, column(c, w.at),
                      "no line of an mmiotrace begins with \"%.*s\"",
                      (int)(w.size < 40 ? w.size : 40), w.at);
}

enum pc_status rp_parse_line(const char *text, size_t size, uint32_t line,
                             struct pc_trace_event *out, struct pc_error *err)
{
    struct cursor c = { .at = text, .end = text + size, .start = text, .line = line };
    struct word w = next_word(&c);

    *out = (struct pc_trace_event){ .kind = PC_TRACE_OTHER, .line = line };
    if (w.size == 0 || w.at[0] == '#')
        return PC_END;
    if (is(w, "R") || is(w, "W")) {
        out->kind = w.at[0] == 'R' ? PC_TRACE_READ : PC_TRACE_WRITE;
        return parse_access(&c, out, err);
    }
    if (is(w, "MAP") || is(w, "UNMAP")) {
        out->kind = w.at[0] == 'M' ? PC_TRACE_MAP : PC_TRACE_UNMAP;
        return parse_map(&c, out, err);
    }
    if (is(w, "MARK")) {
        out->kind = PC_TRACE_MARK;
        return parse_mark(&c, out, err);
    }
    if (is(w, "PCIDEV")) {
        out->kind = PC_TRACE_PCIDEV;
        return parse_pcidev(&c, out, err);
    }
    if (is(w, "VERSION"))
        return parse_version(&c, err);
    if (is(w, "LSPCI") || parse_lost(&c, w, out))
        return PC_OK;
    if (is(w, "UNKNOWN")) {
        parse_unknown(&c, out);
        return PC_OK;
    }
    return no_keyword(&c, w, err);
}
