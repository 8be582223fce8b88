/* SPDX-License-Identifier: MIT */
/* The first oddity of each kind is told, with its line; there may be millions of one. */
#include "wave/vcd/vcd.h"

#include <stdarg.h>
#include <stdio.h>

static void tell(struct vcd *v, enum vcd_oddity kind, uint64_t line, const char *fmt, va_list args)
{
    char text[300];

    v->odd |= 1u << kind;
    vsnprintf(text, sizeof text, fmt, args);
    wv_warn(&v->base.hier, "line %llu: %s", (unsigned long long)line, text);
}

void vcd_odd_in(struct vcd *v, enum vcd_oddity kind, uint64_t line, const char *fmt, ...)
{
    va_list args;

    if (v->odd & 1u << kind)
        return;
    va_start(args, fmt);
    tell(v, kind, line, fmt, args);
    va_end(args);
}

void vcd_odd(struct vcd *v, enum vcd_oddity kind, size_t at, const char *fmt, ...)
{
    va_list args;

    if (v->odd & 1u << kind)
        return;
    va_start(args, fmt);
    tell(v, kind, vcd_line(v, at), fmt, args);
    va_end(args);
}

void vcd_hole(struct vcd *v, size_t at)
{
    const struct vcd_text *t = &v->text;
    size_t end = at;

    v->hole = t->byte + at + 1;
    if (v->odd & 1u << VCD_ODD_HOLE)
        return;
    while (end < t->end && vcd_is_hole(t->buf[end]))
        end++;
    vcd_odd(v, VCD_ODD_HOLE, at,
            "from byte %llu on %s that no text has (0x%02x): a part of the file is missing or "
            "damaged",
            (unsigned long long)(t->byte + at), end - at > 1 ? "there are bytes" : "there is one",
            t->buf[at]);
}
