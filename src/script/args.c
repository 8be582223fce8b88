/* SPDX-License-Identifier: MIT */
/*
 * Arguments of commands: hexadecimal numbers, decimal counts, domains and signals.
 * Every error says what was expected at which column.  Domains are numbers on NV10:GF100,
 * and hub0, gpc0.1, part1.0 on GF100+.  Signals go by number, or by the names of names.h.
 */
#include "script/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "base/text.h"
#include "model/chips/domains.h"

/* The text of the error quotes the script: enough of a word to recognise it. */
#define SHOWN 60

enum pc_status sc_need(struct sc_cursor *c, const char *what, struct sc_text *out,
                       struct pc_error *err)
{
    enum pc_status status = sc_word(c, out, err);

    if (status == PC_END)
        return pc_fail_at(err, 803, c->line, out->column, "the line ends where %s is expected",
                          what);
    return status;
}

static bool has_0x(const struct sc_text *word)
{
    return word->size > 2 && word->at[0] == '0' && (word->at[1] == 'x' || word->at[1] == 'X');
}

enum parsed { PARSED, MALFORMED, TOO_LARGE };

static enum parsed parse_number(const struct sc_text *word, unsigned base, uint64_t limit,
                                uint64_t *out)
{
    size_t i = base == 16 && has_0x(word) ? 2 : 0;
    uint64_t value = 0;
    bool large = false;

    if (word->quoted || word->size == 0)
        return MALFORMED;
    for (; i < word->size; i++) {
        int d = pc_hex_digit(word->at[i]);
        if (d < 0 || (unsigned)d >= base)
            return MALFORMED;
        large |= value > (UINT64_MAX - (unsigned)d) / base;
        value = large ? 0 : value * base + (unsigned)d;
        large |= value > limit;
    }
    *out = value;
    return large ? TOO_LARGE : PARSED;
}

static enum pc_status hex_text(const struct sc_cursor *c, const struct sc_text *word,
                               const char *what, uint32_t *out, struct pc_error *err)
{
    uint64_t value;
    char shown[SHOWN];

    switch (parse_number(word, 16, UINT32_MAX, &value)) {
    case MALFORMED:
        return pc_fail_at(err, 805, c->line, word->column,
                          "\"%s\" is not %s: a hexadecimal number is expected",
                          sc_show(word, shown, sizeof shown), what);
    case TOO_LARGE:
        return pc_fail_at(err, 806, c->line, word->column, "%s is %s and does not fit in 32 bits",
                          what, sc_show(word, shown, sizeof shown));
    case PARSED:
        break;
    }
    *out = (uint32_t)value;
    return PC_OK;
}

enum pc_status sc_hex(struct sc_cursor *c, const char *what, uint32_t *out, struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_need(c, what, &word, err);

    return status ? status : hex_text(c, &word, what, out, err);
}

enum pc_status sc_hex_or_end(struct sc_cursor *c, const char *what, struct sc_text *word,
                             uint32_t *out, bool *given, struct pc_error *err)
{
    enum pc_status status = sc_word(c, word, err);

    *given = status != PC_END;
    if (status)
        return status == PC_END ? PC_OK : status;
    return hex_text(c, word, what, out, err);
}

/* Reads I[14300] or I[0x14300], which are hexadecimal like all addresses. */
static enum pc_status io_address(const struct sc_parser *p, const struct sc_cursor *c,
                                 const struct sc_text *word, struct sc_command *out,
                                 struct pc_error *err)
{
    const struct sc_text inside = { .at = word->at + 2,
                                    .size = word->size - 3,
                                    .column = word->column + 2 };
    uint32_t host;
    enum pc_status status = hex_text(c, &inside, "an address", &out->address, err);

    if (status)
        return status;
    if (!p->chip->idle_counters)
        return sc_no_idle_counters(p, c, out, err);
    if (pc_idle_address(p->chip, PC_IDLE_IO, out->address, &host)) {
        out->io = true;
        return PC_OK;
    }
    (void)pc_idle_address(p->chip, PC_IDLE_HOST, 0x10a500, &host); /* the first of them, in I[] */
    status = pc_fail_at(err, 880, c->line, word->column,
                        "I[%" PRIx32 "] is not a register of the idle counters of %s", out->address,
                        p->chip->name);
    pc_hint(err,
            "they begin at I[%" PRIx32 "]; `pcounter list registers -a %s 'PDAEMON.*'` shows them",
            host, p->chip->name);
    return status;
}

