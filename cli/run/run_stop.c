/* SPDX-License-Identifier: MIT */
/* See run_stop.h. */
#include "run_stop.h"

#include "pci/pci.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 200 };

static volatile sig_atomic_t asked, at_once;
static char message[400]; /* what is said where a handler has to; a second Ctrl-C may be early */
static char cut[200];
static const char *volatile rest = ""; /* and what is printed then, after all that is */

/* Whoever does not listen, does not. */
static void put(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) < 0)
        return;
}

static void on_interrupt(int number)
{
    (void)number;
    if (asked || at_once) {
        cli_remove_unfinished();
        put(STDOUT_FILENO, rest);
        put(STDERR_FILENO, message);
        _exit(CLI_INTERRUPTED);
    }
    asked = 1;
}

void run_stop_begin(struct run_stop *s)
{
    struct sigaction action = { .sa_handler = on_interrupt };

    snprintf(message, sizeof message, "pcounter: interrupted\n");
    sigemptyset(&action.sa_mask);
    if (!s->card)
        sigaction(SIGINT, &action, NULL);
    cli_progress_begin(&s->progress);
}

/* As cli_print_name() shows it, or its beginning. */
static void show_name(const char *name, char out[NAME + 1])
{
    memset(out, 0, NAME + 1);
    FILE *f = fmemopen(out, NAME, "w");
    if (!f)
        return;
    cli_print_name(f, name);
    fclose(f);
}

/* Composes the message in advance, because a signal handler cannot. */
static void compose(const struct run_stop *s, const struct pc_script_place *place)
{
    char after[80] = "", name[NAME + 1];

    if (place->count)
        snprintf(after, sizeof after, ", after %s of %s accesses", cli_grouped(place->done),
                 cli_grouped(place->count));
    show_name(s->path, name);
    snprintf(message, sizeof message, "pcounter: interrupted in line %" PRIu32 " of %s%s; %s\n",
             place->line, name, after,
             s->file ? "nothing was written" : "what was read before is printed");
}

static bool is_asked(const struct run_stop *s)
{
    return s->card ? pci_stopped() : asked;
}

enum pc_status run_stop_place(struct run_stop *s, const struct pc_script_place *place,
                              struct pc_error *err)
{
    at_once = 0;
    rest = ""; /* it is old now */
    if (place->count)
        cli_progress_script(&s->progress, place->line, place->done, place->count);
    else
        cli_progress_end(&s->progress);
    if (is_asked(s) || place->waits)
        compose(s, place);
    if (place->waits && !s->card) {
        rep_flush(s->rows->rep);
        if (s->rows->begun) {
            run_rows_cut(s->rows, cut, sizeof cut);
            rest = cut;
        }
        at_once = 1;
    }
    if (!is_asked(s))
        return PC_OK;
    s->stopped = true;
    *err = (struct pc_error){ .status = PC_EIO };
    return PC_EIO;
}

bool run_stop_end(struct run_stop *s)
{
    at_once = 0;
    cli_progress_end(&s->progress);
    if (s->stopped) {
        rep_flush(s->rows->rep);
        fputs(message, stderr);
    }
    return s->stopped;
}
