/* SPDX-License-Identifier: MIT */
/* libyaml, loaded when a file is read: the other verbs start without it (docs/adr/027). */
#ifndef PC_CLI_CLI_YAML_H
#define PC_CLI_CLI_YAML_H

#include <stddef.h>
#include <yaml.h>

#include "cli.h"

/* The functions that are used of it: names without "yaml_", as <yaml.h> declares them. */
/* clang-format off: one a line */
#define CLI_YAML_FUNCTIONS(F)                                                                      \
    F(document_delete)                                                                             \
    F(document_get_node)                                                                           \
    F(document_get_root_node)                                                                      \
    F(parser_delete)                                                                               \
    F(parser_initialize)                                                                           \
    F(parser_load)                                                                                 \
    F(parser_set_input_string)
/* clang-format on */

/* The kind of file, for messages: "maps", and the codes of its errors. */
struct cli_yaml_kind {
    const char *verb, *what;
    unsigned no_library, malformed;
};

/* The tag of a node is NULL where the file has none. */
struct cli_yaml {
    const struct cli_yaml_kind *kind;
    void *library;
#define CLI_YAML_FUNCTION(name) __typeof__(yaml_##name) *name;
    CLI_YAML_FUNCTIONS(CLI_YAML_FUNCTION)
#undef CLI_YAML_FUNCTION
    const char *path;
    char *text;
    yaml_document_t document;
    bool parsed;
};

/* Reads the whole file, an exit code; closed by the caller whatever happened. */
int cli_yaml_open(struct cli_yaml *y, const struct cli_yaml_kind *kind, const char *path);
/* Opens a text, which becomes the struct's own; path is its name in messages. */
int cli_yaml_open_text(struct cli_yaml *y, const struct cli_yaml_kind *kind, const char *path,
                       char *text);
void cli_yaml_close(struct cli_yaml *y);

/* NULL: the file is empty. */
yaml_node_t *cli_yaml_root(struct cli_yaml *y);
/* Gets the i-th pair of a mapping, the i-th item of a list; false past the end, and of other
 * nodes. */
bool cli_yaml_pair(struct cli_yaml *y, const yaml_node_t *node, size_t i, yaml_node_t **key,
                   yaml_node_t **value);
yaml_node_t *cli_yaml_item(struct cli_yaml *y, const yaml_node_t *node, size_t i);
size_t cli_yaml_items(const yaml_node_t *list);
/* NULL: it is no scalar, or has a NUL in it. */
const char *cli_yaml_text(const yaml_node_t *node);
/* Reports an error at the node, with its line; CLI_INPUT. */
int cli_yaml_fail(const struct cli_yaml *y, const yaml_node_t *node, unsigned code,
                  const char *hint, const char *fmt, ...) PC_PRINTF(5, 6);

#endif
