/* SPDX-License-Identifier: MIT */
#include "replay_log.h"

#include <inttypes.h>

static void print_time(const struct replay_log *log)
{
    uint64_t cycle = pc_unit_cycle(log->unit, 0);

    fprintf(log->out.file, " %" PRIu64 ".%06" PRIu64, cycle / 1000000, cycle % 1000000);
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
void replay_log_begin(struct replay_log *log, const struct pc_chip *chip, const struct pc_gpu *gpu)
{
    struct pc_gpu_domain_info first;
    FILE *f = log->out.file;

    pc_gpu_domain_info(gpu, 0, &first);
    log->unit = first.unit;
    fprintf(f, "VERSION 20070824\n");
    fprintf(f,
            "PCIDEV 0100 10de%04x 0 %" PRIx64 " %" PRIx64
            " 0 0 0 0 0 1000000 %x 0 0 0 0 0 pcounter\n",
            chip->id, REPLAY_LOG_BASE, REPLAY_LOG_BAR1, REPLAY_LOG_BAR1_SIZE);
    fprintf(f, "MARK 0.000000 " REPLAY_LOG_MARK "chip %s\n", chip->name);
    fprintf(f, "R 4 0.000000 1 0x%" PRIx64 " 0x%" PRIx32 " 0x0 0\n", REPLAY_LOG_BASE,
            (uint32_t)chip->id << 20 | 0xa1);
    fprintf(f, "MAP 0.000000 1 0x%" PRIx64 " 0x0 0x1000000 0x0 0\n", REPLAY_LOG_BASE);
}

void replay_log_access(struct replay_log *log, const struct pc_script_access *access)
{
    fprintf(log->out.file, "%c 4", access->write ? 'W' : 'R');
    print_time(log);
    fprintf(log->out.file, " 1 0x%" PRIx64 " 0x%" PRIx32 " 0x0 0\n",
            REPLAY_LOG_BASE + access->address, access->value);
}

void replay_log_command(struct replay_log *log, const char *text, size_t size)
{
    fputs("MARK", log->out.file);
    print_time(log);
    fputs(" " REPLAY_LOG_MARK, log->out.file);
    fwrite(text, 1, size, log->out.file);
    fputc('\n', log->out.file);
}

void replay_log_end(struct replay_log *log)
{
    fputs("UNMAP", log->out.file);
    print_time(log);
    fputs(" 1 0x0 0\n", log->out.file);
    log->unit = NULL; /* the device goes away now */
}
