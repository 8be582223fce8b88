/* SPDX-License-Identifier: MIT */
/*
 * From the tables to the names of one chip.  Rows of data/signals.csv stand for several chips,
 * for runs of signals that are numbered through, and on GF100+ for all units of a set; here
 * each signal of each domain becomes an entry.  What the unit itself drives has its names from
 * the trailer tables (PC.TRAIL.1 and following), and those of the documents beside them.
 *
 * Rows for domains that the chip does not have according to chips.csv are left out: nouveau
 * uses the tables of GK104 for GK20A, which has fewer domains.
 */
#include "lang/names/names.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum { ANY_DOMAIN = 255 };

struct signal_row {
    uint8_t set, domain;
    uint8_t first, last; /* positions; from the trailer base if `trailer` is set */
    uint8_t chips;       /* index into chip_lists */
    uint8_t confidence;
    uint8_t trailer;
    int8_t filter;
    uint16_t name, nouveau, mux, origin, about; /* in signal_pool */
};
#include "signals.inc"

#define ROWS (sizeof signal_rows / sizeof signal_rows[0])

bool nm_keep(struct pc_names *n, const char *text, size_t size, uint32_t *at)
{
    void *p = n->arena;
    size_t need;

    if (size == 0 && n->arena_used > 0) {
        *at = 0;
        return true;
    }
    if (!pc_size_add(n->arena_used, size, &need) || !pc_size_add(need, 1, &need) ||
        need > UINT32_MAX || !pc_grow(&n->alloc, &p, &n->arena_capacity, need, 1))
        return false;
    n->arena = p;
    *at = (uint32_t)n->arena_used;
    if (size > 0)
        memcpy(n->arena + n->arena_used, text, size);
    n->arena[need - 1] = '\0';
    n->arena_used = need;
    return true;
}

bool nm_add(struct pc_names *n, const struct nm_entry *entry)
{
    void *p = n->entry;

    if (!pc_grow(&n->alloc, &p, &n->entry_capacity, n->entries + 1, sizeof *n->entry))
        return false;
    n->entry = p;
    n->entry[n->entries++] = *entry;
    return true;
}

/* "mux_{0}" with step 3 is "mux_3"; "vfetch_{0a}" is "vfetch_0d". */
static void numbered(const char *pattern, unsigned step, char out[NM_NAME_MAX])
{
    size_t head = strcspn(pattern, "{"), digits = strcspn(pattern + head, "}");
    unsigned start = 0;

    if (pattern[head] == '\0') {
        snprintf(out, NM_NAME_MAX, "%s", pattern);
        return;
    }
    sscanf(pattern + head, digits == 2 ? "{%u}" : "{%x}", &start);
    snprintf(out, NM_NAME_MAX, digits == 2 ? "%.*s%u" : "%.*s%02x", (int)head, pattern,
             start + step);
}

/* ---- what the unit drives ---- */

static void driven_name(const struct pc_signal_info *s, unsigned own, char name[NM_NAME_MAX],
                        char aliases[2 * NM_NAME_MAX])
{
    static const char *const plain[] = {
        [PC_SIG_ZERO] = "zero",
        [PC_SIG_PERIODIC] = "periodic",
        [PC_SIG_PM_TRIGGER] = "pm_trigger",
        [PC_SIG_WRCACHE_FLUSH] = "wrcache_flush",
        [PC_SIG_DOM_EVENT] = "event",
        [PC_SIG_DOM_FLAG] = "flag",
        [PC_SIG_USER] = "user",
        [PC_SIG_PAUSED] = "paused",
    };
    static const char *const where[] = {
        [PC_SIG_ZERO] = "trailer",      [PC_SIG_PERIODIC] = "pcounter",
        [PC_SIG_PM_TRIGGER] = "pgraph", [PC_SIG_WRCACHE_FLUSH] = "pgraph",
        [PC_SIG_DOM_EVENT] = "dom",     [PC_SIG_DOM_FLAG] = "dom",
        [PC_SIG_USER] = "pcounter",     [PC_SIG_PAUSED] = "pcounter",
    };

    snprintf(name, NM_NAME_MAX, "%s", plain[s->kind]);
    snprintf(aliases, (size_t)2 * NM_NAME_MAX, "%s.%s", where[s->kind], plain[s->kind]);
    switch (s->kind) {
    case PC_SIG_DOM_EVENT:
    case PC_SIG_DOM_FLAG:
        snprintf(name, NM_NAME_MAX, "dom[%u].%s", s->index, plain[s->kind]);
        snprintf(aliases, (size_t)2 * NM_NAME_MAX, "%sdom%u.%s",
                 s->kind == PC_SIG_DOM_FLAG && s->index == own ? "flag " : "", s->index,
                 plain[s->kind]);
        break;
    case PC_SIG_USER:
        snprintf(name, NM_NAME_MAX, "user_%u", s->index);
        snprintf(aliases, (size_t)2 * NM_NAME_MAX, "pcounter.user_%u", s->index);
        break;
    default:
        break;
    }
}

