/* SPDX-License-Identifier: MIT */
/* Makes the setup of the card before its first access, and tries it, so that it cannot fail later.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "card/card.h"
#include "card/device.h"
#include "opt/opt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    char *text;
    size_t size;
};

struct trial {
    struct card_device *device;
    struct lines commands, waves;
    struct card_samples samples;
    const char *with; /* the file that is tried; NULL: options */
    bool has_wave;    /* of an option or a file */
    bool failed;      /* no memory */
    bool told;        /* the error has been */
};

static void add_line(void *ctx, const char *text, size_t size)
{
    struct trial *t = ctx;
    const bool of_wave = replay_log_is("wave", text, size) || replay_log_is("bind", text, size);
    struct lines *l = of_wave ? &t->waves : &t->commands;
    char *grown = realloc(l->text, l->size + size + 2);

    t->failed |= grown == NULL;
    if (!grown)
        return;
    memcpy(grown + l->size, text, size);
    l->size += size + 1;
    grown[l->size - 1] = '\n';
    grown[l->size] = '\0';
    l->text = grown;
}

static enum pc_status take_samples(void *ctx, const struct pc_script_samples *some,
                                   struct pc_error *err)
{
    struct trial *t = ctx;

    return card_samples_take(&t->samples, some, err);
}

/* The waveform: no output replaces it, standard input is read once, and there is no second one. */
static enum pc_status claim_file(void *ctx, const char *path, struct pc_error *err)
{
    struct trial *t = ctx;

    if (t->has_wave)
        cli_usage("card", "a waveform with --wave, and another in %s", t->with);
    else if (cli_claim_input("card", path) == CLI_OK) {
        t->has_wave = true;
        return PC_OK;
    }
    t->told = true;
    *err = (struct pc_error){ .status = PC_EARG };
    return PC_EARG;
}

static enum pc_status try(struct trial *t, const char *text, size_t size, const char *directory,
                          struct pc_error *err)
{
    struct pc_script_stimulus stimulus = { .text = text,
                                           .size = size,
                                           .command = add_line,
                                           .samples = take_samples,
                                           .directory = directory,
                                           .file = claim_file,
                                           .ctx = t };

    return card_device_setup(t->device, &stimulus, err);
}

/* Returns an exit code, after reporting what is wrong. */
static int tell(const struct trial *t, const struct pc_error *err, const char *said,
                const char *text)
{
    return t->told ? CLI_INPUT : cli_error(err, said, text);
}

/* Commands of an option; `said` is how messages call that. */
static int take_line(struct trial *t, const char *said, const char *line)
{
    struct pc_error err;

    if (!try(t, line, strlen(line), NULL, &err))
        return CLI_OK;
    err.line = 0;
    return tell(t, &err, said, NULL);
}

/* Takes "27000000", "DOM=27000000". */
static int take_clock(struct trial *t, const char *clock)
{
    const char *equals = strchr(clock, '=');
    char said[80], line[80];
    const uint64_t hz = opt_parse_hertz(equals ? equals + 1 : clock, UINT32_MAX);

    snprintf(said, sizeof said, "--clock %s", clock);
    snprintf(line, sizeof line, "clock %.*s %" PRIu64 "Hz", equals ? (int)(equals - clock) : 3,
             equals ? clock : "all", hz);
    return take_line(t, said, line);
}

/* Takes "NAME=VALUE". */
static int take_setting(struct trial *t, const char *setting)
{
    char said[120], line[120];

    if (strpbrk(setting, " \t\r\n\"#"))
        return cli_usage("card", "--option %s: one word is expected", setting);
    snprintf(said, sizeof said, "--option %s", setting);
    snprintf(line, sizeof line, "option %s", setting);
    return take_line(t, said, line);
}

/* Reports an error in the line of an option. */
static int blame_wave(const struct trial *t, const struct card_options *o, struct pc_error *err)
{
    const uint32_t line = err->line;
    char said[200];

    err->line = 0;
    if (line >= 2 && line - 2 < o->bind.count)
        snprintf(said, sizeof said, "--bind '%s'", o->bind.text[line - 2]);
    else
        snprintf(said, sizeof said, "--wave %s", o->wave);
    return tell(t, err, said, NULL);
}

