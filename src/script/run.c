/* SPDX-License-Identifier: MIT */
/*
 * Runs a script against the device, command by command.  Time: an access takes the
 * latency of the script (default 1 cycle a write, 0 a read); with a wave, nothing takes
 * time before the first `run`.
 */
#include "script/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct runner {
    const struct pc_script_desc *desc;
    pc_script_mismatch_fn *mismatch;
    void *ctx;
    struct pc_alloc alloc;
    const struct pc_script_port *port; /* NULL: the model */
    struct pc_gpu *gpu;                /* NULL with a port */
    const struct pc_chip *chip;
    struct sc_waves *waves;   /* NULL: time by clocks */
    struct sc_waves *sampled; /* of a stimulus; NULL: there is none */
    uint32_t latency[2];      /* in force from the first run on, if there is a wave */
    bool has_run;
    struct pc_script_result result;
};

/* Reports an error of the device at its place in the script. */
static enum pc_status at(const struct sc_command *cmd, uint32_t column, enum pc_status status,
                         struct pc_error *err)
{
    if (status && err && err->line == 0) {
        err->line = cmd->line;
        err->column = column;
    }
    return status;
}

static void expect(struct runner *r, const struct sc_command *cmd, uint32_t value, bool *reported)
{
    struct pc_error what;

    r->result.expectations++;
    if (((value ^ cmd->value) & cmd->mask) == 0)
        return;
    if (r->result.failed++ > 0 && *reported)
        return;
    sc_describe_mismatch(r->chip, cmd, value, &what);
    if (r->result.failed == 1)
        r->result.first_failure = what;
    if (r->mismatch)
        r->mismatch(r->ctx, &what);
    *reported = true;
}

static enum pc_status print_read(struct runner *r, const struct sc_command *cmd, uint32_t value,
                                 struct pc_error *err)
{
    char line[32];
    int n = snprintf(line, sizeof line,
                     cmd->io ? "I[%" PRIx32 "] %08" PRIx32 "\n" : "%06" PRIx32 " %08" PRIx32 "\n",
                     cmd->address, value);

    if (!r->desc->out.write || r->desc->out.write(r->desc->out.ctx, line, (size_t)n) == PC_OK)
        return PC_OK;
    return pc_fail_at(err, 820, cmd->line, 0, "the value of 0x%06" PRIx32 " could not be written",
                      cmd->address);
}

static enum pc_status read32(struct runner *r, const struct sc_command *cmd, uint32_t *value,
                             struct pc_error *err)
{
    r->result.reads++;
    if (r->port)
        return at(cmd, cmd->column, r->port->read(r->port->ctx, cmd->address, value, err), err);
    *value = cmd->io ? pc_gpu_io_read32(r->gpu, cmd->address) : pc_gpu_read32(r->gpu, cmd->address);
    return PC_OK;
}

static enum pc_status write32(struct runner *r, const struct sc_command *cmd, uint32_t value,
                              struct pc_error *err)
{
    r->result.writes++;
    if (r->port)
        return at(cmd, cmd->column,
                  r->port->write(r->port->ctx, cmd->address, cmd->size, value, err), err);
    if (cmd->io)
        pc_gpu_io_write32(r->gpu, cmd->address, value);
    else
        pc_gpu_write(r->gpu, cmd->address, cmd->size, value);
    return PC_OK;
}

/* Reports one access; of I[] the whole command is reported, as the host makes no access for it. */
static void single(const struct runner *r, const struct sc_command *cmd, bool write, uint32_t value)
{
    if (r->desc->single && !cmd->io)
        r->desc->single(r->ctx, &(struct pc_script_access){ .line = cmd->line,
                                                            .write = write,
                                                            .address = cmd->address,
                                                            .size = cmd->size,
                                                            .value = value,
                                                            .count = 1 });
}

enum { PLACE_EVERY = 65536 };

/* Tells the caller where the script is; may it go on? */
static enum pc_status tell_place(const struct runner *r, const struct sc_command *cmd,
                                 uint64_t done, struct pc_error *err)
{
    const struct pc_script_place place = { .line = cmd->line,
                                           .waits = cmd->verb == SC_RUN || cmd->verb == SC_WAVE,
                                           .done = done,
                                           .count = cmd->repeated ? cmd->count : 0 };

    return r->desc->place ? r->desc->place(r->ctx, &place, err) : PC_OK;
}

/* Asks whether to go on, now and then in a repeat. */
static enum pc_status go_on(const struct runner *r, const struct sc_command *cmd, uint64_t done,
                            struct pc_error *err)
{
    return done % PLACE_EVERY == 0 && done > 0 ? tell_place(r, cmd, done, err) : PC_OK;
}

