/* SPDX-License-Identifier: MIT */
/* pcounter list signals, domains: what the domains of a chip are and what their signals mean. */
#include "list.h"

#include <string.h>

/* Returns "SUSPECT" where people read, "suspect" for programs. */
static const char *trust(enum pc_confidence confidence, bool text)
{
    return confidence == PC_CONF_SUSPECT && text ? "SUSPECT" : pc_confidence_name(confidence);
}

/* Returns true if it is shown. Of GPCs and partitions, which are alike, the first is unless one is
 * asked for. */
static bool shown(const struct list_request *r, const struct pc_chip_domain *place,
                  const struct pc_signal *s)
{
    if (!r->domain_name && place->unit > 0 && s->confidence != PC_CONF_USER)
        return false;
    if (list_wanted(r, s->name, s->name))
        return true;
    for (const char *alias = s->aliases; *alias; alias += strspn(alias, " ")) {
        char word[64];
        size_t size = strcspn(alias, " ");
        snprintf(word, sizeof word, "%.*s", (int)size, alias);
        if (list_wanted(r, word, word))
            return true;
        alias += size;
    }
    return false;
}

static void signal_row(struct list_table *t, const struct pc_chip *chip,
                       const struct pc_chip_domain *place, const struct pc_signal *s)
{
    bool text = t->r->text;
    char position[8], filter[24] = "", mux[600];

    snprintf(position, sizeof position, "0x%02x", s->position);
    if (s->filter >= 0)
        snprintf(filter, sizeof filter, text ? "FILTER[%d]" : "%d", s->filter);
    snprintf(mux, sizeof mux, "%s%s%s", s->mux, text && s->mux[0] && filter[0] ? " " : "",
             text ? filter : "");
    const char *person[] = { place->name,
                             position,
                             s->name,
                             s->aliases[0] ? s->aliases : "-",
                             mux[0] ? mux : "-",
                             trust(s->confidence, true),
                             s->origin,
                             s->about };
    const char *program[] = { chip->name, place->name, position, s->name,
                              s->aliases, mux,         filter,   trust(s->confidence, false),
                              s->origin,  s->about };
    list_table_row(t, text ? person : program);
}

/* Walks all that are wanted, or only counts them: how many of them are suspect is told as well. */
static size_t walk(const struct list_request *r, unsigned first, unsigned last,
                   struct list_table *t, size_t *suspect)
{
    struct pc_chip_domain place;
    struct pc_signal s;
    size_t count = 0;

    *suspect = 0;
    for (unsigned d = first; d <= last && pc_chip_get_domain(r->chip, d, &place); d++) {
        for (size_t i = 0; pc_names_at(r->names, d, i, &s); i++) {
            if (!shown(r, &place, &s))
                continue;
            count++;
            *suspect += s.confidence == PC_CONF_SUSPECT;
            if (t)
                signal_row(t, r->chip, &place, &s);
        }
    }
    return count;
}

/* Writes a pattern without its wild cards, to find names near it. */
static void plain(const char *pattern, char *out, size_t size)
{
    size_t n = 0;

    for (; *pattern && n + 1 < size; pattern++)
        if (*pattern != '*' && *pattern != '?')
            out[n++] = *pattern;
    out[n] = '\0';
}

static int no_signal(const struct list_request *r, unsigned domain)
{
    char what[80], near[200] = "", name[100];

    plain(r->pattern ? r->pattern : "", name, sizeof name);
    if (name[0])
        pc_names_near(r->names, domain, name, near, sizeof near);
    if (r->domain_name)
        snprintf(what, sizeof what, "signal of domain %.20s of %s", r->domain_name, r->chip->name);
    else
        snprintf(what, sizeof what, "signal of %s", r->chip->name);
    return list_no_match(what, r->pattern ? r->pattern : "", near);
}

int list_signals(const struct list_request *r)
{
    static const char *const titles[] = { "DOM", "POS",        "NAME",   "OTHER NAMES",
                                          "MUX", "CONFIDENCE", "ORIGIN", "ABOUT" };
    static const int widths[] = { -7, -4, -26, -20, -12, -10, -11, -1 };
    struct list_table t = { r, titles, widths, 8, 0, NULL };
    unsigned first = 0, last = UINT32_MAX - 1;
    size_t suspect;
    struct pc_error err;

    if (r->domain_name) {
        if (pc_chip_find_domain(r->chip, r->domain_name, &first, &err) != PC_OK)
            return cli_error(&err, NULL, NULL);
        last = first;
    }
    if (walk(r, first, last, NULL, &suspect) == 0)
        return list_table_none(&t, no_signal(r, r->domain_name ? first : PC_NAMES_ANY));
    list_table_begin(&t);
    walk(r, first, last, &t, &suspect);
    if (suspect > 0)
        cli_note(203, "%zu of these names are SUSPECT: probably wrong on %s", suspect,
                 r->chip->name);
    return list_table_end(&t, "signal");
}

/* ---- domains ---- */

int list_domains(const struct list_request *r)
{
    static const char *const titles[] = { "DOM", "SIGNALS", "TRAILER", "NAMED", "SIZE", "CLOCK" };
    static const int widths[] = { -7, 7, -7, 5, -10, -1 };
    struct list_table t = { r, titles, widths, 6, 0, NULL };
    bool text = r->text;
    struct pc_chip_domain place;
    struct pc_chip of_set;
    struct pc_error err;

    list_table_begin(&t);
    for (unsigned d = 0; pc_chip_get_domain(r->chip, d, &place); d++) {
        char size[16], base[16], named[24];
        if (pc_chip_of_set(r->chip, place.set, &of_set, &err) != PC_OK)
            return list_table_fail(&t, cli_error(&err, NULL, NULL));
        const struct pc_domain_info *info = &of_set.domain[place.domain];
        if (!list_wanted(r, place.name, info->clock))
            continue;
        snprintf(size, sizeof size, "%u", info->size);
        snprintf(base, sizeof base, "0x%02x", info->trailer_base);
        snprintf(named, sizeof named, "%zu", pc_names_count(r->names, d));
        const char *known = info->assumed ? "assumed" : "documented";
        const char *clock = info->clock[0] ? info->clock : "not known";
        const char *person[] = { place.name, size, base, named, known, clock };
        const char *program[] = { place.name, size, base, named, info->assumed ? "yes" : "no",
                                  info->clock };
        list_table_row(&t, text ? person : program);
    }
    return list_table_end(&t, "domain");
}
