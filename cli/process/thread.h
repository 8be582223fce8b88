/* SPDX-License-Identifier: MIT */
/* Threads of the program. */
#ifndef PC_CLI_THREAD_H
#define PC_CLI_THREAD_H

#include <pthread.h>

/* Does what pthread_create() does, with a stack that suffices also where the limit of the stack is
 * lower. */
int cli_thread(pthread_t *thread, void *(*work)(void *ctx), void *ctx);

#endif
