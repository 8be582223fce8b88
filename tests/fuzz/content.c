/* SPDX-License-Identifier: MIT */
/* See content.h. */
#include "content.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bits of a value: of a number, and where `odd` is set some of them are x or z. */
static void put_value(struct content *c, struct content_change *change, uint64_t number,
                      uint8_t odd)
{
    const uint32_t width = c->width[change->signal];

    for (uint32_t i = 0; i < width; i++) {
        number = number * UINT64_C(6364136223846793005) + odd;
        change->value[i] = (char)('0' + (number >> 40 & 1));
        if (odd & 0x80 && (number >> 50) % 8 < (odd & 7u))
            change->value[i] = odd & 0x40 ? 'z' : 'x';
    }
}

void content_make(struct content *c, struct fuzz_bytes *in)
{
    static const unsigned types[] = { 1, 5, 8, 8 };
    static const char packings[] = { 0, '4', 'Z', 'F' };
    const uint8_t how = fuzz_u8(in);

    memset(c, 0, sizeof *c);
    c->type = types[how & 3];
    c->packing = packings[how >> 2 & 3];
    c->pack_times = how & 0x10;
    c->wrap = how & 0x20;
    c->blocks = 1 + fuzz_u8(in) * (how & 0x40 ? 1u : 8u);
    c->signals = 1 + fuzz_u8(in) % CONTENT_SIGNALS;
    for (unsigned i = 1; i < c->signals; i++) {
        const uint8_t width = fuzz_u8(in);
        c->width[i] = width < 128 ? 1 : 1 + width % CONTENT_WIDTH;
    }
    c->width[0] = 1;
    c->time[0] = fuzz_u8(in);
    c->stamps = 1;
    while (in->left > 0 && c->changes < CONTENT_CHANGES) {
        struct content_change *change = &c->change[c->changes++];
        const uint8_t what = fuzz_u8(in);
        const uint64_t later = what & 0x10 ? 1 + (uint64_t)fuzz_u8(in) : 5;
        if (what & 8) { /* at a new time */
            c->time[c->stamps] = c->time[c->stamps - 1] + (what & 0x20 ? later << 20 : later);
            c->stamps++;
        }
        if (c->stamps == CONTENT_CHANGES)
            break;
        change->signal = what % 8 < c->signals ? what % 8 : 0;
        change->stamp = c->stamps - 1;
        const uint8_t number = fuzz_u8(in);
        put_value(c, change, (uint64_t)number << 32 | number, what & 0x40 ? fuzz_u8(in) : 0);
    }
    /* a stamp without changes is none of a VCD that lists changes */
    c->stamps = c->changes ? c->change[c->changes - 1].stamp + 1 : 1;
}

/* --- VCD --- */

static void line(struct mk *out, const char *text)
{
    mk_bytes(out, text, strlen(text));
}

void content_vcd(const struct content *c, struct mk *out)
{
    char text[CONTENT_WIDTH + 80];
    size_t next = 0;

    line(out, "$timescale 1ns $end\n$scope module t $end\n");
    for (unsigned i = 0; i < c->signals; i++) {
        snprintf(text, sizeof text, "$var wire %" PRIu32 " %c s%u $end\n", c->width[i],
                 (char)('!' + (int)i), i);
        line(out, text);
    }
    line(out, "$upscope $end\n$enddefinitions $end\n");
    for (uint32_t t = 0; t < c->stamps; t++) {
        snprintf(text, sizeof text, "#%" PRIu64 "\n", c->time[t]);
        line(out, text);
        for (; next < c->changes && c->change[next].stamp == t; next++) {
            const struct content_change *change = &c->change[next];
            const int width = (int)c->width[change->signal];
            snprintf(text, sizeof text, width > 1 ? "b%.*s %c\n" : "%.*s%c\n", width, change->value,
                     (char)('!' + change->signal));
            line(out, text);
        }
    }
}

/* --- FST --- */

static bool is_known(const struct content_change *change, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (change->value[i] > '1')
            return false;
    return true;
}

