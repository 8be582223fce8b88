/* SPDX-License-Identifier: MIT */
/*
 * See times.h; and the unit that the fractions of a file need.  It is found before the first value
 * is given out: in the first text after the declarations, and of a file also in its middle and at
 * its end.  If there are fractions, a file is read once more for the finest of them, plain or not.
 * Times that a pipe brings later, or a compressed file after text without any, may be finer: then
 * the stamps stay apart, and the time is what its unit can say (values.c).
 */
#include "wave/vcd/times.h"

#include <string.h>

#define REST_PLACES 18
#define LOOK        ((size_t)1 << 16) /* bytes of a place that is looked at */
#define FIRST       ((size_t)1 << 15) /* after the declarations, */
#define FIRST_TIMES 16    /* or that many stamps, where more would have to be waited for */
#define FINEST      (-21) /* zeptoseconds */
#define MOST_POWER  10000

enum vcd_decimal_kind vcd_decimal(const uint8_t *p, const uint8_t *end, struct vcd_decimal *out)
{
    struct vcd_decimal d = { 0, 0, false };
    int power = 0;

    if (p == end || *p < '0' || *p > '9')
        return VCD_NO_DECIMAL;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        const unsigned digit = *p - '0';
        if (d.digits > (UINT64_MAX - digit) / 10)
            return VCD_DECIMAL_LARGE;
        d.digits = d.digits * 10 + digit;
    }
    if (p < end && *p == '.')
        for (p++; p < end && *p >= '0' && *p <= '9'; p++) {
            const unsigned digit = *p - '0';
            if (d.digits > (UINT64_MAX - digit) / 10)
                continue;
            d.digits = d.digits * 10 + digit;
            d.shift--;
        }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const bool minus = ++p < end && *p == '-';
        d.power = true;
        p += p < end && (*p == '-' || *p == '+');
        if (p == end)
            return VCD_DECIMAL_CUT;
        for (; p < end && *p >= '0' && *p <= '9'; p++)
            power = power < MOST_POWER ? power * 10 + (*p - '0') : power;
        d.shift += minus ? -power : power;
    }
    if (p != end)
        return VCD_NO_DECIMAL;
    for (; d.shift < 0 && d.digits % 10 == 0 && d.digits > 0; d.shift++)
        d.digits /= 10;
    if (d.digits == 0)
        d.shift = 0;
    *out = d;
    return VCD_DECIMAL;
}

/* Raises to x * 10^n; false if that is more than 64 bits. */
static bool raise(uint64_t *x, int n)
{
    for (; n > 0 && *x > 0; n--) {
        if (*x > UINT64_MAX / 10)
            return false;
        *x *= 10;
    }
    return true;
}

bool vcd_decimal_units(const struct vcd_decimal *d, unsigned places, uint64_t *units,
                       uint64_t *rest)
{
    int shift = d->shift + (int)places;
    uint64_t below = 1;

    *units = d->digits;
    *rest = 0;
    if (shift >= 0)
        return raise(units, shift);
    for (int n = shift; n < 0; n++) {
        if (below > UINT64_MAX / 10) { /* all of it is left, and little */
            for (*rest = d->digits; shift<-REST_PLACES && * rest> 0; shift++)
                *rest /= 10;
            *units = 0;
            return true;
        }
        below *= 10;
    }
    *units = d->digits / below;
    *rest = d->digits % below;
    for (; shift < -REST_PLACES; shift++)
        *rest /= 10;
    return raise(rest, REST_PLACES + shift);
}

const char *vcd_unit_name(int exponent)
{
    const char *name = pc_time_unit(exponent);

    return name ? name : "units";
}

/* ---- what a file needs ---- */

struct need {
    unsigned places;
    uint64_t most; /* the greatest time, without its fraction */
    uint64_t stamps;
};

/*
 * Stamps at the begin of a line, until there were `most`; the byte before the text can be read.
 * Returns where the first stamp begins that is not whole, or the end.
 */
static const uint8_t *look(struct need *n, const uint8_t *at, const uint8_t *end, uint64_t most)
{
    const uint8_t *hash;

    while (n->stamps < most && (hash = memchr(at, '#', (size_t)(end - at))) != NULL) {
        const uint8_t *to = hash + 1;
        struct vcd_decimal d;
        uint64_t units, rest;
        while (to<end && * to> ' ')
            to++;
        if (to == end)
            return hash;
        if (hash[-1] <= ' ' && vcd_decimal(hash + 1, to, &d) == VCD_DECIMAL &&
            vcd_decimal_units(&d, 0, &units, &rest)) {
            n->stamps++;
            n->most = units > n->most ? units : n->most;
            if (d.shift < 0 && (unsigned)-d.shift > n->places)
                n->places = (unsigned)-d.shift;
        }
        at = to;
    }
    return end;
}

