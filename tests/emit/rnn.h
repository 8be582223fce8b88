/* SPDX-License-Identifier: MIT */
/*
 * A reader of rules-ng XML as far as `pcounter emit rnndb` writes it, with the rules of
 * envytools' rnn: elements and attributes that are not its own are refused, variants of an
 * element narrow those around it, and of elements at one address the first counts.
 */
#ifndef PC_TEST_RNN_H
#define PC_TEST_RNN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcounter/pcounter.h"

enum { RNN_NODES = 2000, RNN_ATTRIBUTES = 8, RNN_INDICES = 4 };

struct rnn_node {
    const char *tag;
    int parent; /* -1: the root */
    const char *name[RNN_ATTRIBUTES], *value[RNN_ATTRIBUTES];
    size_t attributes;
};

struct rnn {
    struct rnn_node node[RNN_NODES];
    int nodes;
    const char *problem; /* what was wrong with the text */
};

/* Cuts `text` up in place; false with `problem` set. */
bool rnn_parse(struct rnn *db, char *text);
/* An attribute, or NULL; a number attribute, or `other`. */
const char *rnn_attribute(const struct rnn *db, int node, const char *name);
uint32_t rnn_number(const struct rnn *db, int node, const char *name, uint32_t other);
/* Is the element there on the chip?  Asks those around it as well. */
bool rnn_has(const struct rnn *db, int node, const struct pc_chip *chip);

struct rnn_place {
    int node; /* the register, or -1 */
    uint32_t index[RNN_INDICES];
    size_t indices;
};
struct rnn_place rnn_decode(const struct rnn *db, const struct pc_chip *chip, uint32_t address);

#endif
