/* SPDX-License-Identifier: MIT */
/*
 * Names of the signals of a domain: those of the chip's table, and all by position: s2a, or
 * s[42], or s[45:42] as a vector.
 */
#include "compile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum pc_status compile_names_of(const struct pc_chip *chip, unsigned domain,
                                struct compile_names *out, struct pc_error *err)
{
    out->chip = chip;
    out->domain = domain;
    if (!pc_chip_get_domain(chip, domain, &out->place)) {
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

/* s2a, s[42], s[45:42]; false if the name is not of that form. */
static bool by_position(const char *name, unsigned long *high, unsigned long *low)
{
    char *end;

    if (cli_position_range(name, high, low))
        return true;
    if (name[0] != 's')
        return false;
    if (name[1] == '[') {
        if (!isdigit((unsigned char)name[2]))
            return false;
        *high = *low = strtoul(name + 2, &end, 10);
        return strcmp(end, "]") == 0;
    }
    if (!isxdigit((unsigned char)name[1]) || !isxdigit((unsigned char)name[2]) || name[3] != '\0')
        return false;
    *high = *low = strtoul(name + 1, NULL, 16);
    return true;
}

/* A name of the table; one that is probably wrong is used all the same, and said so once. */
static enum pc_status by_name(struct compile_names *n, const char *name, uint32_t *wire,
                              struct pc_error *err)
{
    struct pc_signal signal;
    enum pc_status status = pc_names_find(n->table, n->domain, name, &signal, err);

    if (status != PC_OK)
        return status;
    uint64_t *used = &n->used[signal.position / 64], bit = UINT64_C(1) << signal.position % 64;
    if (signal.confidence == PC_CONF_SUSPECT && !(*used & bit))
        cli_note(205, "%s is SUSPECT: probably not signal s%02x of %s", name, signal.position,
                 n->chip->name);
    *used |= bit;
    *wire = signal.position;
    return PC_OK;
}

enum pc_status compile_lookup(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    struct compile_names *n = ctx;
    unsigned size = n->of_set.domain[n->place.domain].size;
    unsigned long high, low;

    (void)is_signed;
    if (!by_position(name, &high, &low)) {
        *count = 1;
        return by_name(n, name, wires, err);
    }
    if (low > high)
        return cli_range_backwards(name, err);
    if (high >= size || high - low >= capacity) {
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

/* A position that reads 0: the signal ZERO, or one that the domain does not have (D-30). */
static int zero_position(const struct compile_names *n)
{
    int zero = pc_chip_signal_position(&n->of_set, n->place.domain, PC_SIG_ZERO, 0);
    unsigned size = n->of_set.domain[n->place.domain].size;

    return zero >= 0 ? zero : size < PC_MAX_SIGNALS ? PC_MAX_SIGNALS - 1 : -1;
}

enum pc_status compile_element(struct compile_names *names, const char *name,
                               uint32_t wires[PC_MAX_SIGNALS], size_t *count, struct pc_error *err)
{
    int zero = zero_position(names);

    if (strcmp(name, "0") != 0)
        return compile_lookup(names, name, wires, PC_MAX_SIGNALS, count, &(bool){ false }, err);
    if (zero < 0) {
        fail(err, "is not a signal here", name, "all positions of this domain are signals");
        return err->status;
    }
    wires[0] = (uint32_t)zero;
    *count = 1;
    return PC_OK;
}

enum pc_status compile_signal(struct compile_names *names, const char *name, uint8_t *out,
                              struct pc_error *err)
{
    uint32_t wire[PC_MAX_SIGNALS];
    size_t count = 0;
    enum pc_status status = compile_element(names, name, wire, &count, err);

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
    struct pc_signal s;
    enum pc_signal_kind kind = pc_chip_signal(&names->of_set, names->place.domain, signal).kind;

    if (kind == PC_SIG_ABSENT || kind == PC_SIG_ZERO) {
        snprintf(out, size, "0");
        return;
    }
    /* what is probably wrong, or would be cut off, explains nothing */
    if (pc_names_position(names->table, names->domain, signal, &s) &&
        s.confidence != PC_CONF_SUSPECT && strlen(s.name) < size)
        snprintf(out, size, "%s", s.name);
    else
        snprintf(out, size, "s%02x", signal);
}
