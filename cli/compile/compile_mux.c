/* SPDX-License-Identifier: MIT */
/*
 * Multiplexers to set first: --mux, and the settings that a user's table has after a name.  Of a
 * name whose table knows the multiplexer and not the value, a note says which it is.
 */
#include "compile.h"

#include "text/card_regs.h"

#include <string.h>

enum { MUXES = sizeof((struct compile_job *)0)->mux_value / sizeof(struct pc_mux) };

static int too_many(void)
{
    return cli_usage("compile", "more than %d multiplexers", MUXES);
}

/* --- --mux --- */

/* The address of REG: hexadecimal, or the name of a register of the chip. */
static int mux_address(const struct compile_job *j, const char *text, size_t n, uint32_t *out)
{
    struct pc_reg_info reg;
    struct pc_error err;
    char name[64];

    if (n == 0 || n >= sizeof name)
        return cli_usage("compile", "--mux takes REGISTER=VALUE or REGISTER=VALUE/MASK, not \"%s\"",
                         text);
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (cli_parse_hex32(name, out))
        return CLI_OK;
    if (pc_reg_find(j->o->chip, name, &reg, &err) != PC_OK &&
        !cli_card_find(j->o->chip, name, &reg)) {
        struct pc_source source;
        struct pc_error other;
        snprintf(err.text, sizeof err.text, "\"%s\" is neither a source nor a register", name);
        snprintf(err.hint, sizeof err.hint, "`pcounter list sources -a %s` shows the sources",
                 j->o->chip->name);
        if (pc_source_find(name, &source, &other) != PC_OK && cli_suggests(&other))
            memcpy(err.hint, other.hint, sizeof err.hint);
        return cli_error(&err, NULL, NULL);
    }
    *out = reg.address;
    return CLI_OK;
}

static bool is_source(const char *text, size_t n)
{
    struct pc_source source;
    struct pc_error err;
    char name[64];

    if (n >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    return pc_source_find(name, &source, &err) == PC_OK;
}

static int take_setting(const struct compile_job *j, const char *text, struct pc_mux *out)
{
    struct pc_setting setting;
    struct pc_error err;

    if (pc_setting_parse(j->o->chip, text, &setting, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    *out = (struct pc_mux){ setting.address, setting.mask, setting.value };
    return CLI_OK;
}

static int take_mux(struct compile_job *j, const char *argument, struct pc_mux *out)
{
    size_t n = strcspn(argument, "=");
    const char *p = argument + n + 1;
    uint64_t value = 0, mask = UINT32_MAX;

    if (is_source(argument, n))
        return take_setting(j, argument, out);
    bool good = argument[n] == '=' && cli_read_number(p, &p, &value);
    if (good && *p == '/')
        good = cli_read_number(p + 1, &p, &mask) && mask != 0;
    if (!good || *p || value > UINT32_MAX || mask > UINT32_MAX)
        return cli_usage("compile",
                         "--mux takes SOURCE=VALUE, REGISTER=VALUE or REGISTER=VALUE/MASK like "
                         "0x402ca4=5/0x7fff, not \"%s\"",
                         argument);
    out->value = (uint32_t)value;
    out->mask = (uint32_t)mask;
    return mux_address(j, argument, n, &out->address);
}

/* --- names --- */

/* Does one of the first `count` muxes set any of these bits? */
static bool is_set(const struct compile_job *j, size_t count, uint32_t address, uint32_t mask)
{
    for (size_t i = 0; i < count; i++)
        if (j->mux_value[i].address == address && j->mux_value[i].mask & mask)
            return true;
    return false;
}

/* SOURCE=VALUE or ADDRESS=VALUE of a table, unless --mux says otherwise. */
static int add_setting(struct compile_job *j, const char *text)
{
    struct pc_mux mux;
    int code = take_setting(j, text, &mux);

    if (code != CLI_OK || is_set(j, j->o->mux.count, mux.address, mux.mask))
        return code;
    if (j->request.muxes == MUXES)
        return too_many();
    j->mux_value[j->request.muxes++] = mux;
    return CLI_OK;
}

/*
 * A group or source without a value: is one of its fields set on this chip?  *first: where, and
 * what --mux takes: the group if it has one source alone.
 */
static bool is_chosen(const struct compile_job *j, const char *name, struct pc_source *first)
{
    struct pc_source s;
    size_t count = 0;

    for (size_t i = 0; pc_source_at(i, &s); i++) {
        if ((strcmp(s.group, name) != 0 && strcmp(s.name, name) != 0) ||
            !pc_names_chip_listed(s.chips, j->o->chip->name))
            continue;
        if (is_set(j, j->request.muxes, s.address, s.mask << s.shift))
            return true;
        if (count++ == 0)
            *first = s;
    }
    if (count == 1)
        first->name = first->group;
    return count == 0; /* not on this chip: nothing to choose */
}

/* Said once for each group, with the first signal that it selects. */
static bool is_said(const struct compile_job *j, unsigned position, const char *group)
{
    struct pc_signal s;

    for (unsigned p = 0; p < position; p++)
        if (j->names.used[p / 64] >> p % 64 & 1 &&
            pc_names_position(j->names.table, j->names.domain, p, &s) && strcmp(s.mux, group) == 0)
            return true;
    return false;
}

/* One word of a signal's mux; `values`: only if it has a value, else only if it has none. */
static int take_word(struct compile_job *j, const struct pc_signal *s, const char *word,
                     bool values)
{
    struct pc_source first = { .name = "" };

    if ((strchr(word, '=') != NULL) != values)
        return CLI_OK;
    if (values)
        return add_setting(j, word);
    if (j->names.place.unit > 0) /* addresses are those of the first GPC and partition */
        return CLI_OK;
    if (!is_chosen(j, word, &first) && !is_said(j, s->position, s->mux))
        cli_note(206, "%s is selected by the multiplexer %s (0x%06x): --mux %s=VALUE chooses",
                 s->name, word, (unsigned)first.address, first.name);
    return CLI_OK;
}

static int take_words(struct compile_job *j, const struct pc_signal *s, bool values)
{
    int code = CLI_OK;

    for (const char *word = s->mux; *word && code == CLI_OK;) {
        size_t n = strcspn(word, " ");
        char text[96];
        snprintf(text, sizeof text, "%.*s", (int)n, word);
        code = take_word(j, s, text, values);
        word += n;
        word += strspn(word, " ");
    }
    return code;
}

int compile_muxes(struct compile_job *j)
{
    struct pc_signal s;

    if (j->o->mux.count > MUXES)
        return too_many();
    for (size_t i = 0; i < j->o->mux.count; i++) {
        int code = take_mux(j, j->o->mux.text[i], &j->mux_value[i]);
        if (code != CLI_OK)
            return code;
    }
    j->request.mux = j->mux_value;
    j->request.muxes = j->o->mux.count;
    for (int values = 1; values >= 0; values--)
        for (unsigned p = 0; p < PC_MAX_SIGNALS; p++) {
            if (!(j->names.used[p / 64] >> p % 64 & 1) ||
                !pc_names_position(j->names.table, j->names.domain, p, &s))
                continue;
            int code = take_words(j, &s, values);
            if (code != CLI_OK)
                return code;
        }
    return CLI_OK;
}
