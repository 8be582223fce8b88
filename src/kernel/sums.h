/* SPDX-License-Identifier: MIT */
/* pc_kernel.sums word by word, for CPUs that have no masks; counts.h comes before. */
#ifndef PC_KERNEL_SUMS_H
#define PC_KERNEL_SUMS_H

static void sums(const uint64_t *const *plane, unsigned n, uint64_t from, uint64_t to,
                 uint32_t *sum)
{
    const size_t first = (size_t)(from / 64), last = (size_t)((to - 1) / 64);
    const uint64_t head = UINT64_MAX << from % 64, tail = UINT64_MAX >> (63 - (to - 1) % 64);

    for (unsigned k = 0; k < n; k++) {
        const uint64_t *p = plane[k];
        if (first == last) {
            sum[k] = ones_of(p[first] & head & tail);
            continue;
        }
        unsigned a = ones_of(p[first] & head), b = ones_of(p[last] & tail);
        size_t i = first + 1;
        for (; i + 4 <= last; i += 4) {
            a += ones_of(p[i]) + ones_of(p[i + 1]);
            b += ones_of(p[i + 2]) + ones_of(p[i + 3]);
        }
        for (; i < last; i++)
            a += ones_of(p[i]);
        for (i = first; i < last; i += LINE_WORDS)
            v_prefetch(p + i, AHEAD);
        sum[k] = a + b;
    }
}

#endif