/* Looks at a place in a plain file. */
static void look_at(const struct vcd *v, struct need *n, uint64_t place, uint8_t *text)
{
    size_t got;

    if (wv_input_read_at(v->in, place, text, LOOK, &got, NULL) == PC_OK && got > 1)
        (void)look(n, text + 1, text + got, UINT64_MAX);
}

/* Looks through all of a file, from its begin. */
static void look_through(struct need *n, struct wv_input *in, uint8_t *text)
{
    size_t held = 1, got;

    text[0] = '\n';
    while (wv_input_read(in, text + held, LOOK - held, &got, NULL) == PC_OK) {
        const uint8_t *const end = text + held + got, *at = look(n, text + 1, end, UINT64_MAX);
        /* a stamp is not that long: then it is none */
        held = (size_t)(end - at) < LOOK / 2 ? (size_t)(end - at) + 1 : 1;
        memmove(text, end - held, held);
    }
}

static enum pc_status look_again(const struct pc_wave_desc *desc, struct need *n, uint8_t *text,
                                 struct pc_error *err)
{
    struct pc_wave_desc again = *desc;
    struct wv_input *in;

    again.threads = 1;
    again.strict = false;
    enum pc_status status = wv_input_open(&again, NULL, &in, err);
    if (status)
        return status;
    look_through(n, in, text);
    wv_input_close(in);
    return PC_OK;
}

static enum pc_status look_further(const struct vcd *v, const struct pc_wave_desc *desc,
                                   struct need *n, struct pc_error *err)
{
    const uint64_t size = wv_input_extent(v->in), seen = v->text.byte + v->text.end;
    const bool large = size > seen + 4 * LOOK;
    enum pc_status status = PC_OK;

    if (n->places == 0 && !large)
        return PC_OK;
    uint8_t *text = v->alloc.resize(v->alloc.ctx, NULL, 0, LOOK);
    if (!text)
        return pc_fail(err, 100, "not enough memory to look for the unit of times");
    if (n->places == 0) {
        look_at(v, n, seen + (size - seen) / 2, text);
        look_at(v, n, size - LOOK, text);
    }
    if (n->places > 0)
        status = look_again(desc, n, text, err);
    v->alloc.resize(v->alloc.ctx, text, LOOK, 0);
    return status;
}

static void set_unit(struct vcd *v, unsigned places)
{
    struct pc_wave_info *info = &v->base.info;

    v->places = places;
    for (v->scale = 1; places > 0; places--) {
        v->scale *= 10;
        if (info->timescale_factor % 10 == 0) {
            info->timescale_factor /= 10;
        } else {
            info->timescale_factor *= 100;
            info->timescale_exponent -= 3;
        }
    }
}

/* Counts as many places as there is room for: in 64 bits, and down to zeptoseconds. */
static unsigned places_for(const struct vcd *v, const struct need *n)
{
    int coarse = v->base.info.timescale_exponent;
    uint64_t most = n->most < UINT64_MAX ? n->most + 1 : UINT64_MAX;
    unsigned places = 0;

    for (uint64_t factor = v->base.info.timescale_factor; factor > 1; factor /= 10)
        coarse++;
    for (; places < n->places && places < REST_PLACES && coarse > FINEST && most <= UINT64_MAX / 20;
         places++, coarse--)
        most *= 10;
    return places;
}

/*
 * Returns true if all has been seen that is looked at first. Of a pipe that must not depend on how
 * it is written, but where rows go out as they come (`live`) none is waited for.
 */
static bool look_first(const struct vcd *v, struct need *n, bool again)
{
    const struct vcd_text *t = &v->text;
    const size_t left = t->end + t->eof - t->at; /* with the blank at its end, if it is one */

    *n = (struct need){ 0, 0, 0 };
    if (t->at > 0)
        (void)look(n, t->buf + t->at, t->buf + t->at + (left < FIRST ? left : FIRST),
                   again ? UINT64_MAX : FIRST_TIMES);
    return t->eof || v->live || left >= FIRST || (!again && n->stamps >= FIRST_TIMES);
}

enum pc_status vcd_find_unit(struct vcd *v, const struct pc_wave_desc *desc, struct pc_error *err)
{
    const struct vcd_text *t = &v->text;
    const bool again = wv_input_again(v->in);
    enum pc_status status = PC_OK;
    struct need n;

    while (status == PC_OK && !look_first(v, &n, again)) {
        /* what ends the lines of the declarations says what ends the others: fast.c */
        const size_t keep = t->at > t->capacity / 8 ? t->at - t->capacity / 8 : 0;
        status = vcd_refill(v, keep, err);
    }
    if (status == PC_OK && again)
        status = look_further(v, desc, &n, err);
    if (status == PC_OK)
        set_unit(v, places_for(v, &n));
    return status;
}
