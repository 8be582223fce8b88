/* SPDX-License-Identifier: MIT */
/*
 * Registers in front of the signals: what the tables of names and configurations, and --mux,
 * say has to be set.  A source of the tables is bits of its register; others keep their names.
 */
#include "plan.h"

#include "text/card_regs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- entries --- */

static int add(struct plan_job *j, struct plan_event *e, const char *reg, uint32_t mask,
               uint32_t value, bool unknown)
{
    void *array = e->mux;
    const char *kept = plan_keep(j, reg);

    if (!kept || !cli_grow(&array, &e->muxes_capacity, e->muxes + 1, sizeof *e->mux))
        return cli_no_memory();
    e->mux = array;
    for (size_t i = 0; i < e->muxes; i++) /* the same again, of another signal of the event */
        if (strcmp(e->mux[i].reg, reg) == 0 && e->mux[i].mask == mask && e->mux[i].value == value)
            return CLI_OK;
    e->mux[e->muxes++] = (struct pc_plan_mux){ kept, mask, value, unknown };
    return CLI_OK;
}

/* Returns an entry before `added` that gives another value to bits of a later one, and that one in
 * *other; NULL if there is none. */
static const struct pc_plan_mux *against(const struct plan_event *e, size_t added,
                                         const struct pc_plan_mux **other)
{
    for (size_t i = added; i < e->muxes; i++)
        for (size_t k = 0; k < added; k++) {
            const struct pc_plan_mux *a = &e->mux[k], *b = &e->mux[i];
            *other = b;
            if (strcmp(a->reg, b->reg) == 0 && !a->unknown && !b->unknown &&
                (a->mask & b->mask & (a->value ^ b->value)))
                return a;
        }
    return NULL;
}

/* Is it a source, or a group of them, of any chip? */
static bool is_source(const char *name)
{
    struct pc_source source;
    struct pc_error err;

    return pc_source_find(name, &source, &err) == PC_OK;
}

uint32_t plan_source_mask(const struct pc_source *s)
{
    return s->mask << s->shift | (s->enable ? UINT32_C(1) << 31 : 0);
}

