/* SPDX-License-Identifier: MIT */
/* Sample rates: as sigrok writes them, and as the time unit of a capture. */
#include "wave/reader.h"
#include "base/decimal.h"
#include "base/text.h"

#include <string.h>

#define FEMTOSECONDS UINT64_C(1000000000000000) /* of a second */
#define RATE_MAX     UINT64_C(1000000000000000) /* Hz: more could not be said in femtoseconds */

/* Takes the power of ten of k, M, G, T; sigrok's users write them in either case. */
static int take_prefix(const char **p, const char *end)
{
    static const char prefixes[] = "kmgt";

    if (*p == end || !pc_is_one_of(pc_lower(**p), prefixes))
        return 0;
    return 3 * (int)(strchr(prefixes, pc_lower(*(*p)++)) - prefixes) + 3;
}

/* Scales to n * 10^exponent, if that is a whole number in range. */
static bool scale(uint64_t n, int exponent, uint64_t *out)
{
    for (; exponent < 0 && n > 0; exponent++, n /= 10)
        if (n % 10 != 0)
            return false;
    for (; exponent > 0 && n > 0; exponent--) {
        if (n > RATE_MAX)
            return false;
        n *= 10;
    }
    *out = n;
    return n <= RATE_MAX;
}

bool wv_parse_rate(const char *text, size_t length, uint64_t *out)
{
    const char *end = text + length;
    struct pc_digits d;
    uint64_t n;
    int exponent;
    const char *p = pc_digits_read(text, end, false, &d);

    if (!p || !pc_digits_number(&d, &n, &exponent))
        return false;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    exponent += take_prefix(&p, end);
    if (end - p == 2 && pc_lower(p[0]) == 'h' && pc_lower(p[1]) == 'z')
        p = end;
    return p == end && scale(n, exponent, out);
}

/* Takes the unit that the caller gives for a file that does not say it. */
static bool take_unit(struct pc_wave_info *info, uint64_t factor, int exponent)
{
    uint64_t rate = 1;

    if (!info->sampled) {
        info->timescale_factor = factor;
        info->timescale_exponent = exponent;
        return true;
    }
    for (int e = exponent; e < 0; e++)
        rate *= 10;
    if (exponent > 0 || rate % factor != 0)
        return false; /* a rate is whole Hz */
    wv_sampled(info, rate / factor);
    return true;
}

void wv_unit(struct wv_reader *r, const struct pc_wave_desc *desc)
{
    struct pc_wave_info *info = &r->info;

    if (desc->unit_factor == 0) {
        if (r->unit_assumed)
            wv_note(&r->hier,
                    "the file does not say its time unit: 1 fs is assumed, as GHDL has it "
                    "without --time-resolution; --time-unit sets another");
    } else if (!r->unit_assumed && info->timescale_factor != 0) {
        if (info->timescale_factor == desc->unit_factor &&
            info->timescale_exponent == desc->unit_exponent)
            return;
        wv_warn(&r->hier, "the file says its time unit, and the one that is given is not used");
    } else if (!take_unit(info, desc->unit_factor, desc->unit_exponent)) {
        wv_warn(&r->hier, "the time unit that is given is not used: a sample of it is not a whole "
                          "rate in Hz");
    }
}

/*
 * The period in whole femtoseconds: exact for rates like 16 MHz, rounded for 24 MHz.  Who
 * wants to be exact divides by sample_rate.
 */
void wv_sampled(struct pc_wave_info *info, uint64_t rate)
{
    info->sampled = true;
    info->sample_rate = rate;
    info->timescale_factor = 0;
    info->timescale_exponent = 0;
    if (rate == 0)
        return;
    info->timescale_factor = (FEMTOSECONDS + rate / 2) / rate;
    info->timescale_exponent = -15;
    while (info->timescale_factor % 10 == 0) {
        info->timescale_factor /= 10;
        info->timescale_exponent++;
    }
}
