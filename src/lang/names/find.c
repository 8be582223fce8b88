/* SPDX-License-Identifier: MIT */
/* Looking up: entries of a domain in order, at a position, by name. */
#include "lang/names/names.h"
#include "base/error.h"
#include "base/near.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const confidence_names[PC_CONF_COUNT] = {
    [PC_CONF_USER] = "user",       [PC_CONF_DOC] = "doc",         [PC_CONF_TRACE] = "trace",
    [PC_CONF_NOUVEAU] = "nouveau", [PC_CONF_ASSUMED] = "assumed", [PC_CONF_UNKNOWN] = "unknown",
    [PC_CONF_SUSPECT] = "suspect",
};

const char *pc_confidence_name(enum pc_confidence confidence)
{
    return (unsigned)confidence < PC_CONF_COUNT ? confidence_names[confidence] : "?";
}

/* Returns true if a is before b. Of one position the user's comes first. */
static bool before(const struct nm_entry *a, const struct nm_entry *b)
{
    if (a->position != b->position)
        return a->position < b->position;
    return a->line != 0 && b->line == 0;
}

void nm_settle(struct pc_names *n)
{
    size_t kept = 0, i = 0;

    for (size_t e = 0; e < n->entries; e++)
        if (!n->entry[e].dead)
            n->entry[kept++] = n->entry[e];
    n->entries = kept;
    /* few are out of place: those of the tables were nearly in order, a user's are few */
    for (size_t e = 1; e < n->entries; e++) {
        struct nm_entry moved = n->entry[e];
        size_t to = e;
        while (to > 0 &&
               (n->entry[to - 1].domain > moved.domain ||
                (n->entry[to - 1].domain == moved.domain && before(&moved, &n->entry[to - 1])))) {
            n->entry[to] = n->entry[to - 1];
            to--;
        }
        n->entry[to] = moved;
    }
    for (size_t d = 0; d < n->domains; d++) {
        while (i < n->entries && n->entry[i].domain < d)
            i++;
        n->domain[d].first = i;
    }
}

static size_t end_of(const struct pc_names *n, unsigned domain)
{
    return domain + 1 < n->domains ? n->domain[domain + 1].first : n->entries;
}

static void show(const struct pc_names *n, const struct nm_entry *e, struct pc_signal *out)
{
    *out = (struct pc_signal){
        .domain = e->domain,
        .position = e->position,
        .kind = (enum pc_signal_kind)e->kind,
        .name = nm_text(n, e->name),
        .aliases = nm_text(n, e->aliases),
        .mux = nm_text(n, e->mux),
        .filter = e->filter,
        .confidence = (enum pc_confidence)e->confidence,
        .origin = nm_text(n, e->origin),
        .about = nm_text(n, e->about),
    };
}

size_t pc_names_count(const struct pc_names *n, unsigned domain)
{
    return domain < n->domains ? end_of(n, domain) - n->domain[domain].first : 0;
}

bool pc_names_at(const struct pc_names *n, unsigned domain, size_t i, struct pc_signal *out)
{
    if (i >= pc_names_count(n, domain))
        return false;
    show(n, &n->entry[n->domain[domain].first + i], out);
    return true;
}

bool pc_names_position(const struct pc_names *n, unsigned domain, unsigned position,
                       struct pc_signal *out)
{
    if (domain >= n->domains || position >= n->domain[domain].info.size)
        return false;
    for (size_t i = n->domain[domain].first; i < end_of(n, domain); i++) {
        if (n->entry[i].position == position) {
            show(n, &n->entry[i], out);
            return true;
        }
    }
    struct nm_entry nameless = {
        .domain = (uint16_t)domain,
        .position = (uint8_t)position,
        .kind = PC_SIG_RAW,
        .confidence = PC_CONF_UNKNOWN,
        .filter = -1,
        .name = 1 + 4 * position,
    };
    show(n, &nameless, out);
    return true;
}

