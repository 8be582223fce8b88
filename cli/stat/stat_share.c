/* SPDX-License-Identifier: MIT */
/* Messages of pcounter stat between ranks; all of them run the same program with the same options.
 */
#include "stat_share.h"

#include <stdlib.h>
#include <string.h>

#include "process/ranks.h"

/*
 * What a rank found: this, the counts of every event, and the size and bytes of a summary of
 * every pass.
 */
struct found {
    uint32_t kind;
    uint32_t bad_event;
    uint64_t first, cycles, bad_cycle;
};

enum { COUNTS = 3 };

unsigned stat_share_owner(uint64_t n)
{
    return (unsigned)(n % cli_ranks->size);
}

bool stat_share_mine(const struct stat_options *o, uint64_t n)
{
    return !o->dealt || stat_share_owner(n) == cli_ranks->rank;
}

static uint64_t *counts_of(const struct stat_stretch *s, unsigned i)
{
    return i == 0 ? s->popcount : i == 1 ? s->tainted : s->seen;
}

static size_t counts_size(const struct stat_count *c)
{
    return c->o->events * sizeof(uint64_t);
}

static const void *summary_bytes(const struct pc_summary *s, size_t *size)
{
    *size = 0;
    return s ? pc_summary_bytes(s, size) : NULL;
}

int stat_share_send(const struct stat_count *c, const struct stat_stretch *s)
{
    const struct found head = { CLI_RANK_STRETCH, (uint32_t)s->bad_event, s->first, s->cycles,
                                s->bad_cycle };
    size_t size = sizeof head + COUNTS * counts_size(c), at = sizeof head, n;

    for (size_t p = 0; p < c->plan->passes; p++) {
        (void)summary_bytes(s->summary[p], &n);
        size += sizeof n + n;
    }
    char *bytes = malloc(size);
    if (!bytes)
        return cli_no_memory();
    memcpy(bytes, &head, sizeof head);
    for (unsigned i = 0; i < COUNTS; i++, at += counts_size(c))
        memcpy(bytes + at, counts_of(s, i), counts_size(c));
    for (size_t p = 0; p < c->plan->passes; p++) {
        const void *summary = summary_bytes(s->summary[p], &n);
        memcpy(bytes + at, &n, sizeof n);
        at += sizeof n;
        if (summary)
            memcpy(bytes + at, summary, n);
        at += n;
    }
    cli_ranks->send(bytes, size);
    free(bytes);
    return CLI_OK;
}

/* `size` has room for head and counts. */
static bool load(const struct stat_count *c, struct pc_unit *const *before, const char *bytes,
                 size_t size, struct stat_stretch *s)
{
    size_t at = sizeof(struct found), n;
    struct found head;
    struct pc_error err;

    memcpy(&head, bytes, sizeof head);
    if (head.first != s->first || head.cycles != s->cycles || head.bad_event > c->o->events)
        return false;
    s->bad_event = head.bad_event;
    s->bad_cycle = head.bad_cycle;
    for (unsigned i = 0; i < COUNTS; i++, at += counts_size(c))
        memcpy(counts_of(s, i), bytes + at, counts_size(c));
    for (size_t p = 0; p < c->plan->passes; p++) {
        if (size - at < sizeof n)
            return false;
        memcpy(&n, bytes + at, sizeof n);
        at += sizeof n;
        if (n > size - at)
            return false;
        if (n > 0 && pc_summary_load(before[p], bytes + at, n, &s->summary[p], &err) != PC_OK)
            return false;
        at += n;
    }
    return at == size;
}

static int other_cycles(const struct stat_count *c, unsigned from)
{
    return cli_error_at(904, NULL, 0, NULL, "rank %u has other cycles of %s", from, c->o->path);
}

int stat_share_receive(const struct stat_count *c, struct pc_unit *const *before, unsigned from,
                       struct stat_stretch *s)
{
    size_t size, least = sizeof(struct found) + COUNTS * counts_size(c);
    void *bytes;
    int code = cli_ranks_receive(from, CLI_RANK_STRETCH, least, &bytes, &size);

    if (code)
        return code;
    bool ok = load(c, before, bytes, size, s);
    free(bytes);
    return ok ? CLI_OK : other_cycles(c, from);
}

int stat_share_end(const struct stat_count *c)
{
    struct found head = { .kind = CLI_RANK_STRETCH, .first = c->cycles };

    if (cli_ranks->rank > 0) {
        cli_ranks->send(&head, sizeof head);
        return CLI_OK;
    }
    for (unsigned from = 1; from < cli_ranks->size; from++) {
        size_t size;
        void *bytes;
        int code = cli_ranks_receive(from, CLI_RANK_STRETCH, sizeof head, &bytes, &size);
        if (code)
            return code;
        memcpy(&head, bytes, sizeof head);
        free(bytes);
        if (head.first != c->cycles || head.cycles != 0)
            return other_cycles(c, from);
    }
    return CLI_OK;
}