/* Returns the text about a signal that the unit drives. */
static const char *driven_about(const struct pc_signal_info *s)
{
    static const char *const text[] = {
        [PC_SIG_ZERO] = "constant 0",
        [PC_SIG_PERIODIC] = "pulse of this domain every PERIODIC_PERIOD clocks",
        [PC_SIG_PM_TRIGGER] = "pulse of PM_TRIGGER",
        [PC_SIG_WRCACHE_FLUSH] = "pulse of WRCACHE_FLUSH",
        [PC_SIG_DOM_EVENT] = "EVENT input of the domain",
        [PC_SIG_DOM_FLAG] = "FLAG of the domain",
        [PC_SIG_USER] = "set by software, for each domain",
        [PC_SIG_PAUSED] = "1: the domain is paused",
    };
    return text[s->kind];
}

static bool add_driven(struct pc_names *n, unsigned d, const struct pc_chip *of_set)
{
    const struct nm_domain *domain = &n->domain[d];
    char name[NM_NAME_MAX], aliases[2 * NM_NAME_MAX];

    for (unsigned p = 0; p < domain->info.size; p++) {
        struct pc_signal_info s = pc_chip_signal(of_set, domain->place.domain, p);
        if (s.kind == PC_SIG_RAW || s.kind == PC_SIG_ABSENT)
            continue;
        struct nm_entry e = {
            .domain = (uint16_t)d,
            .position = (uint8_t)p,
            .kind = (uint8_t)s.kind,
            .index = (uint8_t)s.index,
            .confidence = domain->info.assumed ? PC_CONF_ASSUMED : PC_CONF_DOC,
            .filter = -1,
        };
        const char *about = driven_about(&s);
        driven_name(&s, domain->place.domain, name, aliases);
        if (!nm_keep(n, name, strlen(name), &e.name) ||
            !nm_keep(n, aliases, strlen(aliases), &e.aliases) ||
            !nm_keep(n, "unit", 4, &e.origin) || !nm_keep(n, about, strlen(about), &e.about) ||
            !nm_add(n, &e))
            return false;
    }
    return true;
}

/* ---- rows of the table ---- */

static bool keep_pooled(struct pc_names *n, uint16_t at, uint32_t *out)
{
    return nm_keep(n, signal_pool + at, strlen(signal_pool + at), out);
}

/* A row at a position that the unit drives: more names for it. */
static bool add_aliases(struct pc_names *n, struct nm_entry *driven, const char *name,
                        const char *nouveau)
{
    char all[4 * NM_NAME_MAX];
    const char *own = nm_is_called(n, driven, name) ? "" : name;
    const char *old = nm_text(n, driven->aliases);

    int size = snprintf(all, sizeof all, "%s%s%s%s%s", old, *old && *own ? " " : "", own,
                        (*old || *own) && *nouveau ? " " : "", nouveau);
    return size > 0 && (size_t)size < sizeof all && nm_keep(n, all, (size_t)size, &driven->aliases);
}

static struct nm_entry *driven_at(struct pc_names *n, size_t first, unsigned position)
{
    for (size_t i = first; i < n->entries; i++)
        if (n->entry[i].position == position && n->entry[i].kind != PC_SIG_RAW)
            return &n->entry[i];
    return NULL;
}

static bool add_row(struct pc_names *n, unsigned d, const struct signal_row *row)
{
    const struct nm_domain *domain = &n->domain[d];
    unsigned base = row->trailer ? domain->info.trailer_base : 0;
    char name[NM_NAME_MAX], nouveau[NM_NAME_MAX];
    struct nm_entry e = {
        .domain = (uint16_t)d,
        .kind = PC_SIG_RAW,
        .confidence = row->trailer && domain->info.assumed ? PC_CONF_ASSUMED : row->confidence,
        .filter = row->filter,
    };

    if (!keep_pooled(n, row->mux, &e.mux) || !keep_pooled(n, row->origin, &e.origin) ||
        !keep_pooled(n, row->about, &e.about))
        return false;
    for (unsigned i = 0; i <= (unsigned)(row->last - row->first); i++) {
        unsigned position = base + row->first + i;
        struct nm_entry *driven = driven_at(n, domain->first, position);
        bool ok;
        if (position >= domain->info.size)
            break;
        numbered(signal_pool + row->name, i, name);
        numbered(signal_pool + row->nouveau, i, nouveau);
        e.position = (uint8_t)position;
        if (driven)
            ok = add_aliases(n, driven, name, nouveau);
        else
            ok = nm_keep(n, name, strlen(name), &e.name) &&
                 nm_keep(n, nouveau, strlen(nouveau), &e.aliases) && nm_add(n, &e);
        if (!ok)
            return false;
    }
    return true;
}