/* Reports the command, when it is done. */
static void tell_access(const struct runner *r, const struct sc_command *cmd, uint32_t value,
                        uint64_t failed)
{
    const bool write = cmd->verb == SC_WRITE, expects = !write && cmd->expects;

    if (r->desc->access)
        r->desc->access(r->ctx, &(struct pc_script_access){ .line = cmd->line,
                                                            .write = write,
                                                            .address = cmd->address,
                                                            .size = cmd->size,
                                                            .io = cmd->io,
                                                            .value = value,
                                                            .count = cmd->count,
                                                            .expects = expects,
                                                            .repeated = cmd->repeated,
                                                            .expected = expects ? cmd->value : 0,
                                                            .mask = expects ? cmd->mask : 0,
                                                            .failed = failed });
}

/* Does a read; only the first difference of a repeat is reported, all are counted. */
static enum pc_status do_read(struct runner *r, const struct sc_command *cmd, struct pc_error *err)
{
    const uint64_t failed = r->result.failed;
    enum pc_status status = PC_OK;
    uint32_t value = 0;
    bool reported = false;

    for (uint64_t i = 0; i < cmd->count; i++) {
        status = go_on(r, cmd, i, err);
        if (status)
            return status;
        status = read32(r, cmd, &value, err);
        if (status)
            return status;
        single(r, cmd, false, value);
        if (cmd->expects)
            expect(r, cmd, value, &reported);
        if (r->waves)
            status = sc_waves_fault(r->waves, cmd, err);
        if (status)
            return status;
    }
    if (!cmd->repeated)
        status = print_read(r, cmd, value, err);
    if (!status && cmd->count)
        tell_access(r, cmd, value, r->result.failed - failed);
    return status;
}

/* With a mask the register is read first, and its other bits are written back. */
static enum pc_status value_to_write(struct runner *r, const struct sc_command *cmd,
                                     uint32_t *value, struct pc_error *err)
{
    *value = cmd->value;
    if (cmd->mask == UINT32_MAX)
        return PC_OK;
    const enum pc_status status = read32(r, cmd, value, err);
    if (status)
        return status;
    single(r, cmd, false, *value);
    *value = (*value & ~cmd->mask) | (cmd->value & cmd->mask);
    return PC_OK;
}

static enum pc_status do_write(struct runner *r, const struct sc_command *cmd, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    uint32_t value = cmd->value;

    for (uint64_t i = 0; i < cmd->count && !status; i++) {
        status = go_on(r, cmd, i, err);
        if (status)
            return status;
        status = value_to_write(r, cmd, &value, err);
        if (status)
            return status;
        single(r, cmd, true, value);
        status = write32(r, cmd, value, err);
        if (!status && r->waves)
            status = sc_waves_fault(r->waves, cmd, err);
    }
    if (!status && cmd->count)
        tell_access(r, cmd, value, 0);
    return status;
}

static enum pc_status do_option(struct runner *r, const struct sc_command *cmd,
                                struct pc_error *err)
{
    char name[80], value[80];

    if (cmd->name.size >= sizeof name || cmd->text.size >= sizeof value)
        return pc_fail_at(err, 813, cmd->line, cmd->name.column,
                          "an option's name or value of more than %zu bytes", sizeof name - 1);
    return at(cmd, cmd->name.column,
              pc_gpu_option(r->gpu, sc_show(&cmd->name, name, sizeof name),
                            sc_show(&cmd->text, value, sizeof value), err),
              err);
}

static enum pc_status do_play(struct runner *r, const struct sc_command *cmd, struct pc_error *err)
{
    size_t n = cmd->text.size;
    uint8_t *levels = pc_calloc(&r->alloc, n, 1);

    if (!levels)
        return pc_fail_at(err, 100, cmd->line, 0, "no memory for %zu levels", n);
    for (size_t i = 0; i < n; i++)
        levels[i] = cmd->text.at[i] == '1';
    enum pc_status status = pc_gpu_play(r->gpu, cmd->domain, cmd->signal, levels, n, err);
    pc_free(&r->alloc, levels, n);
    return at(cmd, cmd->text.column, status, err);
}

static enum pc_status do_latency(struct runner *r, const struct sc_command *cmd)
{
    memcpy(r->latency, cmd->latency, sizeof r->latency);
    if (!r->waves || r->has_run)
        pc_gpu_latency(r->gpu, r->latency[0], r->latency[1]);
    return PC_OK;
}

