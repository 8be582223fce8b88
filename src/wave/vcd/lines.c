/* SPDX-License-Identifier: MIT */
/* In which line of the file a place of the text is. */
#include "wave/vcd/vcd.h"

#include <string.h>

/* Counts lines, eight bytes at a time: each byte of `sums` counts the newlines of its column. */
static uint64_t count_lines(const uint8_t *p, size_t n)
{
    const uint64_t ones = 0x0101010101010101u, low7 = 0x7f * ones;
    uint64_t lines = 0;

    while (n >= 8) {
        size_t words = n / 8 < 255 ? n / 8 : 255;
        uint64_t sums = 0;
        for (size_t i = 0; i < words; i++, p += 8) {
            uint64_t w;
            memcpy(&w, p, sizeof w);
            w ^= '\n' * ones;
            sums += ~(((w & low7) + low7) | w | low7) >> 7; /* 1 where a byte is zero */
        }
        const uint64_t pairs = 0x00ff00ff00ff00ffu;
        uint64_t wide = (sums & pairs) + (sums >> 8 & pairs);
        lines += wide * 0x0001000100010001u >> 48;
        n -= words * 8;
    }
    for (; n > 0; n--)
        lines += *p++ == '\n';
    return lines;
}

uint64_t vcd_line(const struct vcd *v, size_t at)
{
    const struct vcd_text *t = &v->text;

    if (at < t->counted)
        return t->lines - count_lines(t->buf + at, t->counted - at) + 1;
    return t->lines + count_lines(t->buf + t->counted, at - t->counted) + 1;
}

void vcd_count(struct vcd_text *t, size_t from, size_t lines, size_t at)
{
    t->lines += count_lines(t->buf + t->counted, from - t->counted) + lines;
    t->counted = at;
}
