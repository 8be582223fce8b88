/* SPDX-License-Identifier: MIT */
/*
 * Named expressions from a register dump or a script: the last word written to each
 * register counts.  EVENT_B4 and EVENT_B6 are sums (PC.MODE.2, PC.MODE.3).  An mmiotrace is
 * not read here.
 */
#include "decode_inputs.h"
#include "compile.h"
#include "regs_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct decode_domain *domain_of(struct decode_inputs *in, const struct pc_reg_info *reg)
{
    for (size_t i = 0; i < in->domains; i++)
        if (in->domain[i].any.domain == reg->domain &&
            strcmp(in->domain[i].any.place, reg->place) == 0)
            return &in->domain[i];
    if (in->domains == DECODE_DOMAINS || reg->domain < 0)
        return NULL;
    struct decode_domain *d = &in->domain[in->domains++];
    *d = (struct decode_domain){ .any = *reg };
    return d;
}

void decode_inputs_add(struct decode_inputs *in, const struct pc_reg_info *reg, uint32_t value)
{
    bool ctrl = strcmp(reg->name, "CTRL") == 0;

    if (ctrl) {
        in->ctrl = *reg;
        in->has_ctrl = true;
    }
    if (ctrl && reg->domain < 0) {
        in->shared_ctrl = value;
        return;
    }
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        size_t n = strlen(pc_input_name(i));
        bool is_src = false, is_op = false;
        if (strncmp(reg->name, pc_input_name(i), n) == 0) {
            is_src = strcmp(reg->name + n, "_SRC") == 0;
            is_op = strcmp(reg->name + n, "_OP") == 0;
        }
        if (!is_src && !is_op && !(ctrl && i == 0))
            continue;
        struct decode_domain *d = domain_of(in, reg);
        if (!d)
            return;
        if (is_src) {
            d->src[i] = value;
            d->srcs |= 1u << i;
        } else if (is_op) {
            d->op[i] = value & reg->rw_mask;
            d->ops |= 1u << i;
        } else {
            d->ctrl = value;
        }
        return;
    }
}

/* --- reading --- */

static int bad_line(const char *path, unsigned line, const char *text)
{
    struct pc_error err = { .status = PC_EINPUT, .code = 902, .line = line };

    snprintf(err.text, sizeof err.text,
             "\"%.60s\" is neither an address and a value nor a command of a script", text);
    return cli_error(&err, path, NULL);
}

static bool hexadecimal(const char *text, uint32_t *out)
{
    char *end;

    if (!text || !isxdigit((unsigned char)text[0]))
        return false;
    unsigned long value = strtoul(text, &end, 16);
    *out = (uint32_t)value;
    return *end == '\0' && value <= UINT32_MAX;
}

/* Commands of scripts that write nothing. */
static bool is_command(const char *word)
{
    static const char *const commands[] = { "option", "latency", "clock", "set", "play",
                                            "pulse",  "idle",    "r",     "run", "repeat",
                                            "wave",   "bind",    "echo" };

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(word, commands[i]) == 0)
            return true;
    return false;
}

static int read_line(struct decode_inputs *in, const char *path, unsigned number, char *line)
{
    char *save = NULL;
    uint32_t address, value;
    struct pc_reg_info reg;

    line[strcspn(line, "#\r")] = '\0';
    char *word = strtok_r(line, " \t", &save);
    if (!word)
        return CLI_OK;
    if (strcmp(word, "chip") == 0) {
        const char *name = strtok_r(NULL, " \t", &save);
        if (!in->chip && !(in->chip = cli_find_chip(name ? name : "")))
            return CLI_INPUT;
        return CLI_OK;
    }
    if (strcmp(word, "repeat") == 0) {
        (void)strtok_r(NULL, " \t", &save); /* how often does not matter */
        word = strtok_r(NULL, " \t", &save);
        if (!word)
            return bad_line(path, number, "repeat");
    }
    if (is_command(word))
        return CLI_OK;
    if (strcmp(word, "w") == 0)
        word = strtok_r(NULL, " \t", &save);
    if (!hexadecimal(word, &address) || !hexadecimal(strtok_r(NULL, " \t", &save), &value))
        return bad_line(path, number, word ? word : "w");
    if (!in->chip)
        return cli_usage("decode", "which chip? Say it with -a, like -a G92");
    if (pc_reg_at(in->chip, address, &reg, NULL) == PC_OK)
        decode_inputs_add(in, &reg, value);
    return CLI_OK;
}

