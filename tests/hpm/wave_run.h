/* SPDX-License-Identifier: MIT */
/* Runs of the program, and its JSON. */
#ifndef PC_TESTS_HPM_WAVE_RUN_H
#define PC_TESTS_HPM_WAVE_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The path of pcounter is the argument of a test; false if it is not given. */
bool wave_given(int argc, char **argv);

struct wave_ran {
    int code;           /* exit code */
    char out[262144];   /* standard output, cut off */
    char errors[16384]; /* standard error, cut off */
    json_t *json;       /* standard output, if it is JSON; wave_done() frees it */
};
/* Arguments up to a NULL. */
void wave_run(struct wave_ran *r, const char *first, ...);
void wave_done(struct wave_ran *r);
/* The run ended with exit code 2, and said both on standard error.  Also wave_done(). */
void wave_expect_error(struct wave_ran *r, const char *code, const char *text);

/* A member of an object that is there: numbers, or numbers as text. */
int64_t wave_number(const json_t *object, const char *key);
const char *wave_text(const json_t *object, const char *key);
/* The object of an array whose member `key` is `value`; NULL if there is none. */
json_t *wave_find(const json_t *array, const char *key, const char *value);

#endif
