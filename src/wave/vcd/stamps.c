/* SPDX-License-Identifier: MIT */
/* The timestamps of a VCD, in their order. */
#include "wave/vcd/records.h"
#include "wave/vcd/times.h"

static enum pc_status bad_time(const struct vcd_records *s, const uint8_t *end, const char *why)
{
    char quoted[48];

    vcd_quote(quoted, (const char *)s->p, (size_t)(end - s->p));
    return vcd_fail(s->v, vcd_offset(s, s->p), s->err, 609, "\"%s\" is %s", quoted, why);
}

/* Parses a stamp that is more than digits, or does not fit 64 bits; VCD_STEP_ON: *t and *rest are
 * its time. */
static enum vcd_step odd_time(struct vcd_records *s, const uint8_t *end, uint64_t *t,
                              uint64_t *rest)
{
    struct vcd *v = s->v;
    struct vcd_decimal d;
    enum vcd_decimal_kind kind = vcd_decimal(s->p + 1, end, &d);

    if (kind == VCD_DECIMAL_CUT && end == s->end)
        return VCD_STEP_CUT;
    if (kind == VCD_DECIMAL && !vcd_decimal_units(&d, v->places, t, rest))
        kind = VCD_DECIMAL_LARGE;
    if (kind != VCD_DECIMAL)
        return vcd_failed(
            s, bad_time(s, end, kind == VCD_DECIMAL_LARGE ? "beyond 64 bits" : "not a time"));
    if (d.power)
        vcd_odd(v, VCD_ODD_POWER, vcd_offset(s, s->p),
                "times are written as floating point numbers: the writer may have rounded them");
    if (d.shift < 0 && v->places > 0)
        vcd_odd(v, VCD_ODD_FRACTION, vcd_offset(s, s->p),
                "times have fractions; one time unit is %llu %s instead of %llu %s",
                (unsigned long long)v->base.info.timescale_factor,
                vcd_unit_name(v->base.info.timescale_exponent),
                (unsigned long long)v->declared_factor, vcd_unit_name(v->declared_exponent));
    if (*rest > 0)
        vcd_odd(v, VCD_ODD_FINER, vcd_offset(s, s->p),
                "times have finer fractions than their unit: timestamps stay distinct, but "
                "fractions of the unit are cut off");
    return VCD_STEP_ON;
}

/* Parses "#1200": its time, and what the unit leaves of it. */
static enum vcd_step parse_time(struct vcd_records *s, const uint8_t *end, uint64_t *out,
                                uint64_t *rest)
{
    const uint64_t most = UINT64_MAX / 10 / s->v->scale;
    const uint8_t *p = s->p + 1;
    uint64_t t = 0;

    *rest = 0;
    for (; *p >= '0' && *p <= '9' && t < most; p++)
        t = t * 10 + (uint64_t)(*p - '0');
    if (p != end || p == s->p + 1)
        return odd_time(s, end, out, rest);
    *out = t * s->v->scale;
    return VCD_STEP_ON;
}

static enum vcd_step time_backwards(struct vcd_records *s, uint64_t *t, uint64_t *rest)
{
    struct vcd *v = s->v;

    if (!v->base.tolerate_time_backwards)
        return vcd_failed(s, vcd_fail(v, vcd_offset(s, s->p), s->err, 610,
                                      "time runs backwards, from %llu to %llu",
                                      (unsigned long long)v->time, (unsigned long long)*t));
    v->backwards++;
    *t = v->time;
    *rest = v->rest;
    return VCD_STEP_ON;
}

enum vcd_step vcd_stamp(struct vcd_records *s)
{
    struct vcd *v = s->v;
    const uint8_t *end = vcd_word_end(s->p);
    uint64_t t = 0, rest = 0;

    if (end == s->end && (!v->text.eof || end == s->p + 1))
        return v->text.eof ? VCD_STEP_CUT : VCD_STEP_MORE;
    enum vcd_step step = parse_time(s, end, &t, &rest);
    if (step != VCD_STEP_ON)
        return step;
    const bool back = v->has_time && (t < v->time || (t == v->time && rest < v->rest));
    if (back && end == s->end)
        return VCD_STEP_CUT;
    if (back) {
        step = time_backwards(s, &t, &rest);
        if (step != VCD_STEP_ON)
            return step;
    } else if (v->has_time && t == v->time && rest == v->rest) {
        s->p = end;
        return VCD_STEP_ON;
    } else if (!v->has_time && v->records == 0) {
        v->has_time = true;
        v->time = t;
        v->rest = rest;
        s->p = end;
        return VCD_STEP_ON;
    }
    v->next_time = t;
    v->next_rest = rest;
    v->pending = true;
    v->stamp = vcd_offset(s, s->p);
    s->p = end;
    return VCD_STEP_EMIT;
}
