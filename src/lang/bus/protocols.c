/* SPDX-License-Identifier: MIT */
/* Protocols and their roles by name. */
#include "lang/bus/rules.h"

#include "base/error.h"
#include "base/near.h"

#include <string.h>

const struct pc_bus_protocol *pc_bus_protocol_at(size_t i)
{
    if (i < pc_bus_rule_count)
        return &pc_bus_rules[i];
    i -= pc_bus_rule_count;
    return i < pc_bus_request_count ? &pc_bus_requests[i] : NULL;
}

const char *pc_bus_protocol_name(const struct pc_bus_protocol *protocol)
{
    return protocol->name;
}

enum pc_status pc_bus_protocol_find(const char *name, const struct pc_bus_protocol **out,
                                    struct pc_error *err)
{
    struct pc_near near;
    char names[200];

    pc_near_begin(&near, name);
    for (size_t i = 0; (*out = pc_bus_protocol_at(i)) != NULL; i++) {
        if (strcmp((*out)->name, name) == 0)
            return PC_OK;
        pc_near_offer(&near, (*out)->name);
    }
    pc_near_text(&near, names, sizeof names);
    pc_fail(err, 1830, "unknown protocol %s", name);
    if (names[0])
        pc_hint(err, "did you mean %s?", names);
    return PC_ENOENT;
}

bool pc_bus_role_at(const struct pc_bus_protocol *protocol, size_t i, struct pc_bus_role *out)
{
    static const uint32_t most[] = { [BUS_BIT] = 1,
                                     [BUS_CODE] = 4,
                                     [BUS_NUMBER] = 64,
                                     [BUS_STROBE] = UINT32_MAX,
                                     [BUS_PAYLOAD] = UINT32_MAX,
                                     [BUS_NAMED] = UINT32_MAX };

    for (size_t k = 0; k <= i; k++)
        if (!protocol->role[k].name)
            return false;
    const struct bus_role *r = &protocol->role[i];
    out->name = r->name;
    out->most = most[r->kind];
    out->needed = r->needed == 1;
    out->use = r->kind == BUS_PAYLOAD ? PC_BUS_FOR_UNSTABLE
               : r->kind == BUS_NAMED ? PC_BUS_FOR_NOTHING
                                      : PC_BUS_FOR_FIGURES;
    return true;
}

enum pc_status pc_bus_role_find(const struct pc_bus_protocol *protocol, const char *name,
                                size_t *out, struct pc_error *err)
{
    const struct bus_role *role = protocol->role;
    struct pc_near near;
    char names[200];

    pc_near_begin(&near, name);
    for (size_t i = 0; role[i].name; i++) {
        if (strcmp(role[i].name, name) == 0) {
            *out = i;
            return PC_OK;
        }
        pc_near_offer(&near, role[i].name);
    }
    pc_near_text(&near, names, sizeof names);
    pc_fail(err, 1831, "%s has no signal %s", protocol->name, name);
    if (names[0])
        pc_hint(err, "did you mean %s?", names);
    return PC_ENOENT;
}
