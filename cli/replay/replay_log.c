/* SPDX-License-Identifier: MIT */
#include "replay_log.h"

#include "complete/complete.h"

#include <inttypes.h>
#include <string.h>

static int take_log(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row;
    if (strncmp(text, "mmiotrace=", 10) != 0 || !text[10])
        return cli_usage(verb, "--log %s: mmiotrace=FILE is expected", text);
    return cli_take_once(verb, "--log", text + 10, field);
}

static void offer_log(struct complete *c)
{
    if (strchr(c->word + c->from, '='))
        complete_files(c);
    else
        complete_offer(c, "mmiotrace=", NULL);
}

const struct opt_kind replay_log_file = { .value = "mmiotrace=FILE",
                                          .take = take_log,
                                          .offer = offer_log };

/* The kernel's six decimals, or as many as it takes. */
static void print_time(const struct replay_log *log)
{
    const uint64_t us = log->unit ? pc_unit_cycle(log->unit, 0) : log->ns / 1000;

    fprintf(log->out.file, " %" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
    if (!log->unit && log->ns % 1000)
        fprintf(log->out.file, "%03" PRIu64, log->ns % 1000);
}

int replay_log_open(struct replay_log *log, const char *path)
{
    return cli_out_open(&log->out, path);
}

/*
 * envytools' demmio wants a BAR1 and a boot id, whose bit 7 is set since NV10, before it names
 * registers.  The read stands before MAP, where no command of a script can stand: a replay knows
 * by that that the model did not make it.
 */
static void begin(struct replay_log *log, const struct pc_chip *chip, unsigned device,
                  const char *what)
{
    FILE *f = log->out.file;

    fprintf(f, "VERSION 20070824\n");
    fprintf(f,
            "PCIDEV 0100 10de%04x 0 %" PRIx64 " %" PRIx64
            " 0 0 0 0 0 1000000 %x 0 0 0 0 0 pcounter\n",
            device, REPLAY_LOG_BASE, REPLAY_LOG_BAR1, REPLAY_LOG_BAR1_SIZE);
    fprintf(f, "MARK 0.000000 " REPLAY_LOG_MARK "%s %s\n", what, chip->name);
    fprintf(f, "R 4 0.000000 1 0x%" PRIx64 " 0x%" PRIx32 " 0x0 0\n", REPLAY_LOG_BASE,
            (uint32_t)chip->id << 20 | 0xa1);
    fprintf(f, "MAP 0.000000 1 0x%" PRIx64 " 0x0 0x1000000 0x0 0\n", REPLAY_LOG_BASE);
}

void replay_log_begin(struct replay_log *log, const struct pc_chip *chip, const struct pc_gpu *gpu)
{
    struct pc_gpu_domain_info first;

    pc_gpu_get_domain_info(gpu, 0, &first);
    log->unit = first.unit;
    begin(log, chip, chip->id, "chip");
}

void replay_log_begin_card(struct replay_log *log, const struct pc_chip *chip)
{
    struct pc_chip_pci pci;

    log->unit = NULL;
    log->ns = 0;
    begin(log, chip, pc_chip_get_pci(chip, &pci) ? pci.device : chip->id, "card");
}

void replay_log_transaction(struct replay_log *log, bool write, unsigned size, uint32_t address,
                            uint64_t value)
{
    fprintf(log->out.file, "%c %u", write ? 'W' : 'R', size);
    print_time(log);
    fprintf(log->out.file, " 1 0x%" PRIx64 " 0x%" PRIx64 " 0x0 0\n", REPLAY_LOG_BASE + address,
            value);
}

void replay_log_access(struct replay_log *log, const struct pc_script_access *access)
{
    replay_log_transaction(log, access->write, access->size, access->address, access->value);
}

void replay_log_command(struct replay_log *log, const char *text, size_t size)
{
    fputs("MARK", log->out.file);
    print_time(log);
    fputs(" " REPLAY_LOG_MARK, log->out.file);
    fwrite(text, 1, size, log->out.file);
    fputc('\n', log->out.file);
}

bool replay_log_is(const char *word, const char *text, size_t size)
{
    const size_t n = strlen(word);

    return size > n && memcmp(text, word, n) == 0 && memchr(" \t\r", text[n], 3);
}

void replay_log_end(struct replay_log *log)
{
    fputs("UNMAP", log->out.file);
    print_time(log);
    fputs(" 1 0x0 0\n", log->out.file);
    log->unit = NULL; /* the device goes away now */
}
