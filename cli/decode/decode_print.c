/* SPDX-License-Identifier: MIT */
/*
 * Configurations as expressions: for people, as command lines of `pcounter compile` that make
 * an equivalent program, for programs.  Numbers that counters add are sums.
 */
#include "compile/compile.h"
#include "decode_inputs.h"
#include "text/regs_text.h"

#include <inttypes.h>
#include <string.h>

/* A configuration about to be printed. */
struct shown {
    const struct decode_inputs *in;
    const struct decode_domain *d;
    struct compile_names names;
    bool several; /* of this domain */
    char mode[16], ctr_mode[24], period[16];
    bool record_short;
};

/* The name of a field's value, or its number; "" if the chip has no such field. */
static void field_name(const struct shown *s, const char *field, char *out, size_t size)
{
    const struct pc_reg_info *ctrl = &s->in->ctrl;
    char name[40];

    snprintf(name, sizeof name, "DOM%d_%s", s->d->any.domain, field);
    snprintf(out, size, "%s", "");
    for (size_t i = 0; s->d->has_ctrl && i < ctrl->field_count; i++) {
        const struct pc_field_info *f = &ctrl->fields[i];
        uint32_t value = cli_field_value(f, s->d->ctrl);
        if (strcmp(f->name, field) != 0 && strcmp(f->name, name) != 0)
            continue;
        if (f->values && value < f->value_count && f->values[value][0])
            snprintf(out, size, "%s", f->values[value]);
        else
            snprintf(out, size, "%" PRIu32, value);
    }
}

static void name_signal(void *ctx, unsigned signal, char *out, size_t size)
{
    compile_name(ctx, signal, out, size);
}

static bool show(const struct decode_inputs *in, const struct decode_domain *d, struct shown *s)
{
    char text[32], format[16];
    unsigned number;
    struct pc_error err;

    *s = (struct shown){ .in = in, .d = d, .names = { .table = in->names } };
    if (d->any.place[0])
        snprintf(text, sizeof text, "%s", d->any.place);
    else
        snprintf(text, sizeof text, "%d", d->any.domain);
    if (pc_chip_find_domain(in->chip, text, &number, &err) != PC_OK ||
        compile_names_of(in->chip, number, &s->names, &err) != PC_OK)
        return false; /* a domain that the chip lacks: what is written there is lost */
    for (size_t i = 0; i < in->domains; i++)
        if (in->domain[i].any.domain == d->any.domain &&
            strcmp(in->domain[i].any.place, d->any.place) == 0)
            s->several = in->domain[i].kepts > 1;
    field_name(s, "MODE", s->mode, sizeof s->mode);
    if (!(in->chip->features & PC_F_QUAD))
        snprintf(s->mode, sizeof s->mode, "SINGLE"); /* the only one of NV10 to NV20 */
    field_name(s, "CTR_MODE", s->ctr_mode, sizeof s->ctr_mode);
    field_name(s, "EVENT_CTR_PERIOD", s->period, sizeof s->period);
    field_name(s, "RECORD_FORMAT", format, sizeof format);
    s->record_short = strcmp(format, "SHORT") == 0;
    return true;
}

static bool is_mode(const struct shown *s, const char *mode)
{
    return strcmp(s->mode, mode) == 0;
}

static void append(char *out, size_t size, const char *text)
{
    size_t n = strlen(out);

    snprintf(out + n, size - n, "%s", text);
}

static bool sum_of(const struct shown *s, unsigned input, struct pc_compile_sum *sum, int *gate)
{
    enum pc_count_mode mode = is_mode(s, "QUAD")     ? PC_COUNT_QUAD
                              : is_mode(s, "SINGLE") ? PC_COUNT_SINGLE
                                                     : PC_COUNT_RECORD;

    return input <= PC_INPUT_STOP && s->ctr_mode[0] &&
           pc_decompile_sum(s->in->chip, mode, s->ctr_mode, s->d->src, (enum pc_input_id)input, sum,
                            gate);
}

