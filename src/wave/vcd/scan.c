/* SPDX-License-Identifier: MIT */
/* Which mask scanners this build has, which of them this CPU can run, and times on demand. */
#include "wave/vcd/scan.h"
#include "base/bytes.h"

static const struct vcd_scan_kernel *const KERNELS[] = {
    &vcd_scan_u64,
#if defined(__aarch64__)
    &vcd_scan_neon,
#endif
#if defined(__x86_64__)
    &vcd_scan_sse2, &vcd_scan_avx2, &vcd_scan_avx512,
#endif
};

const struct vcd_scan_kernel *vcd_scan_at(size_t i)
{
    return i < sizeof KERNELS / sizeof KERNELS[0] ? KERNELS[i] : NULL;
}

const struct vcd_scan_kernel *vcd_scan_best(void)
{
    const struct vcd_scan_kernel *best = &vcd_scan_u64;

    for (size_t i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++)
        if (KERNELS[i]->usable())
            best = KERNELS[i];
    return best;
}

static uint32_t edges_before(const struct vcd_scan *s, size_t k)
{
    return s->mark[k / VCD_SPAN_WORDS].before[k % VCD_SPAN_WORDS];
}

/* Reads eight digits at once, the first one lowest. */
static uint64_t eight_digits(uint64_t digits)
{
    digits = digits * (10 * 256 + 1) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    digits = digits * (100 * 65536 + 1) >> 16 & UINT64_C(0x0000ffff0000ffff);
    return digits * ((UINT64_C(10000) << 32) + 1) >> 32;
}

/* Reads up to eight digits; those after them can be read. */
static uint64_t few_digits(const uint8_t *digit, size_t n)
{
    const uint64_t digits = pc_load_low_first(digit) - UINT64_C(0x3030303030303030);

    return n > 0 ? eight_digits(digits << 8 * (8 - n)) : 0;
}

/* All stamps of a scan have as many digits: VCD_SCAN_DIGITS at most. */
static uint64_t number(const uint8_t *digit, size_t n)
{
    return n <= 8 ? few_digits(digit, n)
                  : few_digits(digit, n - 8) * 100000000 + few_digits(digit + n - 8, 8);
}

static size_t digits_of(const struct vcd_scan *s)
{
    size_t n = 0;

    while (n < VCD_SCAN_DIGITS && s->text[1 + n] >= '0' && s->text[1 + n] <= '9')
        n++;
    return n;
}

/* Returns the last block with no more than that many edges before it. */
static size_t find_edge(const struct vcd_scan *s, uint32_t edge)
{
    size_t k = 0, end = s->marked / 64 + 1;

    while (end - k > 1) {
        const size_t middle = k + (end - k) / 2;
        if (edges_before(s, middle) <= edge)
            k = middle;
        else
            end = middle;
    }
    return k;
}

/* Returns the last stamp in front of block k; there is one. */
static const uint8_t *stamp_before(const struct vcd_scan *s, size_t k)
{
    uint64_t stamps = 0;

    while (!stamps)
        stamps = vcd_stamps(s, --k);
    return s->text + 64 * k + vcd_highest(stamps);
}

void vcd_scan_times(const struct vcd_scan *s, uint32_t edge, uint32_t count, uint64_t *out)
{
    const size_t digits = digits_of(s);
    size_t k = find_edge(s, edge);
    const uint8_t *stamp = k == 0 ? s->text : stamp_before(s, k);

    for (uint32_t skip = edge - edges_before(s, k); count > 0; k++, skip = 0) {
        const uint8_t *text = s->text + 64 * k;
        uint64_t stamps = vcd_stamps(s, k), edges = vcd_edges(s, k);
        for (; edges && count > 0; edges &= edges - 1) {
            const uint64_t upto = edges ^ (edges - 1), before = stamps & upto;
            if (before)
                stamp = text + vcd_highest(before);
            if (skip > 0) {
                skip--;
                continue;
            }
            *out++ = number(stamp + 1, digits);
            count--;
        }
        if (stamps)
            stamp = text + vcd_highest(stamps);
    }
}

/* --- distances --- */

/*
 * Stamps one after the other.  Nearly always each is as far from the one before as that was from
 * its own: that is so if the sum of decimal digits is their text, so no number is made.
 */
struct stamp_text {
    uint64_t low,
        high; /* the last eight digits, a byte each, the last one lowest, and the others */
};

/* Reads up to eight digits. */
static uint64_t digits_at(const uint8_t *digit, size_t n)
{
    return pc_load_high_first(digit) >> 8 * (8 - n) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

static struct stamp_text text_of(const uint8_t *digit, size_t n)
{
    return n <= 8 ? (struct stamp_text){ digits_at(digit, n), 0 }
                  : (struct stamp_text){ digits_at(digit + n - 8, 8), digits_at(digit, n - 8) };
}

/* Adds a + b; what is carried out of the first digit is lost. */
static uint64_t add_digits(uint64_t a, uint64_t b)
{
    const uint64_t sum = a + b + UINT64_C(0xf6f6f6f6f6f6f6f6);

    return sum - (sum >> 7 & UINT64_C(0x0101010101010101)) * 0xf6;
}

static uint64_t to_digits(uint64_t number)
{
    uint64_t digits = 0;

    for (unsigned i = 0; i < 8; i++, number /= 10)
        digits |= number % 10 << 8 * i;
    return digits;
}

/* Takes the distance from the time before, which is noted; 0: it is none of eight digits. */
static uint64_t take_time(struct pc_wave_totals *t, uint64_t time)
{
    const uint64_t distance = t->has_time ? time - t->time_last : 0;

    if (t->has_time)
        wv_take_distance(t, distance);
    else
        t->time_first = time;
    t->has_time = true;
    t->time_last = time;
    return distance < 100000000 ? distance : 0;
}

/* Returns the set bit after the lowest n of word *k, on to the words after it. */
static uint64_t after(const struct vcd_scan *s, size_t *k, uint32_t n)
{
    uint64_t stamps = vcd_stamps(s, *k);

    for (;; n--) {
        while (!stamps)
            stamps = vcd_stamps(s, ++*k);
        if (n == 0)
            return stamps;
        stamps &= stamps - 1;
    }
}

void vcd_scan_distances(const struct vcd_scan *s, uint32_t edge, uint32_t count,
                        struct pc_wave_totals *totals)
{
    const size_t digits = digits_of(s);
    size_t k = find_edge(s, edge);
    uint64_t stamps = count > 0 ? after(s, &k, edge - edges_before(s, k)) : 0;
    uint64_t like = 0, step = 0, times = 0; /* the distance, its digits, how often it was so */
    struct stamp_text before = { 0, 0 };

    totals->time_stamps += count;
    for (; count > 0; count--, stamps &= stamps - 1) {
        while (!stamps)
            stamps = vcd_stamps(s, ++k);
        const uint8_t *digit = s->text + 64 * k + (unsigned)__builtin_ctzll(stamps) + 1;
        const struct stamp_text text = text_of(digit, digits);
        if (like > 0 && text.low == add_digits(before.low, step) && text.high == before.high) {
            times++;
        } else {
            totals->time_last += times * like;
            times = 0;
            like = take_time(totals, number(digit, digits));
            step = to_digits(like);
        }
        before = text;
    }
    totals->time_last += times * like;
}