static int take_wave(struct trial *t, const struct card_options *o)
{
    char *text = NULL;
    size_t size = 0;
    struct pc_error err;
    FILE *file = open_memstream(&text, &size);

    if (!file)
        return cli_no_memory();
    fprintf(file, "wave \"%s\"\n", o->wave);
    for (size_t i = 0; i < o->bind.count; i++)
        fprintf(file, "bind %s\n", o->bind.text[i]);
    int code = cli_collected(file, &text) ? CLI_OK : cli_no_memory();
    if (code == CLI_OK && try(t, text, size, NULL, &err))
        code = blame_wave(t, o, &err);
    free(text);
    return code;
}

static int take_file(struct trial *t, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *text = NULL, directory[CLI_PATH] = "";
    size_t size;
    struct pc_error err;
    int code = cli_read_text("card", path, &text, &size);

    if (slash)
        snprintf(directory, sizeof directory, "%.*s", (int)(slash - path) + 1, path);
    if (code == CLI_OK && cli_says_nothing(text, size))
        code = cli_usage("card", "--with %s: it has no command", cli_input_name(path));
    t->with = cli_input_name(path);
    if (code == CLI_OK && try(t, text, size, directory, &err))
        code = tell(t, &err, path, text);
    free(text);
    return code;
}

static int take_options(struct trial *t, const struct card_options *o)
{
    char line[40];
    int code = CLI_OK;

    if (o->report && !cli_writes(o, o->report)) /* which is opened when COMMAND has ended */
        return cli_would_replace(o->report);

    if (o->hz) {
        snprintf(line, sizeof line, "clock all %" PRIu64 "Hz", o->hz);
        code = take_line(t, "--hz", line);
    }
    for (size_t i = 0; i < o->clock.count && code == CLI_OK; i++)
        code = take_clock(t, o->clock.text[i]);
    for (size_t i = 0; i < o->option.count && code == CLI_OK; i++)
        code = take_setting(t, o->option.text[i]);
    if (code == CLI_OK && o->wave)
        code = take_wave(t, o);
    if (code == CLI_OK && o->with)
        code = take_file(t, o->with);
    if (code == CLI_OK && t->samples.count > 0 && !o->access_ns)
        code = cli_usage("card", "--hz and a waveform exclude each other: it plays cycle by cycle, "
                                 "slower than the wall clock's time passes");
    return code == CLI_OK && t->failed ? cli_no_memory() : code;
}

int card_setup(const struct card_options *o, struct card_setup *out)
{
    const struct card_device_desc desc = { .chip = o->chip, .access_ns = o->access_ns };
    struct trial t = { .commands.text = calloc(1, 1), .waves.text = calloc(1, 1) };
    struct pc_error err;
    int code = t.commands.text && t.waves.text ? CLI_OK : cli_no_memory();

    if (code == CLI_OK && card_device_open(&desc, &t.device, &err))
        code = cli_error(&err, "card", NULL);
    if (code == CLI_OK)
        code = take_options(&t, o);
    card_device_close(t.device);
    *out = (struct card_setup){ t.commands.text, t.waves.text, t.samples };
    if (code)
        card_setup_free(out);
    return code;
}

enum pc_status card_setup_apply(struct card_setup *setup, struct card_device *device,
                                struct pc_error *err)
{
    struct pc_script_stimulus stimulus = { .text = setup->commands,
                                           .size = strlen(setup->commands) };
    enum pc_status status = card_device_setup(device, &stimulus, err);
    FILE *file;

    for (size_t i = 0; !status && (file = card_samples_file(&setup->samples, i)); i++)
        status = card_device_feed(device, file, err);
    return status;
}

void card_setup_free(struct card_setup *setup)
{
    free(setup->commands);
    free(setup->waves);
    card_samples_free(&setup->samples);
}