enum pc_status sc_address(const struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                          struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_need(c, "an address", &word, err);

    if (status)
        return status;
    if (out->size == 4 && word.size > 3 && word.at[0] == 'I' && word.at[1] == '[' &&
        word.at[word.size - 1] == ']')
        return io_address(p, c, &word, out, err);
    status = hex_text(c, &word, "an address", &out->address, err);
    if (status)
        return status;
    if (out->address >= SC_ADDRESS_END)
        return pc_fail_at(err, 814, c->line, word.column,
                          "0x%08" PRIx32 " is beyond the 16 MiB of registers", out->address);
    if (out->address % out->size != 0)
        return pc_fail_at(err, 814, c->line, word.column, "0x%06" PRIx32 " is not a multiple of %u",
                          out->address, out->size);
    return PC_OK;
}

enum pc_status sc_count_text(const struct sc_cursor *c, const struct sc_text *word,
                             const char *what, uint64_t limit, uint64_t *out, struct pc_error *err)
{
    char shown[SHOWN];
    uint64_t value;
    enum pc_status status;

    switch (parse_number(word, 10, limit, &value)) {
    case MALFORMED:
        status = pc_fail_at(err, 805, c->line, word->column,
                            "\"%s\" is not %s: a decimal number is expected",
                            sc_show(word, shown, sizeof shown), what);
        if (parse_number(word, 16, limit, &value) == PARSED)
            pc_hint(err, "counts are decimal: %" PRIu64 " if this is hexadecimal", value);
        return status;
    case TOO_LARGE:
        return pc_fail_at(err, 806, c->line, word->column,
                          "%s is %s; at most %" PRIu64 " is possible", what,
                          sc_show(word, shown, sizeof shown), limit);
    case PARSED:
        break;
    }
    *out = value;
    return PC_OK;
}

enum pc_status sc_count(struct sc_cursor *c, const char *what, uint64_t limit, uint64_t *out,
                        struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_need(c, what, &word, err);

    return status ? status : sc_count_text(c, &word, what, limit, out, err);
}

enum pc_status sc_count_or_end(struct sc_cursor *c, const char *what, uint64_t limit, uint64_t *out,
                               bool *given, struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_word(c, &word, err);

    *given = status != PC_END;
    if (status)
        return status == PC_END ? PC_OK : status;
    return sc_count_text(c, &word, what, limit, out, err);
}

static bool starts_with(const struct sc_text *word, const char *prefix)
{
    size_t n = strlen(prefix);

    return word->size >= n && memcmp(word->at, prefix, n) == 0;
}

static bool is_place(const struct sc_text *word)
{
    return starts_with(word, "hub") || starts_with(word, "gpc") || starts_with(word, "part");
}

/* NV10:GF100: a number. */
static enum pc_status domain_number(const struct sc_cursor *c, const struct sc_text *word,
                                    const struct pc_chip *chip, unsigned *out, struct pc_error *err)
{
    char shown[SHOWN];
    uint64_t value;
    enum parsed parsed = parse_number(word, 10, chip->domains - 1, &value);
    enum pc_status status;

    if (parsed == PARSED && chip->domains > 0) {
        *out = (unsigned)value;
        return PC_OK;
    }
    sc_show(word, shown, sizeof shown);
    if (is_place(word))
        status = pc_fail_at(err, 810, c->line, word->column,
                            "domain %s is not on this chip: such domains are on "
                            "GF100 and later",
                            shown);
    else if (parsed == MALFORMED)
        status = pc_fail_at(err, 805, c->line, word->column,
                            "\"%s\" is not a domain: a decimal number is expected", shown);
    else
        status =
            pc_fail_at(err, 810, c->line, word->column, "%s has no domain %s", chip->name, shown);
    if (chip->domains == 0)
        pc_hint(err, "%s has no PCOUNTER", chip->name);
    else if (chip->domains == 1)
        pc_hint(err, "%s has domain 0 only", chip->name);
    else
        pc_hint(err, "%s has domains 0 to %u", chip->name, chip->domains - 1);
    return status;
}

