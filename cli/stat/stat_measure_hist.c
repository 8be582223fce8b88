/* SPDX-License-Identifier: MIT */
/* Histograms of values, latencies and levels: the parts that text, CSV and pages have alike. */
#include "stat.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static wide to_wide(struct pc_wide v)
{
    return (wide)((unsigned_wide)(uint64_t)v.high << 64 | v.low);
}

static struct pc_wide from_wide(wide v)
{
    return (struct pc_wide){ .low = (uint64_t)v, .high = (int64_t)(v >> 64) };
}

/* "12", "4..7" */
static void name_bucket(wide low, wide high, char out[STAT_BUCKET])
{
    char a[PC_WIDE_TEXT], b[PC_WIDE_TEXT];

    pc_wide_text(from_wide(low), a);
    pc_wide_text(from_wide(high), b);
    if (low == high)
        snprintf(out, STAT_BUCKET, "%s", a);
    else
        snprintf(out, STAT_BUCKET, "%s..%s", a, b);
}

/* Up to that many different values as they are, of more that many equal pieces of their range. */
static size_t find_buckets(const struct stat_dist *dist, struct stat_bucket out[STAT_BUCKETS])
{
    const struct pc_dist_figures f = dist->f;
    struct pc_wide value;
    uint64_t count;

    if (f.count == 0 || !f.complete)
        return 0;
    const wide low = to_wide(f.min), high = to_wide(f.max);
    const bool each = f.distinct <= STAT_BUCKETS;
    const wide width = each ? 1 : (high - low) / STAT_BUCKETS + 1;
    const size_t n = each ? f.distinct : (size_t)((high - low) / width) + 1;
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct stat_bucket){ .count = 0 };
        if (!each)
            name_bucket(low + (wide)i * width, i + 1 < n ? low + (wide)(i + 1) * width - 1 : high,
                        out[i].text);
    }
    for (size_t i = 0; pc_dist_value(dist->dist, i, &value, &count); i++) {
        const wide v = to_wide(value);
        struct stat_bucket *b = &out[each ? i : (size_t)((v - low) / width)];
        b->count += count;
        b->share += (double)count / (double)f.count;
        if (each)
            name_bucket(v, v, b->text);
    }
    return n;
}

/* Returns the number of a value's bucket: 0 of 0, 1 of 1, 2 of 2 and 3, 3 of 4 to 7; below 0 in the
 * same way. */
static int doubling_of(wide v)
{
    unsigned_wide size = v < 0 ? -(unsigned_wide)v : (unsigned_wide)v;
    int number = 0;

    for (; size > 0; size >>= 1)
        number++;
    return v < 0 ? -number : number;
}

/* Buckets that double. */
static size_t find_doubling(const struct stat_dist *dist, struct stat_bucket out[STAT_MOST_BUCKETS])
{
    const struct pc_dist_figures f = dist->f;
    struct pc_wide value;
    uint64_t count;

    if (f.count == 0 || !f.complete)
        return 0;
    const int first = doubling_of(to_wide(f.min)), last = doubling_of(to_wide(f.max));
    for (int i = first; i <= last; i++) {
        const int size = i < 0 ? -i : i;
        const wide low = size ? (wide)1 << (size - 1) : 0, high = size ? 2 * low - 1 : 0;
        out[i - first] = (struct stat_bucket){ .count = 0 };
        name_bucket(i < 0 ? -high : low, i < 0 ? -low : high, out[i - first].text);
    }
    for (size_t i = 0; pc_dist_value(dist->dist, i, &value, &count); i++) {
        struct stat_bucket *b = &out[doubling_of(to_wide(value)) - first];
        b->count += count;
        b->share += (double)count / (double)f.count;
    }
    return (size_t)(last - first) + 1;
}

void stat_measure_buckets(const struct stat_job *j, stat_bucket_fn *tell, void *ctx)
{
    struct stat_bucket bucket[STAT_MOST_BUCKETS];
    char name[600];

    for (size_t i = 0; j->measures.histogram && i < j->measures.count; i++) {
        const struct stat_measure *m = &j->measures.item[i];
        const struct stat_dist *dist[2] = { &m->out.dist, &m->out.outstanding };
        for (unsigned k = 0; k < 2 && dist[k]->dist; k++) {
            snprintf(name, sizeof name, "%s%s", m->name, k ? ".outstanding" : "");
            tell(ctx, m, name, bucket,
                 j->o->measures.log2 ? find_doubling(dist[k], bucket)
                                     : find_buckets(dist[k], bucket));
        }
    }
}
