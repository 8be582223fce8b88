/* SPDX-License-Identifier: MIT */
/* Shared by the parts of `pcounter idle`: text files, numbers, names of modes, states and wires. */
#include "idle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const idle_state_names[] = { "exact",     "tainted",    "wrapped",
                                         "saturated", "unmeasured", NULL };
const char *const idle_mode_names[] = { "never", "all", "not-all", "always", NULL };
const char *const idle_x_names[] = { "taint", "zero", "one", "error", NULL };

const char *idle_sampling(const struct idle_options *o)
{
    return o->every ? "every" : o->post_edge || o->periodic ? "post-edge" : "pre-edge";
}

/* --- what is read --- */

int idle_read_file(struct idle_options *o, const char *path, char **text)
{
    size_t size;
    int code = cli_read_text("idle", path, text, &size);

    if (code)
        return code;
    char **kept = realloc(o->file_text, (o->file_texts + 1) * sizeof *kept);
    if (!kept) {
        free(*text);
        return cli_no_memory();
    }
    o->file_text = kept;
    o->file_text[o->file_texts++] = *text;
    const char *zero = memchr(*text, '\0', size);
    if (!zero)
        return CLI_OK;
    struct pc_error err = { .status = PC_EINPUT, .code = 1114, .has_byte = true };
    err.byte = (uint64_t)(zero - *text);
    snprintf(err.text, sizeof err.text, "a zero byte: this is not text");
    return cli_error(&err, path, NULL);
}

bool idle_parse_u64(const char *text, size_t length, uint64_t *out)
{
    uint64_t n = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(unsigned char)text[i] - '0';
        if (digit > 9 || n > (UINT64_MAX - digit) / 10)
            return false;
        n = 10 * n + digit;
    }
    *out = n;
    return length > 0;
}

/* --- what is shown --- */

uint64_t idle_hundredths(uint64_t part, uint64_t whole)
{
    while (part > UINT64_MAX / 20000 || whole > UINT64_MAX / 20000) {
        part /= 2;
        whole /= 2;
    }
    return (part * 10000 + whole / 2) / whole;
}

const char *idle_percent(uint64_t part, uint64_t whole)
{
    static char ring[4][32];
    static unsigned next;
    char *out = ring[next++ % 4];

    out[0] = '\0';
    if (whole == 0)
        return out;
    const uint64_t hundredths = idle_hundredths(part, whole);
    snprintf(out, sizeof ring[0], "%" PRIu64 ".%02u", hundredths / 100,
             (unsigned)(hundredths % 100));
    return out;
}

void idle_wire_name(const struct pc_chip *chip, unsigned bit, char *out, size_t size)
{
    const struct pc_idle_signal *s;

    out[0] = '\0';
    for (size_t i = 0; (s = pc_idle_signal_at(chip, i)) != NULL; i++)
        if (s->bit == bit)
            snprintf(out, size, "%.*s", (int)(strlen(s->name) - strlen("_IDLE")), s->name);
}

void idle_mask_text(const struct pc_chip *chip, uint32_t mask, char *out, size_t size)
{
    size_t used = 0;

    snprintf(out, size, "0");
    for (unsigned bit = 0; bit < 32; bit++) {
        char name[24];
        if (!(mask >> bit & 1))
            continue;
        idle_wire_name(chip, bit, name, sizeof name);
        if (!name[0])
            snprintf(name, sizeof name, "bit%u", bit);
        if (used + strlen(name) + 2 <= size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "|" : "", name);
    }
}
