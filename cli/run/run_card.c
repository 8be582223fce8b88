/* SPDX-License-Identifier: MIT */
/* See run_card.h. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "run_card.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static enum pc_status create_model(struct run_job *job, struct pc_error *err)
{
    const struct pc_gpu_desc desc = { .chip = job->card.chip,
                                      .memory_limit = job->o->memory,
                                      .stepping = job->card.boot0 & 0xfffff };
    const enum pc_status status = pc_gpu_create(&desc, &job->beside, err);

    return status ? status : run_prepare_model(job, job->beside, err);
}

static enum pc_status begin(void *ctx, const struct pc_chip *chip, struct pc_error *err)
{
    struct run_job *job = ctx;
    const enum pc_status status = pci_check_chip(&job->card, chip, err);

    job->chip = chip;
    if (!status && job->o->log)
        replay_log_begin_card(&job->logged, chip);
    return status || !job->o->beside ? status : create_model(job, err);
}

static enum pc_status announce(void *ctx, const struct pc_script_access *access,
                               struct pc_error *err)
{
    struct run_job *job = ctx;

    return access->write ? pci_save(&job->card, access->address & ~3u, err) : PC_OK;
}

/* Reports the first read of which card and model differ. */
static void compare(struct run_job *job, uint32_t address, uint32_t card, uint32_t model)
{
    if (card == model)
        return;
    if (job->differ++ == 0)
        cli_warning(2104,
                    "%s:%" PRIu32 ": 0x%06" PRIx32 " reads %08" PRIx32 " on the card, %08" PRIx32
                    " on the model",
                    job->o->path, job->line, address, card, model);
}

static enum pc_status read32(void *ctx, uint32_t address, uint32_t *value, struct pc_error *err)
{
    struct run_job *job = ctx;
    const enum pc_status status = pci_read(&job->card, address, value, err);

    if (!status && job->beside)
        compare(job, address, *value, pc_gpu_read32(job->beside, address));
    return status;
}

static enum pc_status write_part(void *ctx, uint32_t address, unsigned size, uint32_t value,
                                 struct pc_error *err)
{
    struct run_job *job = ctx;

    if (job->beside)
        pc_gpu_write(job->beside, address, size, value);
    return pci_write(&job->card, address, size, value, err);
}

/* A wait that a signal has cut is the end of the script. */
static enum pc_status wait_cycles(void *ctx, unsigned domain, uint64_t cycles, struct pc_error *err)
{
    struct run_job *job = ctx;
    enum pc_status status = pci_wait(&job->card, cycles, err);

    if (!status && pci_stopped()) {
        const struct pc_script_place here = { .line = job->line };
        return run_stop_place(&job->stop, &here, err);
    }
    if (!status && job->beside)
        status = pc_gpu_run(job->beside, domain, cycles, err);
    return status;
}

static void keep(void *ctx)
{
    struct run_job *job = ctx;

    job->card.keep = true;
}

void run_card_log(struct run_job *job, const struct pc_script_access *access)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    if (job->begun_ns == 0)
        job->begun_ns = ns;
    job->logged.ns = ns - job->begun_ns;
    replay_log_access(&job->logged, access);
}

int run_card_open(struct run_job *job, struct pc_script_desc *desc)
{
    pci_catch_signals();
    const int code = pci_open(&job->o->card, &job->card);

    job->port = (struct pc_script_port){ .ctx = job,
                                         .begin = begin,
                                         .announce = announce,
                                         .read = read32,
                                         .write = write_part,
                                         .wait = wait_cycles,
                                         .keep = keep };
    desc->port = &job->port;
    job->rows.card = &job->card;
    job->rows.differ = job->o->beside ? &job->differ : NULL;
    return code;
}

void run_card_end(struct run_job *job)
{
    if (job->o->log && job->chip)
        replay_log_end(&job->logged);
    pci_restore(&job->card);
    pci_tell(&job->card);
    if (job->beside)
        cli_note(2105, "%s differ%s between the card and the model", cli_count(job->differ, "read"),
                 job->differ == 1 ? "s" : "");
    pc_gpu_destroy(job->beside);
    job->beside = NULL;
    pci_close(&job->card);
}
