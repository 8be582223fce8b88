/* SPDX-License-Identifier: MIT */
/*
 * Interfaces as busperf's files describe them: a scope, a clock and a reset in it, and the signals
 * of a handshake, or of the channels of one direction of AXI.
 */
#include "bus/bus_map.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 8192, DEEP = 16 };

/* Keys of an interface. */
static const char *const keys[] = { "scope",     "clock",
                                    "reset",     "reset_type",
                                    "handshake", "custom_analyzer",
                                    "intervals", "max_burst_delay",
                                    "ready",     "valid",
                                    "credit",    "htrans",
                                    "hready",    "psel",
                                    "penable",   "pready",
                                    "ar",        "r",
                                    "aw",        "w",
                                    "b",         NULL };
enum {
    SCOPE,
    CLOCK,
    RESET,
    RESET_TYPE,
    HANDSHAKE,
    ANALYZER,
    INTERVALS,
    BURST_DELAY,
    SIGNALS,
    CHANNELS = 16,
    KEYS = 21
};

struct interface {
    struct bus_run *run;
    struct cli_yaml *y;
    struct bus_item *item;
    yaml_node_t *of[KEYS];
    char scope[PATH];
};

/* A text, or a list of texts and lists, with dots between. */
static bool append(struct cli_yaml *y, const yaml_node_t *node, char *out, size_t size, int depth)
{
    const char *text = cli_yaml_text(node);
    const yaml_node_t *item;

    if (depth > DEEP || node->type == YAML_MAPPING_NODE)
        return false;
    if (node->type == YAML_SEQUENCE_NODE) {
        for (size_t i = 0; (item = cli_yaml_item(y, node, i)) != NULL; i++)
            if (!append(y, item, out, size, depth + 1))
                return false;
        return true;
    }
    const size_t used = strlen(out);
    if (!text || used + strlen(text) + 2 > size)
        return false;
    if (strcmp(text, "$rootio") == 0) /* the ports of the scope itself */
        return true;
    snprintf(out + used, size - used, "%s%s", used ? "." : "", text);
    return true;
}

static int path_of(const struct interface *in, const yaml_node_t *node, char **out,
                   struct bus_place *place)
{
    char path[2 * PATH];

    snprintf(path, sizeof path, "%s", in->scope);
    if (!append(in->y, node, path, sizeof path, 0))
        return cli_yaml_fail(in->y, node, 1837, NULL,
                             "a signal is a text, or a list of scopes and the signal");
    *place = bus_map_place(node);
    free(*out);
    *out = strdup(path);
    return *out ? CLI_OK : cli_no_memory();
}

static int take_role(struct interface *in, const char *role, const yaml_node_t *key,
                     const yaml_node_t *node)
{
    struct pc_error err;
    size_t at;

    if (pc_bus_role_find(in->item->protocol, role, &at, &err))
        return cli_yaml_fail(in->y, key, err.code, err.hint, "%s", err.text);
    return path_of(in, node, &in->item->role[at], &in->item->of_role[at]);
}

/* "id" of ar is arid, "rresp" of r is rresp. */
static int take_channel(struct interface *in, const char *channel, const yaml_node_t *node)
{
    yaml_node_t *key, *value;
    char role[64];
    int code = CLI_OK;

    for (size_t i = 0; code == CLI_OK && cli_yaml_pair(in->y, node, i, &key, &value); i++) {
        const char *name = cli_yaml_text(key);
        const size_t n = strlen(channel);
        const bool whole = name && strncmp(name, channel, n) == 0 && strcmp(name, "ready") != 0;
        snprintf(role, sizeof role, "%s%s", whole ? "" : channel, name ? name : "");
        code = take_role(in, role, key, value);
    }
    return code;
}

