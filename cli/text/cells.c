/* SPDX-License-Identifier: MIT */
/* See cells.h. */
#include "cells.h"

#include <sys/ioctl.h>
#include <unistd.h>

int cli_terminal_width(FILE *out, int otherwise)
{
    struct winsize size;
    const int fd = fileno(out);

    if (fd >= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return otherwise;
}

int cli_larger(int a, int b)
{
    return a > b ? a : b;
}

void cli_print_right(FILE *out, const char *name, int width)
{
    fprintf(out, "%*s", cli_larger(0, width - (int)cli_columns(name)), "");
    cli_print_name(out, name);
}

void cli_cell(struct cli_cells *cells, int width, const char *text, char mark)
{
    fprintf(cells->out, "%c %*s", cells->mark, width, text);
    cells->mark = mark;
}

void cli_cell_name(struct cli_cells *cells, const char *name)
{
    fprintf(cells->out, "%c  ", cells->mark);
    cells->mark = ' ';
    cli_print_name(cells->out, name);
}

void cli_cells_end(struct cli_cells *cells)
{
    if (cells->mark != ' ')
        fputc(cells->mark, cells->out);
    cells->mark = ' ';
    fputc('\n', cells->out);
}