/* ---- by name ---- */

bool nm_is_called(const struct pc_names *n, const struct nm_entry *e, const char *name)
{
    const char *word = nm_text(n, e->name);

    if (pc_same_text(word, name))
        return true;
    for (word = nm_text(n, e->aliases); *word;) {
        size_t size = strcspn(word, " ");
        if (pc_same_start(word, size, name))
            return true;
        word += size;
        word += strspn(word, " ");
    }
    return false;
}

bool nm_by_position(const char *name, unsigned *position)
{
    char *end;

    if (name[0] != 's' && name[0] != 'S')
        return false;
    if (name[1] == '[') {
        if (!pc_is_digit(name[2]))
            return false;
        unsigned long value = strtoul(name + 2, &end, 10);
        *position = value < PC_MAX_SIGNALS ? (unsigned)value : PC_MAX_SIGNALS;
        return end[0] == ']' && end[1] == '\0';
    }
    if (!pc_is_hex(name[1]) || !pc_is_hex(name[2]) || name[3] != '\0')
        return false;
    *position = (unsigned)strtoul(name + 1, NULL, 16);
    return true;
}

/* Returns the entry called `name` in one domain: the tables have none twice, and load.c lets none
 * in. */
static const struct nm_entry *search(const struct pc_names *n, unsigned domain, const char *name)
{
    for (size_t i = n->domain[domain].first; i < end_of(n, domain); i++)
        if (nm_is_called(n, &n->entry[i], name))
            return &n->entry[i];
    return NULL;
}

static bool same_in_units(const struct pc_names *n, const struct nm_entry *a,
                          const struct nm_entry *b)
{
    const struct pc_chip_domain *p = &n->domain[a->domain].place, *q = &n->domain[b->domain].place;

    return p->set == q->set && p->domain == q->domain && a->position == b->position;
}

static enum pc_status ambiguous(const struct pc_names *n, const char *name,
                                const struct nm_entry *a, const struct nm_entry *b,
                                struct pc_error *err)
{
    enum pc_status status = pc_fail(
        err, 1401, "\"%.60s\" is signal s%02x of domain %s and s%02x of domain %s", name,
        a->position, n->domain[a->domain].place.name, b->position, n->domain[b->domain].place.name);
    pc_hint(err, "name the domain");
    return status;
}

/* Returns true for names of all domains, or of one; of units that are alike the first. */
static bool is_candidate(const struct pc_names *n, const struct nm_entry *e, unsigned domain)
{
    return domain == PC_NAMES_ANY ? n->domain[e->domain].place.unit == 0 : e->domain == domain;
}

void pc_names_near(const struct pc_names *n, unsigned domain, const char *name, char *out,
                   size_t size)
{
    struct pc_near near;

    pc_near_begin(&near, name);
    for (size_t i = 0; i < n->entries; i++) {
        const struct nm_entry *e = &n->entry[i];
        const char *last = strrchr(nm_text(n, e->aliases), ' ');
        if (!is_candidate(n, e, domain))
            continue;
        pc_near_offer(&near, nm_text(n, e->name));
        pc_near_offer(&near, last ? last + 1 : nm_text(n, e->aliases));
    }
    /* "vfech": signals of the unit that sounds so, rather than nothing */
    bool units = near.count == 0 && !strchr(name, '.');
    for (size_t i = 0; units && i < n->entries; i++) {
        const char *whole = nm_text(n, n->entry[i].name);
        char unit[NM_NAME_MAX];
        snprintf(unit, sizeof unit, "%.*s", (int)strcspn(whole, "."), whole);
        if (is_candidate(n, &n->entry[i], domain))
            pc_near_offer_as(&near, whole, unit);
    }
    pc_near_text(&near, out, size);
}

