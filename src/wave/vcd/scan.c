/* SPDX-License-Identifier: MIT */
/* Which mask scanners this build has, which of them this CPU can run, and times on demand. */
#include "wave/vcd/scan.h"

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

uint64_t vcd_scan_time(const struct vcd_scan *s, uint32_t edge)
{
    size_t k = 0, end = s->marked / 64 + 1, digits = 0;

    while (end - k > 1) { /* the last block with no more than `edge` edges before it */
        const size_t middle = k + (end - k) / 2;
        if (edges_before(s, middle) <= edge)
            k = middle;
        else
            end = middle;
    }
    edge -= edges_before(s, k);
    uint64_t edges = vcd_edges(s, k);
    for (; edge > 0; edge--)
        edges &= edges - 1;
    uint64_t before = (edges & (0 - edges)) - 1, stamps = vcd_stamps(s, k) & before;
    while (!stamps)
        stamps = vcd_stamps(s, --k);
    const uint8_t *digit = s->text + 64 * k + vcd_highest(stamps) + 1;
    while (digits < VCD_SCAN_DIGITS && digit[digits] >= '0' && digit[digits] <= '9')
        digits++;
    return vcd_scan_number(digit, digits);
}
