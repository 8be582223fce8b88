/* SPDX-License-Identifier: MIT */
/* What is around the card before its first access: tried here, so that nothing is wrong with it
 * later. */
#include "card/card.h"
#include "card/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    char *text;
    size_t size;
    bool failed;
};

static void add_line(void *ctx, const char *text, size_t size)
{
    struct lines *l = ctx;
    char *grown = realloc(l->text, l->size + size + 2);

    l->failed |= grown == NULL;
    if (!grown)
        return;
    memcpy(grown + l->size, text, size);
    l->size += size + 1;
    grown[l->size - 1] = '\n';
    grown[l->size] = '\0';
    l->text = grown;
}

/* One command of an option; `said` is how messages call that. */
static int take_line(struct card_device *device, struct lines *l, const char *said,
                     const char *line)
{
    struct pc_error err;

    if (!card_device_setup(device, line, strlen(line), add_line, l, &err))
        return CLI_OK;
    err.line = 0;
    return cli_error(&err, said, NULL);
}

/* "27000000", "DOM=27000000" */
static int take_clock(struct card_device *device, struct lines *l, const char *clock)
{
    const char *equals = strchr(clock, '=');
    char said[80], line[80];
    const uint64_t hz = card_hertz(equals ? equals + 1 : clock);

    snprintf(said, sizeof said, "--clock %s", clock);
    snprintf(line, sizeof line, "clock %.*s %" PRIu64 "Hz", equals ? (int)(equals - clock) : 3,
             equals ? clock : "all", hz);
    return take_line(device, l, said, line);
}

static int take_file(struct card_device *device, struct lines *l, const char *path)
{
    char *text = NULL;
    size_t size;
    struct pc_error err;
    int code = cli_read_text("card", path, &text, &size);

    if (code == CLI_OK && cli_says_nothing(text, size))
        code = cli_usage("card", "--with %s: there is no command in it", cli_input_name(path));
    if (code == CLI_OK && card_device_setup(device, text, size, add_line, l, &err))
        code = cli_error(&err, path, text);
    free(text);
    return code;
}

int card_setup(const struct card_options *o, char **out)
{
    const struct card_device_desc desc = { .chip = o->chip, .access_ns = o->access_ns };
    struct lines l = { .text = calloc(1, 1) };
    struct card_device *device = NULL;
    struct pc_error err;
    char line[40];
    int code = l.text ? CLI_OK : cli_no_memory();

    if (code == CLI_OK && card_device_open(&desc, &device, &err))
        code = cli_error(&err, "card", NULL);
    if (code == CLI_OK && o->hz) {
        snprintf(line, sizeof line, "clock all %" PRIu64 "Hz", o->hz);
        code = take_line(device, &l, "--hz", line);
    }
    for (size_t i = 0; i < o->clock.count && code == CLI_OK; i++)
        code = take_clock(device, &l, o->clock.text[i]);
    if (code == CLI_OK && o->with)
        code = take_file(device, &l, o->with);
    if (code == CLI_OK && l.failed)
        code = cli_no_memory();
    card_device_close(device);
    if (code == CLI_OK)
        *out = l.text;
    else
        free(l.text);
    return code;
}
