/* SPDX-License-Identifier: MIT */
/* pcounter list sources, filters, profiler: tables of what others select and count. */
#include "list.h"

#include <string.h>

int list_none(const struct list_request *r, const char *what)
{
    char of[60];

    snprintf(of, sizeof of, "%s%s%s", what, r->chip ? " of " : "", r->chip ? r->chip->name : "");
    if (!r->pattern && r->chip) {
        cli_note(202, "there is no %s", of);
        return CLI_NO;
    }
    return list_no_match(of, r->pattern ? r->pattern : "*", "");
}

bool list_on_chip(const struct list_request *r, const char *chips)
{
    return !r->chip || pc_names_chip_listed(chips, r->chip->name);
}

void list_domain_text(enum pc_set set, unsigned domain, char out[16])
{
    snprintf(out, 16, "%s%u", cli_set_name(set), domain % 1000);
}

/* ---- sources ---- */

/* Returns the signals of the chip that a group selects: "1:vfetch.mux_0 1:vfetch.mux_1", or how
 * many. */
static size_t selected(const struct pc_names *names, const char *group, char *out, size_t size)
{
    struct pc_chip_domain place;
    struct pc_signal s;
    size_t count = 0, used = 0;

    out[0] = '\0';
    for (unsigned d = 0; pc_chip_get_domain(pc_names_chip(names), d, &place); d++) {
        for (size_t i = 0; place.unit == 0 && pc_names_at(names, d, i, &s); i++) {
            if (strcmp(s.mux, group) != 0)
                continue;
            int n =
                snprintf(out + used, size - used, "%s%s:%s", count ? " " : "", place.name, s.name);
            used += n > 0 && (size_t)n < size - used ? (size_t)n : 0;
            count++;
        }
    }
    return count;
}

static void first_word(const char *list, char out[16])
{
    snprintf(out, 16, "%.*s", (int)strcspn(list, " "), list);
}

static int source_row(struct list_table *t, const struct list_request *r, const struct pc_source *s)
{
    char address[16], bits[16], chip[16], behind[2000], count[24];
    unsigned width = 0;
    struct pc_names *names = r->names;
    struct pc_error err;

    first_word(s->chips, chip);
    if (!names && pc_names_open(NULL, pc_chip_find(chip), &names, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    while (width < 32 && s->mask >> width)
        width++;
    snprintf(address, sizeof address, "0x%06x", (unsigned)s->address);
    if (width > 1)
        snprintf(bits, sizeof bits, "[%u:%u]", s->shift + width - 1, s->shift);
    else
        snprintf(bits, sizeof bits, "[%u]", s->shift);
    snprintf(count, sizeof count, "%zu", selected(names, s->group, behind, sizeof behind));
    if (!r->names)
        pc_names_close(names);
    const char *person[] = { s->group, address, bits,    s->enable ? "31" : "-",
                             count,    s->name, s->chips };
    const char *program[] = { s->group,
                              s->name,
                              address,
                              bits,
                              s->enable ? "yes" : "no",
                              behind,
                              s->chips,
                              pc_confidence_name(s->confidence),
                              s->origin };
    list_table_row(t, t->r->text ? person : program);
    return CLI_OK;
}

static bool source_wanted(const struct list_request *r, const struct pc_source *s)
{
    return list_on_chip(r, s->chips) && list_wanted(r, s->name, s->group);
}

int list_sources(const struct list_request *r)
{
    static const char *const titles[] = { "GROUP",   "ADDRESS", "BITS", "ENABLE",
                                          "SIGNALS", "SOURCE",  "CHIPS" };
    static const int widths[] = { -12, -8, -7, -6, 7, -40, -1 };
    bool any = false;
    struct list_table t = { r, titles, widths, 7, 0, NULL };
    struct pc_source s;

    for (size_t i = 0; pc_source_at(i, &s); i++)
        any = any || source_wanted(r, &s);
    if (!any)
        return list_table_none(&t, list_none(r, "source"));
    list_table_begin(&t);
    for (size_t i = 0; pc_source_at(i, &s); i++) {
        int code = source_wanted(r, &s) ? source_row(&t, r, &s) : CLI_OK;
        if (code != CLI_OK)
            return list_table_fail(&t, code);
    }
    return list_table_end(&t, "source");
}

/* ---- filters ---- */

static bool filter_wanted(const struct list_request *r, const struct pc_filter_source *f)
{
    char domain[16];

    list_domain_text(f->set, f->domain, domain);
    return list_on_chip(r, f->chip) && list_wanted(r, f->unit, domain);
}

int list_filters(const struct list_request *r)
{
    static const char *const titles[] = { "CHIP", "DOM", "BIT", "UNIT", "CONFIDENCE", "ORIGIN" };
    static const int widths[] = { -6, -5, 3, -12, -10, -1 };
    struct list_table t = { r, titles, widths, 6, 0, NULL };
    struct pc_filter_source f;
    bool any = false;

    for (size_t i = 0; pc_filter_source_at(i, &f); i++)
        any = any || filter_wanted(r, &f);
    if (!any)
        return list_table_none(&t, list_none(r, "filter"));
    list_table_begin(&t);
    for (size_t i = 0; pc_filter_source_at(i, &f); i++) {
        char domain[16], bit[16];
        list_domain_text(f.set, f.domain, domain);
        snprintf(bit, sizeof bit, "%u", f.bit);
        const char *unit = r->text && !f.unit[0] ? "-" : f.unit;
        const char *cell[] = {
            f.chip, domain, bit, unit, pc_confidence_name(f.confidence), f.origin
        };
        if (filter_wanted(r, &f))
            list_table_row(&t, cell);
    }
    return list_table_end(&t, "filter");
}

/* ---- profiler ---- */

int list_profiler(const struct list_request *r)
{
    static const char *const titles[] = { "METRIC", "PASSES", "UNIT", "CHIPS", "EVENTS" };
    static const int widths[] = { -36, 6, -4, -23, -1 };
    bool text = r->text, any = false;
    struct list_table t = { r, titles, widths, 5, 0, NULL };
    struct pc_profiler_metric m;

    for (size_t i = 0; pc_profiler_metric_at(i, &m); i++)
        any = any || (list_on_chip(r, m.chips) && list_wanted(r, m.name, m.name));
    if (!any)
        return list_table_none(&t, list_none(r, "metric of the profiler"));
    list_table_begin(&t);
    for (size_t i = 0; pc_profiler_metric_at(i, &m); i++) {
        char passes[16];
        snprintf(passes, sizeof passes, "%u", m.passes);
        const char *person[] = { m.name, passes, m.unit[0] ? m.unit : "-", m.chips, m.events };
        const char *program[] = { m.chips, m.name,   passes,
                                  m.unit,  m.events, pc_confidence_name(m.confidence),
                                  m.origin };
        if (list_on_chip(r, m.chips) && list_wanted(r, m.name, m.name))
            list_table_row(&t, text ? person : program);
    }
    return list_table_end(&t, "metric");
}