/* Adds to unit 3 of a set what unit 0 has. */
static bool add_like(struct pc_names *n, unsigned d, unsigned like)
{
    size_t first = n->domain[like].first, end = n->domain[like + 1].first;

    for (size_t i = first; i < end; i++) {
        struct nm_entry e = n->entry[i];
        e.domain = (uint16_t)d;
        if (!nm_add(n, &e))
            return false;
    }
    return true;
}

static bool add_domain(struct pc_names *n, unsigned d, const bool list[CHIP_LISTS])
{
    struct nm_domain *domain = &n->domain[d];
    struct pc_chip of_set;

    domain->first = n->entries;
    for (unsigned like = 0; domain->place.unit > 0 && like < d; like++)
        if (n->domain[like].place.set == domain->place.set &&
            n->domain[like].place.domain == domain->place.domain)
            return add_like(n, d, like);
    if (pc_chip_of_set(n->chip, domain->place.set, &of_set, NULL) != PC_OK ||
        !add_driven(n, d, &of_set))
        return false;
    for (size_t i = 0; i < ROWS; i++) {
        const struct signal_row *row = &signal_rows[i];
        bool here = row->domain == ANY_DOMAIN ||
                    (row->set == domain->place.set && row->domain == domain->place.domain);
        if (here && list[row->chips] && !add_row(n, d, row))
            return false;
    }
    return true;
}

static bool find_domains(struct pc_names *n)
{
    struct pc_chip_domain place;
    struct pc_chip of_set;

    for (unsigned d = 0; pc_chip_get_domain(n->chip, d, &place); d++) {
        void *p = n->domain;
        if (!pc_grow(&n->alloc, &p, &n->domain_capacity, n->domains + 1, sizeof *n->domain))
            return false;
        n->domain = p;
        if (pc_chip_of_set(n->chip, place.set, &of_set, NULL) != PC_OK)
            return false;
        n->domain[n->domains++] =
            (struct nm_domain){ .place = place, .info = of_set.domain[place.domain] };
    }
    return true;
}

static bool fill(struct pc_names *n)
{
    bool list[CHIP_LISTS];
    uint32_t empty;

    if (!nm_keep(n, "", 0, &empty) || !find_domains(n))
        return false;
    for (size_t i = 0; i < CHIP_LISTS; i++)
        list[i] = pc_names_chip_listed(signal_pool + chip_lists[i], n->chip->name);
    for (unsigned p = 0; p < PC_MAX_SIGNALS; p++) { /* s2a is at 1 + 4 * 0x2a */
        char name[8];
        uint32_t at;
        snprintf(name, sizeof name, "s%02x", p);
        if (!nm_keep(n, name, 3, &at))
            return false;
    }
    for (unsigned d = 0; d < n->domains; d++)
        if (!add_domain(n, d, list))
            return false;
    nm_settle(n);
    return true;
}

enum pc_status pc_names_open(const struct pc_alloc *alloc, const struct pc_chip *chip,
                             struct pc_names **out, struct pc_error *err)
{
    struct pc_alloc a = pc_alloc_or_libc(alloc);
    struct pc_names *n = pc_calloc(&a, 1, sizeof *n);

    if (!n)
        return pc_fail(err, 100, "out of memory for the names of %s", chip->name);
    n->alloc = a;
    n->chip = chip;
    if (!fill(n)) {
        pc_names_close(n);
        return pc_fail(err, 100, "out of memory for the names of %s", chip->name);
    }
    *out = n;
    return PC_OK;
}

void pc_names_close(struct pc_names *n)
{
    if (!n)
        return;
    struct pc_alloc a = n->alloc;
    pc_free(&a, n->domain, n->domain_capacity * sizeof *n->domain);
    pc_free(&a, n->entry, n->entry_capacity * sizeof *n->entry);
    pc_free(&a, n->arena, n->arena_capacity);
    pc_free(&a, n, sizeof *n);
}

const struct pc_chip *pc_names_chip(const struct pc_names *n)
{
    return n->chip;
}