/* Is its OP only the condition of another counter's number? */
static bool is_gate(const struct shown *s, unsigned input)
{
    struct pc_compile_sum sum;
    int gate;

    for (unsigned i = 0; i <= PC_INPUT_STOP; i++)
        if (i != input && sum_of(s, i, &sum, &gate) && gate == (int)input)
            return true;
    return false;
}

/* Does its counter stand still in the counter mode? */
static bool is_dead(const struct shown *s, unsigned input)
{
    struct pc_compile_sum sum;
    int gate;

    return sum_of(s, input, &sum, &gate) && sum.bits == 0;
}

/* "sum(s13, s12, s11, s10)": the number that the counter adds, most significant bit first. */
static void sum_text(const struct shown *s, const struct pc_compile_sum *sum, char *out,
                     size_t size)
{
    append(out, size, "sum(");
    for (unsigned i = sum->bits; i-- > 0;) {
        char name[PC_SIGNAL_NAME];
        compile_name(&s->names, sum->signal[i], name, sizeof name);
        append(out, size, name);
        append(out, size, i ? ", " : ")");
    }
}

/* Writes the meaning of an input; returns false if it does not fit. */
static bool input_text(const struct shown *s, unsigned input, char *out, size_t size)
{
    int gate = (int)input;
    struct pc_compile_sum sum;
    struct pc_error err;
    char text[DECODE_LINE];

    snprintf(out, size, "%s", "");
    if (sum_of(s, input, &sum, &gate) && sum.bits)
        sum_text(s, &sum, out, size);
    if (gate == PC_ANY_INPUT) /* in every cycle */
        return true;
    if (pc_decompile(s->in->chip, s->d->src, s->d->op, (enum pc_input_id)gate, name_signal,
                     (void *)(uintptr_t)&s->names, text, sizeof text, &err) != PC_OK ||
        strlen(out) + strlen(text) + sizeof " iff " > size)
        return false;
    if (out[0] && strcmp(text, "1") == 0)
        return true;
    if (out[0])
        append(out, size, " iff ");
    append(out, size, text);
    return true;
}

/* Was it written, or does it add a number anyway? */
static bool is_there(const struct shown *s, unsigned input)
{
    struct pc_compile_sum sum;
    int gate;

    return s->d->ops >> input & 1 || (sum_of(s, input, &sum, &gate) && sum.bits);
}

static uint64_t threshold(const struct shown *s)
{
    return (uint64_t)s->d->more[DECODE_THRESHOLD_HI] << 32 | s->d->more[DECODE_THRESHOLD];
}

/* --- text --- */

static void print_more(FILE *out, const struct shown *s)
{
    static const char *const names[DECODE_MORE] = {
        [DECODE_PRE_COUNT] = "CTR_PRE", [DECODE_STOP_COUNT] = "CTR_STOP"
    };
    char swap[PC_SIGNAL_NAME];

    if (!s->d->has_ctrl && !s->d->mores)
        return;
    fprintf(out, "  %-8s%s", "mode", s->mode[0] ? s->mode : "not written");
    if (s->ctr_mode[0] && strcmp(s->ctr_mode, "SIMPLE") != 0)
        fprintf(out, ", CTR_MODE %s", s->ctr_mode);
    if (strcmp(s->period, "ALL") == 0)
        fputs(", EVENT_CTR_PERIOD ALL", out);
    if (s->record_short)
        fputs(", RECORD_FORMAT SHORT", out);
    if (s->d->mores >> DECODE_SWAP & 1) {
        compile_name(&s->names, s->d->more[DECODE_SWAP] & 0xff, swap, sizeof swap);
        fprintf(out, ", SWAP %s", swap);
    }
    if (threshold(s))
        fprintf(out, ", THRESHOLD %" PRIu64, threshold(s));
    for (unsigned i = 0; i < DECODE_MORE; i++)
        if (names[i] && s->d->more[i])
            fprintf(out, ", %s %" PRIu32, names[i], s->d->more[i]);
    if (is_mode(s, "RECORD"))
        fprintf(out, ", from 0x%" PRIx64 " to 0x%" PRIx64,
                (uint64_t)s->d->more[DECODE_RECORD_HIGH] << 32 | s->d->more[DECODE_RECORD_START],
                (uint64_t)s->d->more[DECODE_RECORD_HIGH] << 32 | s->d->more[DECODE_RECORD_LIMIT]);
    fputc('\n', out);
}