/* GF100+: hub0, gpc0.1, part1.0. */
static enum pc_status domain_name(const struct sc_cursor *c, const struct sc_text *word,
                                  const struct pc_chip *chip, unsigned *out, struct pc_error *err)
{
    char shown[SHOWN], names[200];
    unsigned domain;
    uint64_t number;
    enum pc_status status;

    sc_show(word, shown, sizeof shown); /* cut where it is longer than any name */
    if (!word->quoted && pc_chip_find_domain(chip, shown, &domain, NULL) == PC_OK) {
        *out = domain;
        return PC_OK;
    }
    if (is_place(word) || parse_number(word, 10, UINT32_MAX, &number) != MALFORMED)
        status =
            pc_fail_at(err, 810, c->line, word->column, "%s has no domain %s", chip->name, shown);
    else
        status = pc_fail_at(err, 805, c->line, word->column,
                            "\"%s\" is not a domain: hub0, gpc0.1 or the like is expected", shown);
    pc_domain_names(chip, names, sizeof names);
    pc_hint(err, "%s has domains %s", chip->name, names);
    return status;
}

static enum pc_status domain_text(const struct sc_cursor *c, const struct sc_text *word,
                                  const struct pc_chip *chip, unsigned *out, struct pc_error *err)
{
    return (chip->layout == PC_LAYOUT_GF100 ? domain_name : domain_number)(c, word, chip, out, err);
}

struct sc_domain_name sc_domain_name(const struct pc_chip *chip, unsigned domain)
{
    struct sc_domain_name name = { "pdaemon" };
    struct pc_chip_domain d;

    if (pc_chip_get_domain(chip, domain, &d))
        memcpy(name.text, d.name, sizeof name.text);
    return name;
}

enum pc_status sc_domain(struct sc_cursor *c, const struct pc_chip *chip, unsigned *out,
                         struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_need(c, "a domain", &word, err);

    return status ? status : domain_text(c, &word, chip, out, err);
}

/* Writes "pm_trigger", "dom3.flag": names of driven signals, as the lists of signals have them. */
static void driven_name(struct pc_signal_info info, char *out, size_t size)
{
    static const char *const plain[] = {
        [PC_SIG_ZERO] = "zero",
        [PC_SIG_PERIODIC] = "periodic",
        [PC_SIG_PM_TRIGGER] = "pm_trigger",
        [PC_SIG_WRCACHE_FLUSH] = "wrcache_flush",
        [PC_SIG_PAUSED] = "paused",
    };

    switch (info.kind) {
    case PC_SIG_DOM_EVENT:
    case PC_SIG_DOM_FLAG:
        snprintf(out, size, "dom%u.%s", info.index,
                 info.kind == PC_SIG_DOM_FLAG ? "flag" : "event");
        return;
    case PC_SIG_USER:
        snprintf(out, size, "user_%u", info.index);
        return;
    default:
        snprintf(out, size, "%s", plain[info.kind]);
        return;
    }
}

/* A domain as its set sees it. */
struct view {
    struct pc_chip chip; /* with the domains of the set */
    unsigned domain;     /* within the set */
    unsigned size;       /* signals */
    struct sc_domain_name name;
};

static enum pc_status see(const struct pc_chip *chip, unsigned domain, struct view *out,
                          struct pc_error *err)
{
    struct pc_chip_domain d = { .set = PC_SET_ALL };

    (void)pc_chip_get_domain(chip, domain, &d); /* the domain was found by name */
    enum pc_status status = pc_chip_of_set(chip, d.set, &out->chip, err);
    if (status)
        return status;
    out->domain = d.domain;
    out->size = out->chip.domain[d.domain].size;
    out->name = sc_domain_name(chip, domain);
    return PC_OK;
}

bool sc_drives(const struct pc_chip *chip, enum pc_signal_kind kind)
{
    struct pc_chip_domain d;
    struct view view;

    for (unsigned x = 0; pc_chip_get_domain(chip, x, &d); x++)
        if (see(chip, x, &view, NULL) == PC_OK &&
            pc_chip_signal_position(&view.chip, view.domain, kind, 0) >= 0)
            return true;
    return false;
}

static enum pc_status driven(const struct sc_cursor *c, const struct sc_text *word,
                             const struct view *view, unsigned signal, struct pc_error *err)
{
    struct pc_signal_info info = pc_chip_signal(&view->chip, view->domain, signal);
    char name[24];

    driven_name(info, name, sizeof name);
    enum pc_status status =
        pc_fail_at(err, 812, c->line, word->column,
                   "signal 0x%02x of domain %s is %s: the unit drives it itself", signal,
                   view->name.text, name);
    if (info.kind == PC_SIG_PM_TRIGGER || info.kind == PC_SIG_WRCACHE_FLUSH)
        pc_hint(err, "use `pulse %s`", name);
    return status;
}

