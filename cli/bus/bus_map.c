/* SPDX-License-Identifier: MIT */
/*
 * --map: buses by name, of a YAML file.
 *
 *   buses:
 *     ddr:
 *       protocol: axi4
 *       clock: tb.clk
 *       reset: tb.rst_n
 *       reset_active: 0
 *       signals: { arvalid: tb.m_axi_arvalid, arready: tb.m_axi_arready, ... }
 *
 * and files that were written for busperf, which have `interfaces` (bus_busperf.c).
 */
#include "bus/bus_own.h"

#include <stdlib.h>
#include <string.h>

#include "text/regs_text.h"

int bus_map_unknown(const struct cli_yaml *y, const yaml_node_t *key, const char *const *names)
{
    char near[160], hint[200] = "";
    const char *text = cli_yaml_text(key);

    cli_near(text ? text : "", names, near, sizeof near);
    if (near[0])
        snprintf(hint, sizeof hint, "did you mean %s?", near);
    return cli_yaml_fail(y, key, 1837, hint, "unknown key %s", text ? text : "of this kind");
}

struct bus_place bus_map_place(const yaml_node_t *node)
{
    return (struct bus_place){ (uint32_t)node->start_mark.line + 1,
                               (uint32_t)node->start_mark.column + 1 };
}

int bus_map_text(const struct cli_yaml *y, const yaml_node_t *node, const char *what, char **out,
                 struct bus_place *place)
{
    const char *text = cli_yaml_text(node);

    if (!text || !text[0])
        return cli_yaml_fail(y, node, 1837, NULL, "%s is a text", what);
    *place = bus_map_place(node);
    free(*out);
    *out = strdup(text);
    return *out ? CLI_OK : cli_no_memory();
}

int bus_map_number(const struct cli_yaml *y, const yaml_node_t *node, const char *what,
                   uint32_t most, uint32_t *out)
{
    const char *text = cli_yaml_text(node);
    uint64_t value = 0;

    if (!text || !text[0] || strlen(text) > 10 || text[strspn(text, "0123456789")])
        return cli_yaml_fail(y, node, 1837, NULL, "%s is a number from 0 to %u", what, most);
    value = strtoull(text, NULL, 10);
    if (value > most)
        return cli_yaml_fail(y, node, 1837, NULL, "%s is a number from 0 to %u", what, most);
    *out = (uint32_t)value;
    return CLI_OK;
}

struct bus_item *bus_map_item(struct bus_run *run, const struct cli_yaml *y, const yaml_node_t *key,
                              int *code)
{
    const char *name = cli_yaml_text(key);

    if (!name || !name[0]) {
        *code = cli_yaml_fail(y, key, 1837, NULL, "the name of a bus is a text");
        return NULL;
    }
    /* of one mapping the file has each key once */
    for (size_t i = 0; i < run->earlier; i++)
        if (strcmp(run->item[i].name, name) == 0) {
            *code = cli_yaml_fail(y, key, 1837, NULL, "there is a bus %s already, in line %u", name,
                                  run->item[i].place.line);
            return NULL;
        }
    struct bus_item *item = bus_add_item(run);
    if (item)
        item->name = strdup(name);
    *code = item && item->name ? CLI_OK : cli_no_memory();
    if (*code && item)
        run->items--;
    if (*code)
        return NULL;
    item->place = bus_map_place(key);
    return item;
}

/* ---- a bus ---- */

static int read_signals(struct cli_yaml *y, const yaml_node_t *node, struct bus_item *item)
{
    yaml_node_t *key, *value;
    struct pc_error err;
    size_t role;
    int code = CLI_OK;

    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(y, node, 1837, NULL, "signals is a mapping of roles to signals");
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(y, node, i, &key, &value); i++) {
        const char *name = cli_yaml_text(key);
        if (pc_bus_role_find(item->protocol, name ? name : "", &role, &err))
            return cli_yaml_fail(y, key, err.code, err.hint, "%s", err.text);
        code = bus_map_text(y, value, "a signal", &item->role[role], &item->of_role[role]);
    }
    return code;
}

static const char *const keys[] = { "protocol",    "clock",   "reset", "reset_active",
                                    "credit_init", "signals", NULL };
enum { PROTOCOL, CLOCK, RESET, RESET_ACTIVE, CREDIT_INIT, SIGNALS, KEYS };

static int sort_keys(struct cli_yaml *y, const yaml_node_t *node, yaml_node_t *of[KEYS])
{
    yaml_node_t *key, *value;

    for (size_t i = 0; cli_yaml_pair(y, node, i, &key, &value); i++) {
        const char *name = cli_yaml_text(key);
        size_t k = 0;
        while (k < KEYS && (!name || strcmp(keys[k], name) != 0))
            k++;
        if (k == KEYS)
            return bus_map_unknown(y, key, keys);
        of[k] = value;
    }
    return CLI_OK;
}

static bool is_own(const struct bus_run *run, const yaml_node_t *node)
{
    const char *name = node ? cli_yaml_text(node) : NULL;

    return name && bus_own_find(run, name);
}