/* SOURCE=VALUE: its bits of its register, and bit 31 where it needs that. */
static int add_source(struct plan_job *j, struct plan_event *e, const char *text)
{
    struct pc_setting s;
    struct pc_error err;
    char reg[16];

    if (pc_setting_parse(j->chip, text, &s, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    snprintf(reg, sizeof reg, "0x%06x", (unsigned)s.address);
    return add(j, e, reg, s.mask, s.value, false);
}

/* --- numbers --- */

/* 0x1f or 31, and then `end`. */
static bool read_number(const char *text, char end, const char **rest, uint32_t *out)
{
    const char *stop;
    uint64_t value;

    if (!cli_read_number(text, &stop, &value) || *stop != end || value > UINT32_MAX)
        return false;
    *rest = stop + 1;
    *out = (uint32_t)value;
    return true;
}

/* "0x400C0C" as "0x400c0c": registers are told apart by their names. */
static void tidy(char *reg)
{
    uint32_t address;
    const char *rest;

    if (strncmp(reg, "0x", 2) == 0 && read_number(reg, '\0', &rest, &address))
        snprintf(reg, 16, "0x%06x", (unsigned)address);
}

/* Tidies a word of the user: 400c0c, or the name of a register that has an address here. */
static void tidy_word(const struct plan_job *j, char *reg)
{
    struct pc_reg_info info;
    struct pc_error err;
    uint32_t address;

    if (cli_parse_hex32(reg, &address) && address <= 0xffffff)
        snprintf(reg, 16, "0x%06x", (unsigned)address);
    else if (pc_reg_find(j->chip, reg, &info, &err) == PC_OK || cli_card_find(j->chip, reg, &info))
        snprintf(reg, 16, "0x%06x", (unsigned)info.address);
}

/* --- settings of the tables --- */

/* "NAME=VALUE", "NAME[11]=1" (one bit), "NAME=?" */
static int take_setting(struct plan_job *j, struct plan_event *e, const char *word, size_t size)
{
    char reg[120], number[24];
    const char *equals = memchr(word, '=', size), *rest;
    uint32_t value = 0, bit, mask = UINT32_MAX;
    size_t n = equals ? (size_t)(equals - word) : 0;

    if (n == 0)
        return CLI_OK; /* a group, or a source without a value: there is nothing to set */
    if (n >= sizeof reg - 8 || size - n >= sizeof number)
        return cli_usage("plan",
                         "the tables set \"%.*s\": a register of up to %zu letters and a "
                         "value of up to %zu are read",
                         (int)size, word, sizeof reg - 9, sizeof number - 2);
    snprintf(reg, sizeof reg, "%.*s", (int)n, word);
    snprintf(number, sizeof number, "%.*s", (int)(size - n - 1), equals + 1);
    bool unknown = strcmp(number, "?") == 0;
    if (!unknown && !read_number(number, '\0', &rest, &value))
        return cli_usage("plan", "the tables set %s to \"%s\", which is not a number", reg, number);
    if (!unknown && is_source(reg)) {
        snprintf(reg + n, sizeof reg - n, "=%s", number);
        return add_source(j, e, reg);
    }
    char *bracket = strrchr(reg, '[');
    if (bracket && reg[n - 1] == ']' && read_number(bracket + 1, ']', &rest, &bit) && bit < 32 &&
        strncmp(reg, "0x", 2) == 0) { /* in other names a bracket is a unit */
        *bracket = '\0';
        mask = UINT32_C(1) << bit;
        value = value & 1 ? mask : 0;
    }
    tidy(reg);
    return add(j, e, reg, mask, value, unknown);
}

int plan_take_settings(struct plan_job *j, struct plan_event *e, const char *settings)
{
    while (*settings) {
        settings += strspn(settings, " ;");
        size_t n = strcspn(settings, " ;");
        int code = n ? take_setting(j, e, settings, n) : CLI_OK;
        if (code)
            return code;
        settings += n;
    }
    return CLI_OK;
}

/* --- signals --- */

static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (; list && *list; list += strcspn(list, " "), list += strspn(list, " "))
        if (strncmp(list, word, n) == 0 && (list[n] == ' ' || list[n] == '\0'))
            return true;
    return false;
}

/* A group is there, and what its registers have to be is not in the tables. */
static int add_unset(struct plan_event *e, const char *group)
{
    size_t before = e->unset ? strlen(e->unset) : 0, n = strlen(group);

    if (has_word(e->unset, group))
        return CLI_OK;
    char *text = realloc(e->unset, before + n + 2);
    if (!text)
        return cli_no_memory();
    e->unset = text;
    snprintf(text + before, n + 2, "%s%s", before ? " " : "", group);
    return CLI_OK;
}

int plan_mux_of_signal(struct plan_job *j, struct plan_event *e, unsigned position)
{
    const struct pc_plan_mux *before, *own;
    const size_t added = e->muxes;
    struct pc_signal s;

    if (!pc_names_position(j->names, e->domain, position, &s) || !s.mux[0])
        return CLI_OK;
    if (!strchr(s.mux, '='))
        return add_unset(e, s.mux);
    int code = plan_take_settings(j, e, s.mux);
    before = against(e, added, &own);
    if (code != CLI_OK || !before)
        return code;
    return cli_error_at(1501, &e->place, 1,
                        "Signals of one event are there at the same time: make two events of it.",
                        "%s needs 0x%" PRIx32 " in the bits 0x%" PRIx32
                        " of %s, which are 0x%" PRIx32 " for another signal",
                        s.name, own->value, own->mask, own->reg, before->value);
}

/* --- the command line --- */

/* REG=VALUE or REG=VALUE/MASK, whose numbers are read. */
static int add_word(struct plan_job *j, struct plan_event *e, const char *argument, char *reg,
                    uint32_t value, uint32_t mask)
{
    const struct cli_place place = { "--mux", argument, 0 };
    uint32_t address;

    if (cli_parse_hex32(reg, &address) && address > 0xffffff)
        return cli_error_at(391, &place, 1, NULL,
                            "0x%" PRIx32 " is beyond the registers, which end at 0xfffffc",
                            address);
    tidy_word(j, reg);
    if (strncmp(reg, "0x", 2) == 0 && strtoul(reg, NULL, 16) % 4)
        return cli_usage("plan", "--mux %s: %s is not the address of a 32-bit word", argument, reg);
    if (value & ~mask)
        return cli_error_at(391, &place, (uint32_t)strcspn(argument, "=") + 2, NULL,
                            "0x%" PRIx32 " has bits outside of the mask 0x%" PRIx32, value, mask);
    return add(j, e, reg, mask, value, false);
}

int plan_take_mux(struct plan_job *j, struct plan_event *e, const char *argument)
{
    char reg[120];
    size_t n = strcspn(argument, "=");
    uint32_t value = 0, mask = UINT32_MAX;
    const char *rest = argument;
    bool slash = strchr(argument, '/') != NULL;
    bool good = n > 0 && n < sizeof reg - 8 && argument[n] == '=' &&
                strcspn(argument, " \t\r\n,;\"") > n && /* which are between settings in CSV */
                read_number(argument + n + 1, slash ? '/' : '\0', &rest, &value) &&
                (!slash || (read_number(rest, '\0', &rest, &mask) && mask != 0));

    if (!good)
        return cli_usage("plan",
                         "--mux takes REGISTER=VALUE or REGISTER=VALUE/MASK like "
                         "0x402ca4=5/0x7fff, not \"%s\"",
                         argument);
    const size_t added = e->muxes;
    const struct pc_plan_mux *other;
    snprintf(reg, sizeof reg, "%.*s", (int)n, argument);
    const int code =
        is_source(reg) ? add_source(j, e, argument) : add_word(j, e, argument, reg, value, mask);
    if (code == CLI_OK && against(e, added, &other))
        return cli_usage("plan", "--mux %s: the event needs another value of these bits already",
                         argument);
    return code;
}

/* Does the plan write this register itself, in a domain of the pass? */
static int check_writes(const struct plan_job *j, size_t pass, const struct pc_plan_mux *mux)
{
    struct pc_chip_domain place;
    struct pc_plan_domain used;
    struct pc_program program;
    struct pc_error err;
    uint32_t address;

    if (!cli_parse_hex32(mux->reg, &address))
        return CLI_OK;
    for (unsigned k = 0; pc_chip_get_domain(j->chip, k, &place); k++) {
        if (!pc_plan_domain_at(j->plan, pass, k, &used) ||
            pc_plan_compile(j->plan, pass, k, &program, &err) != PC_OK)
            continue;
        for (size_t i = 0; i < program.writes; i++)
            if (program.write[i].address == address)
                return cli_error_at(391, NULL, 0, "Leave it out: the plan sets it.",
                                    "--mux %s=0x%" PRIx32 ": the plan writes %s itself", mux->reg,
                                    mux->value, program.write[i].name);
    }
    return CLI_OK;
}

int plan_check_muxes(const struct plan_job *j)
{
    struct pc_plan_mux mux;
    struct pc_reg_info reg;
    uint32_t address;
    int code = CLI_OK;

    for (size_t p = 0; p < pc_plan_passes(j->plan); p++)
        for (size_t i = 0; code == CLI_OK && pc_plan_mux_at(j->plan, p, i, &mux); i++)
            if (cli_parse_hex32(mux.reg, &address) &&
                pc_reg_at(j->chip, address, &reg, NULL) == PC_OK)
                code = check_writes(j, p, &mux);
    return code;
}