static enum pc_status do_run(struct runner *r, const struct sc_command *cmd, struct pc_error *err)
{
    if (r->port)
        return at(cmd, cmd->column, r->port->wait(r->port->ctx, cmd->domain, cmd->count, err), err);
    if (!r->waves)
        return at(cmd, cmd->column, pc_gpu_run(r->gpu, cmd->domain, cmd->count, err), err);
    if (!r->has_run) {
        enum pc_status status = sc_waves_start(r->waves, cmd, err);
        if (status)
            return status;
        r->has_run = true;
        pc_gpu_latency(r->gpu, r->latency[0], r->latency[1]);
    }
    return at(cmd, cmd->column, sc_waves_run(r->waves, cmd, err), err);
}

static enum pc_status do_chip(struct runner *r, const struct sc_command *cmd, bool has_wave,
                              struct pc_error *err)
{
    struct pc_gpu_desc desc = { .chip = r->chip,
                                .alloc = &r->alloc,
                                .memory_limit = r->desc->memory_limit };
    enum pc_status status = pc_gpu_create(&desc, &r->gpu, err);

    if (!status && has_wave) {
        status = sc_waves_create(r->desc, &r->alloc, r->chip, r->gpu, &r->waves, err);
        pc_gpu_latency(r->gpu, 0, 0);
    }
    if (!status && r->desc->prepare)
        status = r->desc->prepare(r->ctx, r->gpu, err);
    else
        status = at(cmd, cmd->name.column, status, err);
    return status;
}

static enum pc_status do_command(struct runner *r, const struct sc_command *cmd,
                                 struct pc_error *err)
{
    struct sc_waves *waves = r->waves ? r->waves : r->sampled;
    enum pc_status status = tell_place(r, cmd, 0, err);

    if (status)
        return status;
    if (r->desc->command && (cmd->io || (cmd->verb != SC_WRITE && cmd->verb != SC_READ)))
        r->desc->command(r->ctx, cmd->whole.at, cmd->whole.size);
    switch (cmd->verb) {
    case SC_OPTION:
        return do_option(r, cmd, err);
    case SC_LATENCY:
        return do_latency(r, cmd);
    case SC_CLOCK:
        return at(cmd, cmd->column,
                  cmd->hz ? pc_gpu_clock_hz(r->gpu, cmd->domain, cmd->hz, err)
                          : pc_gpu_clock(r->gpu, cmd->domain, cmd->period, cmd->phase, err),
                  err);
    case SC_SET:
        return at(cmd, cmd->column, pc_gpu_set(r->gpu, cmd->domain, cmd->signal, cmd->level, err),
                  err);
    case SC_PLAY:
        return do_play(r, cmd, err);
    case SC_PULSE:
        pc_gpu_pulse(r->gpu, cmd->pulse);
        return PC_OK;
    case SC_IDLE:
        return at(cmd, cmd->column, pc_gpu_set_idle(r->gpu, cmd->value, err), err);
    case SC_WRITE:
        return do_write(r, cmd, err);
    case SC_READ:
        return do_read(r, cmd, err);
    case SC_RUN:
        return do_run(r, cmd, err);
    case SC_KEEP:
        if (r->port && r->port->keep)
            r->port->keep(r->port->ctx);
        return PC_OK;
    case SC_WAVE:
        return sc_waves_open(waves, cmd, r->ctx, err);
    case SC_BIND_CLOCK:
        return sc_waves_bind_clock(waves, cmd, err);
    case SC_BIND:
        return sc_waves_bind(waves, cmd, err);
    case SC_CHIP:
    case SC_REPEAT:
        break; /* the first is done; the parser never hands out the other */
    }
    return PC_OK;
}

/* Refuses a command that only the model can do. */
static enum pc_status check_for_port(const struct sc_command *cmd, struct pc_error *err)
{
    const bool accesses = cmd->verb == SC_WRITE || cmd->verb == SC_READ;
    enum pc_status status = PC_OK;
    size_t n = 0;

    if (cmd->io) {
        status = pc_fail_at(err, 823, cmd->line, cmd->column,
                            "I[] addresses are PDAEMON's own, which the card's bus does not reach");
        pc_hint(err, "the host has the same registers from 10a500 on");
    } else if (!accesses && cmd->verb != SC_RUN && cmd->verb != SC_KEEP) {
        while (n < cmd->whole.size && cmd->whole.at[n] > ' ')
            n++;
        status = pc_fail_at(err, 823, cmd->line, cmd->column, "`%.*s` is a command for the model",
                            (int)n, cmd->whole.at);
        pc_hint(err, "a card has its own signals, clocks and time: remove the line");
    }
    return status;
}

/* Tells the port of all accesses, before the first is made; the parser is at its first line. */
static enum pc_status announce(const struct runner *r, struct sc_parser p, struct pc_error *err)
{
    struct sc_command cmd;
    enum pc_status status;

