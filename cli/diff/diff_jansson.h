/* SPDX-License-Identifier: MIT */
/* libjansson, loaded when a JSON is read: the other verbs start without it (docs/adr/027). */
#ifndef PC_CLI_DIFF_JANSSON_H
#define PC_CLI_DIFF_JANSSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The functions that are used of it: names without "json_", as <jansson.h> declares them. */
/* clang-format off: one a line */
#define DIFF_JANSSON_FUNCTIONS(F)                                                                  \
    F(array_get)                                                                                   \
    F(array_set_new)                                                                               \
    F(array_size)                                                                                  \
    F(delete)                                                                                      \
    F(integer_value)                                                                               \
    F(loadb)                                                                                       \
    F(null)                                                                                        \
    F(number_value)                                                                                \
    F(object_get)                                                                                  \
    F(object_iter)                                                                                 \
    F(object_iter_key)                                                                             \
    F(object_iter_next)                                                                            \
    F(object_iter_value)                                                                           \
    F(set_alloc_funcs)                                                                             \
    F(string_value)
/* clang-format on */

struct diff_jansson {
    void *library;
#define DIFF_FUNCTION(name) __typeof__(json_##name) *name;
    DIFF_JANSSON_FUNCTIONS(DIFF_FUNCTION)
#undef DIFF_FUNCTION
};

/* NULL, or why it is not there. */
const char *diff_jansson_load(struct diff_jansson *j);
/* NULL: it is not JSON, or memory was refused. */
json_t *diff_jansson_parse(const struct diff_jansson *j, const char *text, size_t size,
                           json_error_t *wrong);
/* Has it been refused memory since then? */
bool diff_jansson_refused(void);
/* Was it for the limit, which this sets?  Of all that it asks for from then on. */
bool diff_jansson_at_limit(void);
void diff_jansson_limit(uint64_t bytes);
void diff_jansson_unload(struct diff_jansson *j);

#endif
