/* SPDX-License-Identifier: MIT */
/*
 * Decides by the data about answers: signals that say which requests have one, and whether a
 * Wishbone is classic, or strobes for a cycle and waits for an answer later.
 */
#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

#include "wave/wave_bits.h"

/* ---- which requests write, which response is the last ---- */

struct names {
    const char **name; /* of all variables of one bit, sorted */
    size_t count;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool read_names(const struct pc_wave *wave, struct names *out)
{
    struct cli_wave_vars vars;
    struct pc_wave_var v;
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    out->name = calloc(info.vars + 1, sizeof *out->name);
    cli_wave_vars_begin(&vars, wave);
    while (out->name && cli_wave_vars_next(&vars, &v))
        if (v.kind == PC_VAR_BITS && v.width == 1)
            out->name[out->count++] = v.name;
    if (out->count > 0)
        qsort(out->name, out->count, sizeof *out->name, by_text);
    return out->name != NULL;
}

static size_t role_of(const struct bus_item *item, const char *name)
{
    size_t role;

    return pc_bus_role_find(item->protocol, name, &role, NULL) == PC_OK ? role : PC_BUS_ROLES;
}

/* Finds "x_cmd_payload_wr" of "x_cmd_valid": the first there is of these words for "valid". */
static void give_role(const struct names *all, struct bus_item *item, const char *role_name,
                      const char *valid_name, const char *const *words)
{
    const size_t role = role_of(item, role_name), from = role_of(item, valid_name);
    const char *valid = from < PC_BUS_ROLES ? item->role[from] : NULL, *at = NULL;

    if (role == PC_BUS_ROLES || item->role[role] || !valid || valid[0] == '!')
        return;
    for (const char *next = valid; (next = strstr(next, "valid")) != NULL; next++)
        at = next;
    const size_t size = strlen(valid) + 24;
    char *name = at && !strchr(at, '.') ? malloc(size) : NULL;
    for (; name && *words; words++) {
        const char *const *found;
        snprintf(name, size, "%.*s%s%s", (int)(at - valid), valid, *words, at + strlen("valid"));
        found = all->count ? bsearch(&name, all->name, all->count, sizeof *all->name, by_text) : 0;
        if (!found)
            continue;
        item->role[role] = name;
        return;
    }
    free(name);
}

int bus_pair_names(struct bus_run *run)
{
    static const char *const writes[] = { "wr",         "we",         "write",
                                          "payload_wr", "payload_we", "payload_write",
                                          "bits_wr",    "bits_we",    NULL };
    static const char *const lasts[] = { "last", "payload_last", "bits_last", NULL };
    struct names all = { .count = 0 };
    bool read = false, done = true;

    for (size_t i = 0; i < run->items && done; i++) {
        struct bus_item *item = &run->item[i];
        if (strcmp(pc_bus_protocol_name(item->protocol), "request-response") != 0)
            continue;
        done = read || read_names(run->wave, &all);
        read = true;
        if (done) {
            give_role(&all, item, "we", "valid", writes);
            give_role(&all, item, "rlast", "rvalid", lasts);
        }
    }
    free(all.name);
    return done ? CLI_OK : cli_no_memory();
}

/* ---- Wishbone ---- */

const struct pc_bus_protocol *bus_pair_other(const struct bus_item *item)
{
    const struct pc_bus_protocol *other;

    return strcmp(pc_bus_protocol_name(item->protocol), "wishbone") == 0 &&
                   pc_bus_protocol_find("wishbone-single", &other, NULL) == PC_OK
               ? other
               : NULL;
}

static bool find_group(struct pc_bus *bus, enum pc_bus_kind kind, struct pc_bus_group *out)
{
    for (size_t i = 0; pc_bus_group_at(bus, i, out) == PC_OK; i++)
        if (out->kind == kind)
            return true;
    return false;
}

/*
 * Strobes were withdrawn before the answer, and each had one answer before the next strobe: on a
 * classic bus a strobe stays until it is answered.
 */
static bool is_single(struct bus_item *item)
{
    struct pc_bus_group classic, single;

    return !item->not_other && find_group(item->bus, PC_BUS_CHANNEL, &classic) &&
           find_group(item->other, PC_BUS_TRANSACTIONS, &single) &&
           classic.count[PC_BUS_DROPPED] > 0 && single.count[PC_BUS_COMPLETED] > 0 &&
           single.count[PC_BUS_ORPHANS] == 0 && single.most_outstanding <= 1;
}

/* Keeps of each interval what is told of the groups that are left, the first `skip` are not. */
static void keep_snaps(struct bus_item *item, size_t skip)
{
    const size_t before = item->groups, intervals = before ? item->snaps / before : 0;
    struct pc_bus_group g;
    size_t kept = 0, groups = 0;

    for (size_t k = 0; k < intervals; k++)
        for (groups = 0; pc_bus_group_at(item->bus, groups, &g) == PC_OK; groups++)
            item->snap[kept++] = item->snap[k * before + skip + g.place];
    item->groups = intervals ? groups : before;
    item->snaps = kept;
}

void bus_pair_choose(struct bus_item *item)
{
    struct pc_bus *const classic = item->bus;
    struct pc_bus_group g;
    size_t skip = 0;

    if (item->other && is_single(item)) {
        while (pc_bus_group_at(classic, skip, &g) == PC_OK)
            skip++;
        item->protocol = bus_pair_other(item);
        item->bus = item->other;
        item->other = classic;
    }
    keep_snaps(item, skip);
}
