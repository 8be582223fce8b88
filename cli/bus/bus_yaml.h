/* SPDX-License-Identifier: MIT */
/* libyaml, loaded when a map is read: the other verbs start without it (docs/adr/027). */
#ifndef PC_CLI_BUS_YAML_H
#define PC_CLI_BUS_YAML_H

#include <stddef.h>
#include <yaml.h>

#include "cli.h"

/* What is used of it: names without "yaml_", as <yaml.h> declares them. */
/* clang-format off: one a line */
#define BUS_YAML_FUNCTIONS(F)                                                                      \
    F(document_delete)                                                                             \
    F(document_get_node)                                                                           \
    F(document_get_root_node)                                                                      \
    F(parser_delete)                                                                               \
    F(parser_initialize)                                                                           \
    F(parser_load)                                                                                 \
    F(parser_set_input_string)
/* clang-format on */

struct bus_yaml {
    void *library;
#define BUS_YAML_FUNCTION(name) __typeof__(yaml_##name) *name;
    BUS_YAML_FUNCTIONS(BUS_YAML_FUNCTION)
#undef BUS_YAML_FUNCTION
    const char *path;
    char *text;
    yaml_document_t document;
    bool parsed;
};

/* The whole file, an exit code; closed by the caller whatever happened. */
int bus_yaml_open(struct bus_yaml *y, const char *path);
void bus_yaml_close(struct bus_yaml *y);

/* NULL: the file is empty. */
yaml_node_t *bus_yaml_root(struct bus_yaml *y);
/* The i-th pair of a mapping, the i-th item of a list; false past the end, and of other nodes. */
bool bus_yaml_pair(struct bus_yaml *y, const yaml_node_t *node, size_t i, yaml_node_t **key,
                   yaml_node_t **value);
yaml_node_t *bus_yaml_item(struct bus_yaml *y, const yaml_node_t *node, size_t i);
/* NULL: it is no scalar, or has a NUL in it. */
const char *bus_yaml_text(const yaml_node_t *node);
/* An error at the node, with its line; CLI_INPUT. */
int bus_yaml_fail(const struct bus_yaml *y, const yaml_node_t *node, unsigned code,
                  const char *hint, const char *fmt, ...) PC_PRINTF(5, 6);

#endif