static enum pc_status unknown(const struct pc_names *n, unsigned domain, const char *name,
                              struct pc_error *err)
{
    bool one = domain != PC_NAMES_ANY;
    char near[200];
    enum pc_status status =
        pc_fail(err, 1400, "%s%s of %s has %s signal \"%.60s\"", one ? "domain " : "no domain",
                one ? n->domain[domain].place.name : "", n->chip->name, one ? "no" : "a", name);

    pc_names_near(n, domain, name, near, sizeof near);
    for (unsigned d = 0; one && d < n->domains; d++) {
        if (!search(n, d, name))
            continue;
        pc_hint(err, "domain %s has it%s%s", n->domain[d].place.name,
                near[0] ? "; similar names: " : "", near);
        return status;
    }
    const bool here = near[0];
    if (!here && one)
        pc_names_near(n, PC_NAMES_ANY, name, near, sizeof near);
    if ((name[0] == 's' || name[0] == 'S') && pc_is_hex(name[1]) && !name[2])
        pc_hint(err, "signals by position have two hexadecimal digits: s0%c", name[1]);
    else if (near[0])
        pc_hint(err, here ? "did you mean %s?" : "did you mean %s, of another domain?", near);
    else
        pc_hint(err,
                "`pcounter list signals -a %s` shows what there is; s2a is a signal by its "
                "position in hexadecimal",
                n->chip->name);
    return status;
}

/* Finds a signal by its position, where one domain, or units that are alike, have it. */
static enum pc_status position_anywhere(const struct pc_names *n, const char *name,
                                        unsigned position, struct pc_signal *out,
                                        struct pc_error *err)
{
    unsigned found = UINT_MAX;

    for (unsigned d = 0; d < n->domains; d++) {
        const struct pc_chip_domain *here = &n->domain[d].place;
        if (position >= n->domain[d].info.size)
            continue;
        if (found == UINT_MAX)
            found = d;
        const struct pc_chip_domain *first = &n->domain[found].place;
        if (first->set == here->set && first->domain == here->domain)
            continue;
        enum pc_status status = pc_fail(err, 1401, "domains %s and %s of %s have a signal s%02x",
                                        first->name, here->name, n->chip->name, position);
        pc_hint(err, "name the domain");
        return status;
    }
    if (found == UINT_MAX)
        return pc_fail(err, 1403, "no domain of %s has a signal %.20s", n->chip->name, name);
    (void)pc_names_position(n, found, position, out);
    return PC_OK;
}

static enum pc_status find_anywhere(const struct pc_names *n, const char *name,
                                    const struct nm_entry **out, struct pc_error *err)
{
    const struct nm_entry *found = NULL;

    for (unsigned d = 0; d < n->domains; d++) {
        const struct nm_entry *e = search(n, d, name);
        if (found && e && !same_in_units(n, found, e))
            return ambiguous(n, name, found, e, err);
        found = found ? found : e;
    }
    *out = found;
    return found ? PC_OK : unknown(n, PC_NAMES_ANY, name, err);
}

enum pc_status pc_names_find(const struct pc_names *n, unsigned domain, const char *name,
                             struct pc_signal *out, struct pc_error *err)
{
    const struct nm_entry *found;
    unsigned position;

    if (domain == PC_NAMES_ANY) {
        if (nm_by_position(name, &position))
            return position_anywhere(n, name, position, out, err);
        enum pc_status status = find_anywhere(n, name, &found, err);
        if (status == PC_OK)
            show(n, found, out);
        return status;
    }
    if (domain >= n->domains)
        return pc_fail(err, 1402, "%s has no domain %u", n->chip->name, domain);
    found = search(n, domain, name);
    if (found) {
        show(n, found, out);
        return PC_OK;
    }
    if (!nm_by_position(name, &position))
        return unknown(n, domain, name, err);
    if (pc_names_position(n, domain, position, out))
        return PC_OK;
    return pc_fail(err, 1403, "domain %s of %s has signals s00 to s%02x, and no %.20s",
                   n->domain[domain].place.name, n->chip->name, n->domain[domain].info.size - 1u,
                   name);
}