/* One record; `later`: time indices after the one before it in the chain. */
static void record(struct mk *chain, const struct content_change *change, uint32_t width,
                   uint32_t later)
{
    const bool known = is_known(change, width);

    if (width == 1) {
        mk_number(chain, known ? (uint64_t)later << 2 | (uint64_t)(change->value[0] == '1') << 1
                               : (uint64_t)later << 4 | (change->value[0] == 'z' ? 3u : 1u));
        return;
    }
    mk_number(chain, (uint64_t)later << 1 | !known);
    if (!known) {
        mk_bytes(chain, change->value, width);
        return;
    }
    for (uint32_t i = 0; i < width; i += 8) {
        unsigned byte = 0;
        for (uint32_t k = 0; k < 8; k++)
            byte = byte << 1 | (i + k < width && change->value[i + k] == '1');
        mk_u8(chain, byte);
    }
}

/* Checks that packing makes the table of times smaller: one of the same size is taken as not
 * packed. */
static bool packs(const struct content *c, uint32_t first, uint32_t end)
{
    struct mk plain = { 0 }, packed = { 0 };

    for (uint32_t t = first; t < end; t++)
        mk_number(&plain, c->time[t] - (t > first ? c->time[t - 1] : 0));
    mk_pack(&packed, 'Z', plain.data, plain.used);
    const bool less = packed.used < plain.used;
    mk_free(&plain);
    mk_free(&packed);
    return less;
}

/* The block of stamps [first, end); *next is the first change in it. */
static void block(const struct content *c, struct mk *out, uint32_t first, uint32_t end,
                  size_t *next)
{
    char frame[CONTENT_SIGNALS * CONTENT_WIDTH];
    struct mk chain[CONTENT_SIGNALS] = { 0 };
    struct mk_stream stream[CONTENT_SIGNALS] = { 0 };
    uint32_t last[CONTENT_SIGNALS] = { 0 };
    size_t frame_size = 0;

    for (unsigned i = 0; i < c->signals; i++)
        frame_size += c->width[i];
    memset(frame, 'x', sizeof frame);
    for (; *next < c->changes && c->change[*next].stamp < end; ++*next) {
        const struct content_change *change = &c->change[*next];
        const uint32_t at = change->stamp - first;
        record(&chain[change->signal], change, c->width[change->signal], at - last[change->signal]);
        last[change->signal] = at;
    }
    for (unsigned i = 0; i < c->signals; i++)
        stream[i] = (struct mk_stream){ chain[i].used ? MK_CHAIN : MK_NONE, &chain[i], 0 };
    mk_changes(out, &(struct mk_changes){ .type = c->type,
                                          .begin = c->time[first],
                                          .end = c->time[end - 1],
                                          .packing = c->packing,
                                          .frame = frame,
                                          .frame_size = first == 0 ? frame_size : 0,
                                          .frame_streams = first == 0 ? c->signals : 0,
                                          .stream = stream,
                                          .streams = c->signals,
                                          .time = c->time + first,
                                          .times = end - first,
                                          .pack_times = c->pack_times && packs(c, first, end) });
    for (unsigned i = 0; i < c->signals; i++)
        mk_free(&chain[i]);
}

void content_fst(const struct content *c, struct mk *out)
{
    struct mk entries = { 0 };
    size_t next = 0;

    mk_header(out, -9);
    for (uint32_t first = 0; first < c->stamps; first += c->blocks) {
        const uint32_t left = c->stamps - first;
        block(c, out, first, first + (left < c->blocks ? left : c->blocks), &next);
    }
    mk_geometry(out, false, c->width, c->signals);
    mk_scope(&entries, "t");
    for (unsigned i = 0; i < c->signals; i++) {
        char name[8];
        snprintf(name, sizeof name, "s%u", i);
        mk_var(&entries, 16, name, c->width[i], 0);
    }
    mk_upscope(&entries);
    mk_hierarchy(out, 4, &entries);
    mk_free(&entries);
}
