/* SPDX-License-Identifier: MIT */
/*
 * The domains of a whole chip, one after the other, and their names: "3" on NV10:GF100,
 * "hub0", "gpc0.1", "part1.0" on GF100+, where each domain set counts its own from 0.
 *
 * Clauses: "Domains are further grouped into domain sets"; PC.GF.1, PC.GF.2.
 */
#include "model/chips/domains.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

static const char *const set_prefix[] = {
    [PC_SET_ALL] = "", [PC_SET_HUB] = "hub", [PC_SET_GPC] = "gpc", [PC_SET_PART] = "part"
};

static bool has_units(enum pc_set set)
{
    return set == PC_SET_GPC || set == PC_SET_PART;
}

void pc_domain_name(enum pc_set set, unsigned unit, unsigned domain, char out[PC_DOMAIN_NAME])
{
    if (has_units(set))
        snprintf(out, PC_DOMAIN_NAME, "%s%u.%u", set_prefix[set], unit % 1000, domain % 1000);
    else
        snprintf(out, PC_DOMAIN_NAME, "%s%u", set_prefix[set], domain % 1000);
}

void pc_set_name(enum pc_set set, unsigned unit, char out[PC_DOMAIN_NAME])
{
    if (has_units(set))
        snprintf(out, PC_DOMAIN_NAME, "%s%u", set_prefix[set], unit % 1000);
    else
        snprintf(out, PC_DOMAIN_NAME, "%s", set_prefix[set]);
}

bool pc_chip_get_domain(const struct pc_chip *chip, unsigned i, struct pc_chip_domain *out)
{
    const struct pc_set_info *info;
    enum pc_set set = PC_SET_ALL;
    unsigned units = 1, domains = chip->domains;

    for (size_t s = 0; chip->layout == PC_LAYOUT_GF100; s++) {
        if (!(info = pc_chip_set(chip, s)))
            return false;
        set = info->set;
        units = info->units;
        domains = info->domains;
        if (i < units * domains)
            break;
        i -= units * domains;
    }
    if (i >= units * domains)
        return false;
    *out = (struct pc_chip_domain){ .set = set, .unit = i / domains, .domain = i % domains };
    pc_domain_name(set, out->unit, out->domain, out->name);
    return true;
}

/* Adds ", first to last". */
static void add_range(char *out, size_t size, const char *first, const char *last)
{
    size_t used = strlen(out);
    bool one = strcmp(first, last) == 0;

    snprintf(out + used, size - used, "%s%s%s%s", used ? ", " : "", first, one ? "" : " to ",
             one ? "" : last);
}

void pc_domain_names(const struct pc_chip *chip, char *out, size_t size)
{
    const struct pc_set_info *set;
    char first[PC_DOMAIN_NAME], last[PC_DOMAIN_NAME];

    out[0] = '\0';
    if (chip->layout != PC_LAYOUT_GF100 && chip->domains > 0) {
        pc_domain_name(PC_SET_ALL, 0, chip->domains - 1, last);
        add_range(out, size, "0", last);
    }
    for (size_t i = 0; (set = pc_chip_set(chip, i)) != NULL; i++) {
        pc_domain_name(set->set, 0, 0, first);
        pc_domain_name(set->set, set->units - 1, set->domains - 1, last);
        add_range(out, size, first, last);
    }
}

void pc_set_names(const struct pc_chip *chip, char *out, size_t size)
{
    const struct pc_set_info *set;
    char first[PC_DOMAIN_NAME], last[PC_DOMAIN_NAME];

    out[0] = '\0';
    for (size_t i = 0; (set = pc_chip_set(chip, i)) != NULL; i++) {
        pc_set_name(set->set, 0, first);
        pc_set_name(set->set, set->units - 1, last);
        add_range(out, size, first, last);
    }
}

enum pc_status pc_chip_find_domain(const struct pc_chip *chip, const char *name, unsigned *domain,
                                   struct pc_error *err)
{
    struct pc_chip_domain d;
    char names[200];

    for (unsigned i = 0; pc_chip_get_domain(chip, i, &d); i++) {
        if (strcmp(name, d.name) == 0) {
            *domain = i;
            return PC_OK;
        }
    }
    enum pc_status status = pc_fail(err, 407, "%s has no domain \"%.60s\"", chip->name, name);
    pc_domain_names(chip, names, sizeof names);
    pc_hint(err, "its domains are %s", names[0] ? names : "not known");
    return status;
}
