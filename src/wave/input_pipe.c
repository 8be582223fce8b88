/* SPDX-License-Identifier: MIT */
/* A file of its own, because with _GNU_SOURCE strerror_r() is another function (input_file.c). */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "wave/input_file.h"

#include <fcntl.h>

#define PIPE_SIZE (1 << 18) /* bytes */

void wv_pipe_widen(int fd)
{
#ifdef F_SETPIPE_SZ
    if (fcntl(fd, F_GETPIPE_SZ) < PIPE_SIZE)
        (void)fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
#else
    (void)fd;
#endif
}
