/* SPDX-License-Identifier: MIT */
/* Sample rates: as sigrok writes them, and as the time unit of a capture. */
#include "wave/reader.h"

#include <string.h>

#define RATE_MAX UINT64_C(1000000000000000)

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool wv_parse_rate(const char *text, size_t length, uint64_t *out)
{
    static const char prefix[] = "kMGT";
    const char *p = text, *end = text + length;
    uint64_t n = 0;
    unsigned digits = 0, fraction = 0, power = 0;
    bool point = false;

    for (; p < end && ((*p >= '0' && *p <= '9') || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (++digits > 18)
            return false;
        n = 10 * n + (uint64_t)(*p - '0');
        fraction += point;
    }
    while (p < end && is_blank(*p))
        p++;
    if (p < end && (*p == 'K' || *p == 'm' || *p == 'g' || *p == 't'))
        power = *p == 'K' ? 3 : *p == 'm' ? 6 : *p == 'g' ? 9 : 12;
    else if (p < end && *p && strchr(prefix, *p))
        power = 3 * (unsigned)(strchr(prefix, *p) - prefix) + 3;
    p += power > 0;
    if (end - p == 2 && (p[0] == 'H' || p[0] == 'h') && (p[1] == 'z' || p[1] == 'Z'))
        p = end;
    if (digits == 0 || p != end)
        return false;
    for (; fraction > power; fraction--, n /= 10)
        if (n % 10 != 0)
            return false;
    for (; power > fraction; power--) {
        if (n > RATE_MAX)
            return false;
        n *= 10;
    }
    *out = n;
    return n <= RATE_MAX;
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
    info->timescale_factor = (RATE_MAX + rate / 2) / rate;
    info->timescale_exponent = -15;
    while (info->timescale_factor % 10 == 0) {
        info->timescale_factor /= 10;
        info->timescale_exponent++;
    }
}
