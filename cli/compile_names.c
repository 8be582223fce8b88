/* SPDX-License-Identifier: MIT */
/*
 * Names of the signals of a domain: those that the counter unit drives itself by name, all
 * by position: s2a, or s[42], or s[45:42] as a vector.
 */
#include "compile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Signals that the unit drives; %u is the index of the signal. */
static const struct {
    const char *name;
    enum pc_signal_kind kind;
    bool indexed;
} driven[] = {
    { "dom[%u].event", PC_SIG_DOM_EVENT, true },
    { "dom[%u].flag", PC_SIG_DOM_FLAG, true },
    { "user_%u", PC_SIG_USER, true },
    { "periodic", PC_SIG_PERIODIC, false },
    { "pm_trigger", PC_SIG_PM_TRIGGER, false },
    { "wrcache_flush", PC_SIG_WRCACHE_FLUSH, false },
};
#define DRIVEN (sizeof driven / sizeof driven[0])

enum pc_status compile_names_of(const struct pc_chip *chip, unsigned domain,
                                struct compile_names *out, struct pc_error *err)
{
    out->chip = chip;
    if (!pc_chip_domain(chip, domain, &out->place)) {
        *err = (struct pc_error){ .status = PC_EINPUT, .code = 340 };
        snprintf(err->text, sizeof err->text, "%s has no domain %u", chip->name, domain);
        return err->status;
    }
    return pc_chip_of_set(chip, out->place.set, &out->of_set, err);
}

static void fail(struct pc_error *err, const char *what, const char *name, const char *hint)
{
    *err = (struct pc_error){ .status = PC_ENOENT, .code = 342 };
    snprintf(err->text, sizeof err->text, "\"%.100s\" %s", name, what);
    snprintf(err->hint, sizeof err->hint, "%s", hint);
}

static int driven_position(const struct compile_names *n, const char *name)
{
    char text[32];

    if (strcmp(name, "flag") == 0)
        return pc_chip_signal_position(&n->of_set, n->place.domain, PC_SIG_DOM_FLAG,
                                       n->place.domain);
    for (size_t d = 0; d < DRIVEN; d++)
        for (unsigned i = 0; i < (driven[d].indexed ? PC_MAX_DOMAINS : 1u); i++) {
            if (driven[d].kind == PC_SIG_DOM_EVENT)
                snprintf(text, sizeof text, "dom[%u].event", i);
            else if (driven[d].kind == PC_SIG_DOM_FLAG)
                snprintf(text, sizeof text, "dom[%u].flag", i);
            else if (driven[d].kind == PC_SIG_USER)
                snprintf(text, sizeof text, "user_%u", i);
            else
                snprintf(text, sizeof text, "%s", driven[d].name);
            if (strcmp(text, name) == 0)
                return pc_chip_signal_position(&n->of_set, n->place.domain, driven[d].kind, i);
        }
    return -1;
}

static bool is_driven_name(const char *name)
{
    static const char *const starts[] = { "dom[",       "user_", "periodic",
                                          "pm_trigger", "flag",  "wrcache_flush" };

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* s2a, s[42], s[45:42]; false if the name is not of that form. */
static bool by_position(const char *name, unsigned long *high, unsigned long *low)
{
    char *end;

    if (name[0] != 's')
        return false;
    if (name[1] == '[') {
        if (!isdigit((unsigned char)name[2]))
            return false;
        *high = *low = strtoul(name + 2, &end, 10);
        if (*end == ':' && isdigit((unsigned char)end[1]))
            *low = strtoul(end + 1, &end, 10);
        return end[0] == ']' && end[1] == '\0';
    }
    if (!isxdigit((unsigned char)name[1]) || !isxdigit((unsigned char)name[2]) || name[3] != '\0')
        return false;
    *high = *low = strtoul(name + 1, NULL, 16);
    return true;
}

enum pc_status compile_lookup(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, struct pc_error *err)
{
    const struct compile_names *n = ctx;
    unsigned size = n->of_set.domain[n->place.domain].size;
    unsigned long high, low;
    int position = driven_position(n, name);

    if (position < 0 && is_driven_name(name)) {
        fail(err, "is not a signal of this domain", name,
             "`pcounter list chips` shows which generation has which signals");
        return err->status;
    }
    if (position >= 0) {
        high = low = (unsigned long)position;
    } else if (!by_position(name, &high, &low)) {
        fail(err, "is not a name of a signal", name,
             "signals are s00 to sff by position, s[42] or s[45:42] in decimal, flag, "
             "dom[N].event, dom[N].flag, user_N, periodic, pm_trigger");
        return err->status;
    }
    if (high >= size || low > high || high - low >= capacity) {
        fail(err, "is outside of the domain", name, "");
        snprintf(err->hint, sizeof err->hint, "domain %s of %s has signals s00 to s%02x",
                 n->place.name, n->chip->name, size - 1);
        return err->status;
    }
    *count = high - low + 1;
    for (size_t i = 0; i < *count; i++)
        wires[i] = (uint32_t)(low + i);
    return PC_OK;
}

enum pc_status compile_signal(struct compile_names *names, const char *name, uint8_t *out,
                              struct pc_error *err)
{
    uint32_t wire[PC_MAX_SIGNALS];
    size_t count = 0;
    enum pc_status status = compile_lookup(names, name, wire, PC_MAX_SIGNALS, &count, err);

    if (status == PC_OK && count != 1) {
        fail(err, "is more than one signal", name, "name one");
        status = err->status;
    }
    if (status == PC_OK)
        *out = (uint8_t)wire[0];
    return status;
}

void compile_name(const struct compile_names *names, unsigned signal, char *out, size_t size)
{
    struct pc_signal_info s = pc_chip_signal(&names->of_set, names->place.domain, signal);

    switch (s.kind) {
    case PC_SIG_DOM_EVENT:
        snprintf(out, size, "dom[%u].event", s.index);
        break;
    case PC_SIG_DOM_FLAG:
        snprintf(out, size, "dom[%u].flag", s.index);
        break;
    case PC_SIG_USER:
        snprintf(out, size, "user_%u", s.index);
        break;
    case PC_SIG_PERIODIC:
        snprintf(out, size, "periodic");
        break;
    case PC_SIG_PM_TRIGGER:
        snprintf(out, size, "pm_trigger");
        break;
    case PC_SIG_WRCACHE_FLUSH:
        snprintf(out, size, "wrcache_flush");
        break;
    default:
        snprintf(out, size, "s%02x", signal);
        break;
    }
}