static void print_text(FILE *out, const struct shown *s)
{
    fprintf(out, s->d->any.place[0] ? "%s %s" : "%s domain %s", s->in->chip->name,
            s->names.place.name);
    if (s->several)
        fprintf(out, ", from line %" PRIu32, s->d->line);
    fputs(":\n", out);
    print_more(out, s);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        char text[DECODE_LINE];
        if (!is_there(s, i))
            continue;
        bool fits = input_text(s, i, text, sizeof text);
        fprintf(out, "  %-8s%s%s\n", pc_input_name((enum pc_input_id)i),
                fits ? text : "too long to print", is_dead(s, i) ? "   (its counter rests)" : "");
    }
}

/* --- pcounter compile --- */

/* In single quotes; names of signals have none. */
static void print_input(FILE *out, const struct shown *s, unsigned input, bool always)
{
    bool single = is_mode(s, "SINGLE") && (input == PC_INPUT_PRE || input == PC_INPUT_START);
    const char *name = pc_input_name((enum pc_input_id)input), *usual = single ? "1" : "0";
    char text[DECODE_LINE];

    if (is_gate(s, input) || is_dead(s, input) || !input_text(s, input, text, sizeof text) ||
        (!always && strcmp(text, usual) == 0))
        return;
    fputc(' ', out);
    for (size_t i = 0; name[i]; i++)
        fputc(name[i] - 'A' + 'a', out);
    fprintf(out, "='%s'", text);
}

static void print_record(FILE *out, const struct shown *s)
{
    uint64_t high = (uint64_t)s->d->more[DECODE_RECORD_HIGH] << 32;
    char name[PC_SIGNAL_NAME];

    fputs(" --record '", out);
    for (unsigned i = 0; i < PC_RECORD_SIGNALS; i++) {
        compile_name(&s->names, s->d->src[i / 4] >> (8 * (i % 4)) & 0xff, name, sizeof name);
        fprintf(out, "%s%s", i ? ", " : "", name);
    }
    fprintf(out, "' --record-buffer 0x%" PRIx64 ":0x%" PRIx64 "%s",
            high | s->d->more[DECODE_RECORD_START], high | s->d->more[DECODE_RECORD_LIMIT],
            s->record_short ? ":short" : "");
}

/* GF100+: what does not choose it leaves it alone. */
static void print_swap(FILE *out, const struct shown *s)
{
    char swap[PC_SIGNAL_NAME];

    if (s->d->mores >> DECODE_SWAP & 1) {
        compile_name(&s->names, s->d->more[DECODE_SWAP] & 0xff, swap, sizeof swap);
        fprintf(out, " --swap %s", swap);
    } else if (s->in->chip->layout == PC_LAYOUT_GF100) {
        fputs(" --swap keep", out);
    }
}

static void print_command(FILE *out, const struct shown *s)
{
    bool single = is_mode(s, "SINGLE"), record = is_mode(s, "RECORD");

    fprintf(out, "pcounter compile -a %s -d %s", s->in->chip->name, s->names.place.name);
    if (s->mode[0])
        fprintf(out, " -m %s", single ? "single" : record ? "record" : "quad");
    if (single && strcmp(s->period, "ALL") == 0)
        fputs(" --period all", out);
    if (single && threshold(s))
        fprintf(out, " --threshold %" PRIu64, threshold(s));
    if (single && s->d->more[DECODE_PRE_COUNT])
        fprintf(out, " --pre-count %" PRIu32, s->d->more[DECODE_PRE_COUNT]);
    if (single && s->d->more[DECODE_STOP_COUNT])
        fprintf(out, " --stop-count %" PRIu32, s->d->more[DECODE_STOP_COUNT]);
    if (record)
        print_record(out, s);
    else if (!single)
        print_swap(out, s);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        print_input(out, s, i, i == PC_INPUT_EVENT);
    fputc('\n', out);
}