    while ((status = sc_next(&p, &cmd, err)) == PC_OK) {
        const bool accesses = cmd.verb == SC_WRITE || cmd.verb == SC_READ;
        const struct pc_script_access access = { .line = cmd.line,
                                                 .write = cmd.verb == SC_WRITE,
                                                 .address = cmd.address,
                                                 .size = cmd.size,
                                                 .value = cmd.value,
                                                 .count = cmd.count,
                                                 .repeated = cmd.repeated };
        status = check_for_port(&cmd, err);
        if (!status && accesses && r->port->announce)
            status = at(&cmd, cmd.column, r->port->announce(r->port->ctx, &access, err), err);
        if (status)
            return status;
    }
    return status == PC_END ? PC_OK : status;
}

/* Begins with a card in place of the model. */
static enum pc_status begin_port(const struct runner *r, const struct sc_parser *p,
                                 const struct sc_command *chip, struct pc_error *err)
{
    const enum pc_status status =
        at(chip, chip->name.column, r->port->begin(r->port->ctx, r->chip, err), err);

    return status ? status : announce(r, *p, err);
}

enum pc_status pc_script_run(const struct pc_script_desc *desc, pc_script_mismatch_fn *mismatch,
                             void *ctx, struct pc_script_result *out, struct pc_error *err)
{
    struct runner r = {
        .desc = desc, .mismatch = mismatch, .ctx = ctx, .port = desc->port, .latency = { 1, 0 }
    };
    struct sc_parser p = { .text = desc->text,
                           .size = desc->size,
                           .alloc = desc->alloc,
                           .open_names = desc->names,
                           .ctx = ctx };
    struct sc_command cmd;
    bool has_wave = false, ended = false;
    enum pc_status status = sc_check(&p, &has_wave, err);

    r.alloc = pc_alloc_or_libc(desc->alloc);
    if (!status)
        status = sc_next(&p, &cmd, err); /* `chip`, as sc_check() has seen */
    r.chip = p.chip;
    if (!status)
        status = r.port ? begin_port(&r, &p, &cmd, err) : do_chip(&r, &cmd, has_wave, err);
    while (!status) {
        status = sc_next(&p, &cmd, err);
        ended = status == PC_END; /* which a callback may also return */
        if (!status)
            status = do_command(&r, &cmd, err);
    }
    if (ended) {
        status = PC_OK;
        if (desc->inspect && r.gpu)
            desc->inspect(ctx, r.gpu);
        *out = r.result;
    }
    sc_end(&p);
    if (r.waves && desc->warning)
        sc_waves_warn(r.waves, ctx);
    sc_waves_destroy(r.waves);
    pc_gpu_destroy(r.gpu);
    return status;
}

static enum pc_status stimulate(struct runner *r, struct sc_parser *p, struct pc_error *err)
{
    struct sc_command cmd;
    enum pc_status status;

    while ((status = sc_next(p, &cmd, err)) == PC_OK) {
        const bool accesses = cmd.verb == SC_WRITE || cmd.verb == SC_READ || cmd.verb == SC_KEEP;
        const bool of_wave =
            cmd.verb == SC_WAVE || cmd.verb == SC_BIND_CLOCK || cmd.verb == SC_BIND;
        if ((accesses && !cmd.io) ||
            (of_wave && !p->sampled)) /* io: which the host does not make */
            return pc_fail_at(err, 1210, cmd.line, cmd.column,
                              "an access or a waveform among what happens around the unit");
        if (cmd.verb == SC_WAVE)
            status = sc_waves_create(r->desc, &r->alloc, r->chip, NULL, &r->sampled, err);
        if (!status)
            status = do_command(r, &cmd, err);
        if (status)
            return status;
    }
    return status == PC_END ? PC_OK : status;
}

enum pc_status pc_script_run_stimulus(const struct pc_script_stimulus *desc, struct pc_gpu *gpu,
                                      struct pc_error *err)
{
    const struct pc_script_desc script = { .command = desc->command,
                                           .directory = desc->directory,
                                           .file = desc->file };
    struct runner r = { .desc = &script,
                        .ctx = desc->ctx,
                        .alloc = pc_alloc_or_libc(desc->alloc),
                        .gpu = gpu,
                        .chip = desc->chip };
    struct sc_parser p = { .text = desc->text,
                           .size = desc->size,
                           .chip = desc->chip,
                           .alloc = desc->alloc,
                           .open_names = desc->names,
                           .ctx = desc->ctx,
                           .sampled = desc->samples != NULL };
    enum pc_status status = stimulate(&r, &p, err);

    if (!status && r.sampled)
        status = sc_waves_samples(r.sampled, desc->samples, desc->ctx, err);
    sc_waves_destroy(r.sampled);
    sc_end(&p);
    return status;
}
