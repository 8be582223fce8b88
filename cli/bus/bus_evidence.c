/* SPDX-License-Identifier: MIT */
/*
 * Clocks and resets of the buses that were found by their names, proved by the data: the begin of
 * the waveform is read once before all of it is, as much as each bus needs.
 */
#include "bus/bus.h"
#include "process/simulation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    STAMPS = 32768, /* that are read in any case */
    PART = 20       /* 1 in that many bytes, if a bus has not moved by then */
};

/* The wires of the bits that the list watches. */
static struct pc_wave_bit *bits_of(const struct pc_bus_list *list, const struct bus_signals *of,
                                   size_t *count)
{
    struct pc_bus_bit b;
    size_t bits = 0;

    while (pc_bus_list_bit(list, bits, &b) == PC_OK)
        bits++;
    struct pc_wave_bit *bit = calloc(bits + 1, sizeof *bit);
    for (*count = 0; bit && pc_bus_list_bit(list, *count, &b) == PC_OK; ++*count) {
        const struct bus_signal_place *p = &of->place[b.signal];
        bit[*count] = p->bits > 0 ? (struct pc_wave_bit){ p->var + p->bits - 1 - b.bit, 0 }
                                  : (struct pc_wave_bit){ p->var, b.bit };
    }
    return bit;
}

/* Is enough read? */
static bool is_enough(const struct pc_wave *wave, uint64_t stamps, enum pc_bus_evidence evidence)
{
    uint64_t done, total;

    if (evidence == PC_BUS_FULL)
        return true;
    if (stamps < STAMPS || evidence == PC_BUS_TOO_LITTLE)
        return false;
    pc_wave_progress(wave, &done, &total);
    return evidence == PC_BUS_ENOUGH || total == 0 || done >= total / PART;
}

/* Hands over timestamps until it is enough. */
static enum pc_status watch(struct pc_wave *wave, struct pc_bus_list *list, struct pc_error *err)
{
    struct pc_wave_instant now;
    enum pc_bus_evidence evidence = PC_BUS_TOO_LITTLE;
    enum pc_status status = PC_OK;

    for (uint64_t stamps = 0; status == PC_OK && !is_enough(wave, stamps, evidence); stamps++) {
        status = pc_wave_step(wave, &now, err);
        if (status == PC_OK)
            status = pc_bus_watch(list, now.time, now.value[0], now.unknown[0], &evidence, err);
    }
    /* what is wrong with the file is told when all of it is read */
    return status == PC_ENOMEM ? status : PC_OK;
}

int bus_prove(struct bus_run *run, struct pc_bus_list *list, const struct bus_signals *of)
{
    const struct pc_wave_clock every = { .edge = PC_EDGE_EVERY };
    struct pc_wave_desc desc = cli_wave_desc(&run->o->read, run->path);
    struct pc_wave *wave = NULL;
    struct pc_error err;
    size_t bits = 0;
    unsigned stream;

    desc.threads = 1;
    struct pc_wave_bit *bit = bits_of(list, of, &bits);
    if (!bit)
        return cli_no_memory();
    enum pc_status status = bits > 0 ? cli_wave_open(&desc, &wave, &err) : PC_END;
    if (status == PC_OK)
        status = pc_wave_bind(wave, &every, bit, bits, &stream, &err);
    if (status == PC_OK)
        status = watch(wave, list, &err);
    if (status == PC_OK)
        status = pc_bus_judge(list, &err);
    pc_wave_close(wave);
    free(bit);
    return status == PC_OK || status == PC_END
               ? CLI_OK
               : cli_error(&err, cli_input_name(run->o->file), NULL);
}

/* ---- what is read once ---- */

static int cannot_copy(const struct bus_run *run)
{
    struct pc_error err;

    cli_fail(&err, 906, "cannot copy it into a temporary file, to read it twice: %s",
             strerror(errno));
    return cli_error(&err, cli_input_name(run->o->file), NULL);
}

int bus_open_input(struct bus_run *run)
{
    char buffer[1 << 16];
    size_t got = 1;

    run->path = run->o->file;
    if (run->o->map || !cli_read_once(run->path))
        return CLI_OK;
    cli_simulation_start_for_all();
    FILE *in = strcmp(run->path, "-") == 0 ? stdin : fopen(run->path, "rb");
    run->copy = in ? tmpfile() : NULL;
    while (run->copy && got > 0) {
        got = fread(buffer, 1, sizeof buffer, in);
        if (fwrite(buffer, 1, got, run->copy) != got)
            break;
    }
    const bool done = run->copy && got == 0 && !ferror(in) && fflush(run->copy) == 0;
    if (in && in != stdin)
        fclose(in);
    if (!done)
        return cannot_copy(run);
    snprintf(run->copy_path, sizeof run->copy_path, "/dev/fd/%d", fileno(run->copy));
    run->path = run->copy_path;
    return CLI_OK;
}
