/* SPDX-License-Identifier: MIT */
/* pc_kernel.sums for CPUs that have no masks: short spans word by word; counts.h comes before. */
#ifndef PC_KERNEL_SUMS_H
#define PC_KERNEL_SUMS_H

static unsigned ones_of_words(const uint64_t *p, size_t words)
{
    unsigned a = 0, b = 0;
    size_t i = 0;

    if (words >= 2 * GROUP)
        return (unsigned)count(p, words);
    for (; i + 4 <= words; i += 4) {
        a += ones_of(p[i]) + ones_of(p[i + 1]);
        b += ones_of(p[i + 2]) + ones_of(p[i + 3]);
    }
    for (; i < words; i++)
        a += ones_of(p[i]);
    return a + b;
}

static void sums(const uint64_t *const *plane, unsigned n, uint64_t from, uint64_t to,
                 uint32_t *sum)
{
    const size_t first = (size_t)(from / 64), last = (size_t)((to - 1) / 64);
    const uint64_t head = UINT64_MAX << from % 64, tail = UINT64_MAX >> (63 - (to - 1) % 64);

    for (unsigned k = 0; k < n; k++) {
        const uint64_t *p = plane[k];
        sum[k] = first == last ? ones_of(p[first] & head & tail)
                               : ones_of(p[first] & head) + ones_of(p[last] & tail) +
                                     ones_of_words(p + first + 1, last - first - 1);
    }
}

#endif
