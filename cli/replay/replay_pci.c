/* SPDX-License-Identifier: MIT */
/* replay --card: the accesses of a trace on a real card. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "replay.h"
#include "replay_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRIGGER_NS UINT64_C(3000) /* PM_TRIGGER takes some cycles to a domain */

static int fail(const struct replay *r, uint32_t line, struct pc_error *err)
{
    err->line = line;
    return cli_error(err, r->options->path, NULL);
}

int replay_pci_open(struct replay *r)
{
    struct pc_error err = { 0 };

    pci_catch_signals();
    const int code = pci_open(&r->options->card, &r->hardware);
    if (code)
        return code;
    if (r->options->chip && pci_check_chip(&r->hardware, r->options->chip, &err))
        return cli_error(&err, "--chip", NULL);
    r->chip = r->hardware.chip;
    return CLI_OK;
}

void replay_pci_close(struct replay *r)
{
    pci_restore(&r->hardware);
    pci_tell(&r->hardware);
    pci_close(&r->hardware);
}

int replay_pci_mark(struct replay *r, const char *text, size_t size, uint32_t line)
{
    char number[24];
    struct pc_error err;

    if (!replay_log_is("run", text, size))
        return card_fail(r->options->path, PC_EUNSUP, 823, line,
                         "the log has a command for the model: %.*s", (int)(size < 60 ? size : 60),
                         text);
    snprintf(number, sizeof number, "%.*s", (int)(size - 4 < 20 ? size - 4 : 20), text + 4);
    return pci_wait(&r->hardware, strtoull(number, NULL, 10), &err) ? fail(r, line, &err) : CLI_OK;
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* With --clock, and in a log of a card, as much time as the trace had from its first access on. */
int replay_pci_pass(struct replay *r, const struct pc_trace_event *e)
{
    struct pc_error err;

    if (!r->options->card.hz && !r->of_card)
        return CLI_OK;
    if (!r->timed) {
        r->first_ns = e->time_ns;
        r->begun_ns = now_ns();
    }
    r->timed = true;
    const uint64_t due = e->time_ns > r->first_ns ? e->time_ns - r->first_ns : 0;
    const uint64_t gone = now_ns() - r->begun_ns;
    if (due <= gone)
        return CLI_OK;
    return pci_wait_ns(&r->hardware, due - gone, &err) ? fail(r, e->line, &err) : CLI_OK;
}

int replay_pci_access(struct replay *r, struct replay_access *a)
{
    uint32_t value = (uint32_t)a->value;
    struct pc_error err;
    enum pc_status status;

    if (a->write) {
        status = pci_save(&r->hardware, a->address, &err);
        if (!status)
            status = pci_write(&r->hardware, a->address, 4, value, &err);
        if (!status && a->address == PGRAPH_DEBUG_1)
            status = pci_wait_ns(&r->hardware, TRIGGER_NS, &err);
    } else {
        status = pci_read(&r->hardware, a->address, &value, &err);
        a->model = value;
    }
    return status ? fail(r, a->line, &err) : CLI_OK;
}
