/* SPDX-License-Identifier: MIT */
/* Protocols that a map defines (bus_own.c).  Functions that return int return exit codes. */
#ifndef PC_CLI_BUS_OWN_H
#define PC_CLI_BUS_OWN_H

#include "bus/bus_map.h"

/* One of `protocols`; that of the name, NULL: there is none. */
int bus_own_read(struct bus_run *run, struct cli_yaml *y, const yaml_node_t *key,
                 const yaml_node_t *node);
struct bus_own *bus_own_find(const struct bus_run *run, const char *name);
/* The names of its expressions, of a bus; then its roles. */
int bus_own_signals(struct cli_yaml *y, const yaml_node_t *node, struct bus_item *item);
int bus_own_roles(struct bus_item *item);

#endif
