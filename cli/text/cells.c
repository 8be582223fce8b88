/* SPDX-License-Identifier: MIT */
/* See cells.h. */
#include "cells.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "text/page.h"

int cli_terminal_width(FILE *out, int otherwise)
{
    const struct cli_page *page = cli_page_of(out);
    FILE *const shown = page ? page->shown : out;
    const int fd = shown ? fileno(shown) : -1;
    struct winsize size;

    if (fd >= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return otherwise;
}

int cli_larger(int a, int b)
{
    return a > b ? a : b;
}