/* One of the map's, or of the library's. */
static int read_protocol(const struct bus_run *run, const struct cli_yaml *y,
                         const yaml_node_t *node, struct bus_item *item)
{
    const char *name = cli_yaml_text(node);
    struct pc_error err;

    if (!name)
        return cli_yaml_fail(y, node, 1837, NULL, "protocol is a text");
    item->own = bus_own_find(run, name);
    if (pc_bus_protocol_find(item->own ? "handshake" : name, &item->protocol, &err))
        return cli_yaml_fail(y, node, err.code, err.hint, "%s", err.text);
    return CLI_OK;
}

static int read_reset(const struct cli_yaml *y, yaml_node_t *const of[KEYS], struct bus_item *item)
{
    uint32_t active = 1;

    if (!of[RESET_ACTIVE])
        return cli_yaml_fail(y, of[RESET], 1837, NULL,
                             "with a reset there is reset_active: 0 or 1, its level in reset");
    int code = bus_map_text(y, of[RESET], "reset", &item->reset, &item->of_reset);
    if (code == CLI_OK)
        code = bus_map_number(y, of[RESET_ACTIVE], "reset_active", 1, &active);
    item->reset_low = active == 0;
    return code;
}

static int read_bus(struct bus_run *run, struct cli_yaml *y, const yaml_node_t *key,
                    const yaml_node_t *node)
{
    yaml_node_t *of[KEYS] = { NULL };
    int code = CLI_OK;
    struct bus_item *item = bus_map_item(run, y, key, &code);

    if (!item)
        return code;
    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(y, node, 1837, NULL, "a bus is a mapping: protocol, clock, signals");
    code = sort_keys(y, node, of);
    for (size_t k = 0; k < KEYS && code == CLI_OK; k++)
        if (!of[k] && (k == PROTOCOL || k == CLOCK || (k == SIGNALS && !is_own(run, of[PROTOCOL]))))
            return cli_yaml_fail(y, node, 1837, NULL, "bus %s has no %s", item->name, keys[k]);
    if (code == CLI_OK)
        code = read_protocol(run, y, of[PROTOCOL], item);
    if (code == CLI_OK)
        code = bus_map_text(y, of[CLOCK], "clock", &item->clock, &item->of_clock);
    if (code == CLI_OK && of[RESET])
        code = read_reset(y, of, item);
    if (code == CLI_OK && of[CREDIT_INIT])
        code = bus_map_number(y, of[CREDIT_INIT], "credit_init", UINT32_MAX, &item->credit_init);
    if (code || !item->own)
        return code ? code : read_signals(y, of[SIGNALS], item);
    if (of[SIGNALS])
        code = bus_own_signals(y, of[SIGNALS], item);
    return code ? code : bus_own_roles(item);
}

/* ---- the file ---- */

static int read_buses(struct bus_run *run, struct cli_yaml *y, const yaml_node_t *node,
                      int (*read)(struct bus_run *run, struct cli_yaml *y, const yaml_node_t *key,
                                  const yaml_node_t *node))
{
    yaml_node_t *key, *value;
    int code = CLI_OK;

    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(y, node, 1837, NULL, "this is not a mapping of names");
    run->earlier = run->items;
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(y, node, i, &key, &value); i++)
        code = read(run, y, key, value);
    return code;
}

static int read_root(struct bus_run *run, struct cli_yaml *y, const yaml_node_t *root)
{
    static const char *const names[] = { "buses", "protocols", "interfaces", "scopes", NULL };
    yaml_node_t *key, *value;
    int code = CLI_OK;

    if (root->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(y, root, 1837, NULL, "a map begins with buses: and their names");
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(y, root, i, &key, &value); i++)
        if (cli_yaml_text(key) && strcmp(cli_yaml_text(key), "protocols") == 0)
            code = read_buses(run, y, value, bus_own_read);
    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(y, root, i, &key, &value); i++) {
        const char *name = cli_yaml_text(key);
        if (name && strcmp(name, "protocols") == 0)
            continue;
        if (name && strcmp(name, "buses") == 0)
            code = read_buses(run, y, value, read_bus);
        else if (name && strcmp(name, "interfaces") == 0)
            code = read_buses(run, y, value, bus_map_interface);
        else if (!name || strcmp(name, "scopes") != 0) /* anchors of busperf's */
            code = bus_map_unknown(y, key, names);
    }
    return code;
}

int bus_read_map(struct bus_run *run)
{
    struct cli_yaml y;
    static const struct cli_yaml_kind maps = { "bus", "maps", 1840, 1837 };
    int code = cli_yaml_open(&y, &maps, run->o->map);
    yaml_node_t *root = code == CLI_OK ? cli_yaml_root(&y) : NULL;
    struct pc_error err;

    if (code == CLI_OK && root)
        code = read_root(run, &y, root);
    if (code == CLI_OK && run->items == 0) {
        cli_fail(&err, 1837, "the map has no bus");
        code = cli_error(&err, cli_input_name(run->o->map), NULL);
    }
    cli_yaml_close(&y);
    return code;
}