static enum pc_status open_names(struct sc_parser *p, struct pc_error *err)
{
    if (p->names)
        return PC_OK;
    if (!p->open_names)
        return pc_names_open(p->alloc, p->chip, &p->names, err);
    enum pc_status status = p->open_names(p->ctx, p->chip, &p->names, err);
    if (status == PC_END) /* to the parser an end of lines */
        status = pc_fail_at(err, 822, p->line, 0, "the names of %s were not opened", p->chip->name);
    return status;
}

/* A name: of a raw signal, of a driven one, or of none. */
static enum pc_status named(struct sc_parser *p, const struct sc_cursor *c,
                            const struct sc_text *word, unsigned domain, const struct view *view,
                            unsigned *out, struct pc_error *err)
{
    char shown[SHOWN], near[200];
    struct pc_signal signal;
    struct pc_error why;
    enum pc_status status = open_names(p, err);

    if (status)
        return status;
    sc_show(word, shown, sizeof shown);
    status = pc_names_find(p->names, domain, shown, &signal, &why);
    if (status == PC_OK && signal.kind != PC_SIG_RAW)
        return driven(c, word, view, signal.position, err);
    if (status == PC_OK) {
        *out = signal.position;
        return PC_OK;
    }
    if (status != PC_ENOENT)
        return pc_fail_at(err, why.code, c->line, word->column, "%s", why.text);
    status =
        pc_fail_at(err, 811, c->line, word->column, "\"%s\" is not a signal of domain %s of %s",
                   shown, view->name.text, view->chip.name);
    pc_names_near(p->names, domain, shown, near, sizeof near);
    pc_hint(err, "signals go by number, 0 to %x in hexadecimal, or by name%s%s", view->size - 1,
            near[0] ? ": " : "", near);
    return status;
}

enum pc_status sc_signal_text(struct sc_parser *p, const struct sc_cursor *c,
                              const struct sc_text *word, unsigned domain, unsigned *out,
                              struct pc_error *err)
{
    char shown[SHOWN];
    uint64_t value;
    struct view view;
    enum pc_status status = see(p->chip, domain, &view, err);

    if (status)
        return status;
    switch (parse_number(word, 16, view.size - 1, &value)) {
    case MALFORMED:
        return named(p, c, word, domain, &view, out, err);
    case TOO_LARGE:
        status = pc_fail_at(err, 811, c->line, word->column, "domain %s of %s has no signal %s",
                            view.name.text, p->chip->name, sc_show(word, shown, sizeof shown));
        pc_hint(err, "its signals are 0 to %x", view.size - 1);
        return status;
    case PARSED:
        break;
    }
    if (pc_chip_signal(&view.chip, view.domain, (unsigned)value).kind != PC_SIG_RAW)
        return driven(c, word, &view, (unsigned)value, err);
    *out = (unsigned)value;
    return PC_OK;
}

enum pc_status sc_signal(struct sc_parser *p, struct sc_cursor *c, unsigned domain, unsigned *out,
                         struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_need(c, "a signal", &word, err);

    return status ? status : sc_signal_text(p, c, &word, domain, out, err);
}

enum pc_status sc_done(struct sc_cursor *c, struct pc_error *err)
{
    struct sc_text word;
    char shown[SHOWN];
    enum pc_status status = sc_word(c, &word, err);

    if (status == PC_END)
        return PC_OK;
    if (status)
        return status;
    return pc_fail_at(err, 804, c->line, word.column, "\"%s\" is left over after the last argument",
                      sc_show(&word, shown, sizeof shown));
}

enum pc_status sc_no_idle_counters(const struct sc_parser *p, const struct sc_cursor *c,
                                   const struct sc_command *out, struct pc_error *err)
{
    return pc_fail_at(err, 808, c->line, out->column, "%s has no PDAEMON idle counters",
                      p->chip->name);
}

enum pc_status sc_clocked_text(const struct sc_parser *p, const struct sc_cursor *c,
                               const struct sc_text *word, struct sc_command *out,
                               struct pc_error *err)
{
    if (!sc_is(word, "pdaemon"))
        return domain_text(c, word, p->chip, &out->domain, err);
    out->domain = PC_DOM_PDAEMON;
    return p->chip->idle_counters ? PC_OK : sc_no_idle_counters(p, c, out, err);
}
