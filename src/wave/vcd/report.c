/* SPDX-License-Identifier: MIT */
/* At the end of a VCD: what has been tolerated on the way. */
#include "wave/vcd/vcd.h"

/* Returns true if the end of the file is what a simulator writes that has reached its
 * $dumplimit. */
static bool ends_at_limit(const struct vcd *v)
{
    return v->limited && v->time == v->limit_time && v->records == v->limit_records;
}

void vcd_report(struct vcd *v, bool cut)
{
    struct wv_hier *h = &v->base.hier;

    v->finished = true;
    if (cut) {
        v->base.info.unfinished = true;
        wv_warn(h, "the file ends inside a %s, which is left out",
                v->text.buf[v->text.at] == '#' ? "timestamp" : "value change");
    } else if (!v->body.open && v->text.end > 0 && v->text.buf[v->text.end - 1] > ' ') {
        wv_warn(h, "the last line has no end: the file may have been cut there");
    }
    if (v->body.open) {
        v->base.info.unfinished = true;
        wv_warn(h, "line %llu: the file ends inside %s, which is left out",
                (unsigned long long)v->body.line, v->body.name);
    }
    if (v->hole > 0 && v->hole == v->text.byte + v->text.end)
        v->base.info.unfinished = true;
    if (ends_at_limit(v)) {
        v->base.info.unfinished = true;
        wv_warn(h,
                "the simulator reached its limit of bytes ($dumplimit) at time %llu: what came "
                "then is not in the file",
                (unsigned long long)v->time);
    }
    if (v->offs)
        wv_warn(h, "dumping was switched off %llu time%s, first at time %llu",
                (unsigned long long)v->offs, v->offs == 1 ? "" : "s",
                (unsigned long long)v->off_time);
    if (v->undeclared && v->scanned)
        wv_warn(h,
                "line %llu: a value of identifier \"%s\", which no $var declares; such values "
                "are left out",
                (unsigned long long)v->undeclared_line, v->undeclared_id);
    else if (v->undeclared)
        wv_warn(h,
                "line %llu: a value of identifier \"%s\", which no $var declares; %llu such "
                "value%s left out",
                (unsigned long long)v->undeclared_line, v->undeclared_id,
                (unsigned long long)v->undeclared, v->undeclared == 1 ? " is" : "s are");
    if (v->backwards)
        wv_warn(h, "time runs backwards %llu time%s; it was held instead",
                (unsigned long long)v->backwards, v->backwards == 1 ? "" : "s");
}
