/* SPDX-License-Identifier: MIT */
/* Calls of the program with an argument list of any bytes, and a folder for their files. */
#ifndef PC_TEST_IDLE_MADE_H
#define PC_TEST_IDLE_MADE_H

#include "test.h"

enum { MADE_ARGS = 64, MADE_TEXT = 256 };

struct made_call {
    char arg[MADE_ARGS][MADE_TEXT];
    size_t args;
};

void made_add(struct made_call *c, const char *fmt, ...) PC_PRINTF(2, 3);
/* Exit status of the program, its standard output as text (free it); a signal fails the test. */
int made_run(const char *program, const struct made_call *c, char **output);

/* A folder of this process, and a file in it. */
void made_folder(void);
void made_remove(void);
const char *made_path(const char *name);
void made_write(const char *name, const char *data, size_t size);

#endif
