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

/* Eight digits at once, the first one lowest. */
static uint64_t eight_digits(uint64_t digits)
{
    digits = digits * (10 * 256 + 1) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    digits = digits * (100 * 65536 + 1) >> 16 & UINT64_C(0x0000ffff0000ffff);
    return digits * ((UINT64_C(10000) << 32) + 1) >> 32;
}

/* Up to eight digits; those after them can be read. */
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

/* The last block with no more than so many edges before it. */
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

/* The last stamp in front of block k; there is one. */
static const uint8_t *stamp_before(const struct vcd_scan *s, size_t k)
{
    uint64_t stamps = 0;

    while (!stamps)
        stamps = vcd_stamps(s, --k);
    return s->text + 64 * k + vcd_highest(stamps);
}

void vcd_scan_times(const struct vcd_scan *s, uint32_t edge, uint32_t count, uint64_t *out)
{
    size_t k = find_edge(s, edge), digits = 0;
    const uint8_t *stamp = k == 0 ? s->text : stamp_before(s, k);

    while (digits < VCD_SCAN_DIGITS && s->text[1 + digits] >= '0' && s->text[1 + digits] <= '9')
        digits++;
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