static bool has_key(struct cli_yaml *y, const yaml_node_t *node, const char *name)
{
    yaml_node_t *key, *value;

    for (size_t i = 0; node && cli_yaml_pair(y, node, i, &key, &value); i++) {
        const char *text = cli_yaml_text(key);
        if (text && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

/* The protocol that it is. */
static int find_protocol(struct interface *in, const yaml_node_t *node)
{
    static const char *const handshake[][2] = { { "ReadyValid", "valid-ready" },
                                                { "CreditValid", "credit" },
                                                { "AHB", "ahb" },
                                                { "APB", "apb" } };
    const char *text = in->of[HANDSHAKE] ? cli_yaml_text(in->of[HANDSHAKE]) : NULL;
    const char *name = NULL;

    for (size_t i = 0; text && i < sizeof handshake / sizeof *handshake; i++)
        if (strcmp(handshake[i][0], text) == 0)
            name = handshake[i][1];
    if (in->of[CHANNELS + 1] || in->of[CHANNELS + 3])
        name = has_key(in->y, in->of[CHANNELS + 1], "rlast") ||
                       has_key(in->y, in->of[CHANNELS + 3], "wlast")
                   ? "axi4"
                   : "axi4-lite";
    if (!name)
        return cli_yaml_fail(in->y, in->of[HANDSHAKE] ? in->of[HANDSHAKE] : node, 1837,
                             "ReadyValid, CreditValid, AHB and APB are known, and AXI's channels",
                             text ? "unknown handshake %.60s" : "interface %s has no handshake",
                             text ? text : in->item->name);
    return pc_bus_protocol_find(name, &in->item->protocol, NULL) == PC_OK ? CLI_OK : CLI_INPUT;
}

static int take_reset(struct interface *in)
{
    const char *type = in->of[RESET_TYPE] ? cli_yaml_text(in->of[RESET_TYPE]) : NULL;

    if (!in->of[RESET])
        return CLI_OK;
    in->item->reset_low = type && strcmp(type, "low") == 0;
    if (!type || (!in->item->reset_low && strcmp(type, "high") != 0))
        return cli_yaml_fail(in->y, in->of[RESET_TYPE] ? in->of[RESET_TYPE] : in->of[RESET], 1837,
                             NULL, "with a reset there is reset_type: low or high");
    return path_of(in, in->of[RESET], &in->item->reset, &in->item->of_reset);
}

static int take_keys(struct interface *in, const yaml_node_t *node)
{
    yaml_node_t *key, *value;

    if (node->type != YAML_MAPPING_NODE)
        return cli_yaml_fail(in->y, node, 1837, NULL, "an interface is a mapping");
    for (size_t i = 0; cli_yaml_pair(in->y, node, i, &key, &value); i++) {
        const char *name = cli_yaml_text(key);
        size_t k = 0;
        while (k < KEYS && (!name || strcmp(keys[k], name) != 0))
            k++;
        if (k == KEYS)
            return bus_map_unknown(in->y, key, keys);
        in->of[k] = value;
        if (k == INTERVALS || k == BURST_DELAY)
            cli_warning(513, "%s:%zu: %s is ignored", in->y->path, key->start_mark.line + 1, name);
    }
    if (in->of[SCOPE] && !append(in->y, in->of[SCOPE], in->scope, sizeof in->scope, 0))
        return cli_yaml_fail(in->y, in->of[SCOPE], 1837, NULL, "a scope is a text, or a list");
    return CLI_OK;
}

int bus_map_interface(struct bus_run *run, struct cli_yaml *y, const yaml_node_t *key,
                      const yaml_node_t *node)
{
    struct interface in = { .run = run, .y = y };
    int code = CLI_OK;

    in.item = bus_map_item(run, y, key, &code);
    if (!in.item)
        return code;
    code = take_keys(&in, node);
    if (code == CLI_OK)
        code = find_protocol(&in, node);
    if (code == CLI_OK && !in.of[CLOCK])
        code = cli_yaml_fail(y, node, 1837, NULL, "interface %s has no clock", in.item->name);
    if (code == CLI_OK)
        code = path_of(&in, in.of[CLOCK], &in.item->clock, &in.item->of_clock);
    if (code == CLI_OK)
        code = take_reset(&in);
    for (size_t k = SIGNALS; k < CHANNELS && code == CLI_OK; k++)
        if (in.of[k])
            code = take_role(&in, keys[k], in.of[k], in.of[k]);
    for (size_t k = CHANNELS; k < KEYS && code == CLI_OK; k++)
        if (in.of[k])
            code = take_channel(&in, keys[k], in.of[k]);
    return code;
}
