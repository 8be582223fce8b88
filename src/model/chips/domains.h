/* SPDX-License-Identifier: MIT */
/* Names of domains and sets, for errors and registers. */
#ifndef PC_DOMAINS_H
#define PC_DOMAINS_H

#include "pcounter/pcounter.h"

enum { PC_DOMAIN_NAME = 16 };

/* Writes "3", "hub0" or "gpc0.1". */
void pc_domain_name(enum pc_set set, unsigned unit, unsigned domain, char out[PC_DOMAIN_NAME]);
/* "hub", "gpc0"; "" of PC_SET_ALL */
void pc_set_name(enum pc_set set, unsigned unit, char out[PC_DOMAIN_NAME]);

/* All of a chip: "0 to 7", "hub0 to hub7, gpc0.0 to gpc3.2"; "hub, gpc0 to gpc3". */
void pc_domain_names(const struct pc_chip *chip, char *out, size_t size);
void pc_set_names(const struct pc_chip *chip, char *out, size_t size);

#endif
