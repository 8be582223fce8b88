/* SPDX-License-Identifier: MIT */
/* Shared by the two forms of maps.  Functions return exit codes, after reporting the error. */
#ifndef PC_CLI_BUS_MAP_H
#define PC_CLI_BUS_MAP_H

#include "bus/bus.h"
#include "process/yaml.h"

/* A key that is none of the names. */
int bus_map_unknown(const struct cli_yaml *y, const yaml_node_t *key, const char *const *names);
int bus_map_text(const struct cli_yaml *y, const yaml_node_t *node, const char *what, char **out,
                 struct bus_place *place);
struct bus_place bus_map_place(const yaml_node_t *node);
int bus_map_number(const struct cli_yaml *y, const yaml_node_t *node, const char *what,
                   uint32_t most, uint32_t *out);
/* A bus of that name; NULL, with an exit code: it is no name, or there is one already. */
struct bus_item *bus_map_item(struct bus_run *run, const struct cli_yaml *y, const yaml_node_t *key,
                              int *code);

/* bus_busperf.c: an interface as busperf describes it. */
int bus_map_interface(struct bus_run *run, struct cli_yaml *y, const yaml_node_t *key,
                      const yaml_node_t *node);

#endif