int decode_inputs_read(struct decode_inputs *in, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    int code = cli_read_text("decode", path, &text, &size);
    unsigned number = 0;

    for (char *line = text; code == CLI_OK && line && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        code = read_line(in, path, ++number, line);
        line = end ? end + 1 : NULL;
    }
    free(text);
    if (code == CLI_OK && !in->chip)
        return cli_usage("decode", "which chip? Say it with -a, like -a G92");
    return code;
}

/* --- printing --- */

static void name_signal(void *ctx, unsigned signal, char *out, size_t size)
{
    compile_name(ctx, signal, out, size);
}

static enum pc_status names_of(const struct decode_inputs *in, const struct decode_domain *d,
                               struct compile_names *names)
{
    char text[32];
    unsigned number;
    struct pc_error err;

    *names = (struct compile_names){ .table = in->names };
    if (d->any.place[0])
        snprintf(text, sizeof text, "%s", d->any.place);
    else
        snprintf(text, sizeof text, "%d", d->any.domain);
    enum pc_status status = pc_chip_find_domain(in->chip, text, &number, &err);
    return status == PC_OK ? compile_names_of(in->chip, number, names, &err) : status;
}

/* "sum(s13, s12, s11, s10) iff ": what EVENT does in EVENT_B4 and EVENT_B6. */
static void print_sum(FILE *out, const struct decode_inputs *in, const struct decode_domain *d,
                      struct compile_names *names)
{
    uint32_t word = in->ctrl.domain < 0 ? in->shared_ctrl : d->ctrl;
    const char *mode = "";

    for (size_t i = 0; in->has_ctrl && i < in->ctrl.field_count; i++) {
        const struct pc_field_info *f = &in->ctrl.fields[i];
        uint32_t value = cli_field_value(f, word);
        if (strcmp(f->name, "CTR_MODE") == 0 && f->values && value < f->value_count)
            mode = f->values[value];
    }
    if (strcmp(mode, "EVENT_B4") != 0 && strcmp(mode, "EVENT_B6") != 0)
        return;
    fputs("sum(", out);
    for (unsigned i = mode[7] == '4' ? 4 : 6; i-- > 0;) {
        char name[PC_SIGNAL_NAME];
        uint32_t src = i < 4 ? d->src[PC_INPUT_START] : d->src[PC_INPUT_EVENT];
        compile_name(names, src >> (8 * (i < 4 ? i : i - 2)) & 0xff, name, sizeof name);
        fprintf(out, "%s%s", name, i ? ", " : "");
    }
    fputs(") iff ", out);
}

void decode_inputs_print(FILE *out, const struct decode_inputs *in)
{
    for (size_t n = 0; n < in->domains; n++) {
        const struct decode_domain *d = &in->domain[n];
        struct compile_names names;
        if (d->ops == 0 || names_of(in, d, &names) != PC_OK)
            continue;
        fprintf(out, d->any.place[0] ? "%s %s:\n" : "%s domain %s:\n", in->chip->name,
                names.place.name);
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
            char text[2048];
            if (!(d->ops >> i & 1))
                continue;
            fprintf(out, "  %-8s", pc_input_name(i));
            if (i == PC_INPUT_EVENT)
                print_sum(out, in, d, &names);
            if (pc_decompile(in->chip, d->src, d->op, i, name_signal, &names, text, sizeof text,
                             NULL) == PC_OK)
                fprintf(out, "%s\n", text);
            else
                fputs("too long to print\n", out);
        }
    }
}