/* --- for programs --- */

static const char *const modes[] = { "", "SINGLE", "QUAD", "RECORD", "STREAM", NULL };
static const char *const input_names[] = { "PRE",     "START",   "EVENT", "STOP",
                                           "SETFLAG", "CLRFLAG", NULL };

static const struct rep_field expression = { "expression", REP_TEXT,
                                             .about = "the expression; null: too long to print",
                                             .flags = REP_NULL };
static const struct rep_field input_fields[] = {
    { "input", REP_WORD, .words = input_names },
    { "expression", REP_TEXT, .about = "what it counts" },
    { .name = NULL },
};
enum { INPUTS = 7, ROWS };
static const struct rep_field configuration_fields[] = {
    { "domain", REP_TEXT, .about = "the domain" },
    { "line", REP_COUNT, .about = "the line of the file that completed it" },
    { "mode", REP_WORD, .about = "the mode of the domain; empty: the file does not write it",
      .words = modes },
    { "ctr_mode", REP_TEXT, .about = "the counting mode; empty: the file does not write it" },
    { "threshold", REP_COUNT, .about = "THRESHOLD" },
    { "pre_count", REP_COUNT, .about = "CTR_PRE as it was written", .most = UINT32_MAX },
    { "stop_count", REP_COUNT, .about = "CTR_STOP as it was written", .most = UINT32_MAX },
    { "inputs", REP_MAP, .about = "the expression of each input that was written",
      .words = input_names, .value = &expression },
    { "rows", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = input_fields },
    { .name = NULL },
};
enum { CONFIGURATIONS = 1 };
static const struct rep_field report_fields[] = {
    { "chip", REP_TEXT, .about = "the chip whose counters are modelled" },
    { "configurations", REP_LIST, .about = "in the order of the file",
      .field = configuration_fields, .item = "what a domain was set to" },
    { .name = NULL },
};

const struct rep_def decode_inputs_report = {
    .schema = "pcounter-decode-inputs-1",
    .call = "pcounter decode -i FILE",
    .about = "The expressions that a script, dump or trace has set up.",
    .field = report_fields,
    .columns = "chip,domain,line,mode,ctr_mode,threshold,pre_count,stop_count,input,expression",
    .own = REP_COMMANDS,
    .bare = true,
};

static void put_rows(struct rep *r, const struct shown *s)
{
    char text[DECODE_LINE];

    rep_begin(r, CONFIGURATIONS,
              REP_CELLS(rep_text(s->names.place.name), rep_count(s->d->line), rep_text(s->mode),
                        rep_text(s->ctr_mode), rep_count(threshold(s)),
                        rep_count(s->d->more[DECODE_PRE_COUNT]),
                        rep_count(s->d->more[DECODE_STOP_COUNT])));
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (is_there(s, i))
            rep_named(r, INPUTS, input_names[i],
                      rep_text(input_text(s, i, text, sizeof text) ? text : NULL));
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (is_there(s, i))
            rep_row(r, ROWS,
                    REP_CELLS(rep_text(input_names[i]),
                              rep_text(input_text(s, i, text, sizeof text) ? text : NULL)));
    rep_end(r);
}

int decode_inputs_print(const struct rep_request *wanted, const struct decode_inputs *in)
{
    struct shown s;
    struct rep *r;
    const int code = rep_open(&r, &decode_inputs_report, wanted);

    if (code)
        return code;
    rep_root(r, REP_CELLS(rep_text(in->chip->name)));
    for (size_t n = 0; n < in->kepts; n++) {
        if (!show(in, in->kept[n], &s))
            continue;
        if (rep_page(r))
            print_text(rep_page(r), &s);
        if (rep_own(r, "command"))
            print_command(rep_own(r, "command"), &s);
        if (rep_has_rows(r))
            put_rows(r, &s);
    }
    return rep_close(r, CLI_OK);
}
