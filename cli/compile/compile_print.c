/* SPDX-License-Identifier: MIT */
/* A compiled program as text for people, a script for `pcounter run`, C, or rows for programs. */
#include "compile.h"

#include <inttypes.h>
#include <string.h>

/* "domain 1", "gpc0.1" */
static void print_place(FILE *out, const struct compile_names *n)
{
    fprintf(out, n->chip->layout == PC_LAYOUT_GF100 ? "%s" : "domain %s", n->place.name);
}

enum { NAME_SIZE = 72 };

static void source_name(const struct compile_asked *a, const struct pc_program *p, unsigned input,
                        unsigned i, char name[NAME_SIZE])
{
    int16_t signal = p->source[input][i];

    if (signal == PC_NO_SIGNAL)
        snprintf(name, NAME_SIZE, "-");
    else
        compile_name(a->names, (unsigned)signal, name, NAME_SIZE);
}

/* SRC0 to SRC3 of the inputs, in columns that take the longest name. */
static void print_sources(FILE *out, const struct compile_asked *a, const struct pc_program *p,
                          unsigned inputs)
{
    char name[NAME_SIZE];
    int width[4] = { 14, 14, 14, 0 };

    for (unsigned input = 0; input < inputs; input++)
        for (unsigned i = 0; i < 3; i++) {
            source_name(a, p, input, i, name);
            if ((int)strlen(name) > width[i])
                width[i] = (int)strlen(name);
        }
    fprintf(out, "\n  %-8s %-*s %-*s %-*s %s\n", "", width[0], "SRC0", width[1], "SRC1", width[2],
            "SRC2", "SRC3");
    for (unsigned input = 0; input < inputs; input++) {
        fprintf(out, "  %-8s", pc_input_name(input));
        for (unsigned i = 0; i < 4; i++) {
            source_name(a, p, input, i, name);
            fprintf(out, " %-*s", width[i], name);
        }
        fputc('\n', out);
    }
}

/* "hits = s10 & s11", or only the expression, in one line. */
static void print_asked(FILE *out, const struct compile_asked *a, unsigned input)
{
    if (a->name[input])
        fprintf(out, "%s = ", a->name[input]);
    for (const char *p = a->input[input]; *p; p++)
        fputc((unsigned char)*p < ' ' ? ' ' : *p, out);
}

static void print_write(FILE *out, const struct pc_program_write *w)
{
    fprintf(out, "  0x%06" PRIx32 "  0x%08" PRIx32 "  %s", w->address, w->value, w->name);
    if (w->mask != UINT32_MAX)
        fprintf(out, ", only the bits 0x%08" PRIx32, w->mask);
    fputc('\n', out);
}

static void print_text(FILE *out, const struct compile_asked *a, const struct pc_program *p)
{
    unsigned sources =
        a->names->chip->features & PC_F_OWN_FLAG_SRC ? PC_INPUT_COUNT : PC_INPUT_SETFLAG;

    fprintf(out, "%s ", a->names->chip->name);
    print_place(out, a->names);
    fprintf(out, ", %s: %u selector%s, proven over %u states of an input\n\n", a->mode,
            p->selectors, p->selectors == 1 ? "" : "s", 1u << p->cone_bits);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (a->input[i]) {
            fprintf(out, "  %-8s ", pc_input_name(i));
            print_asked(out, a, i);
            fputs(p->chained[i] ? "   (ARG3 is SETFLAG)\n" : "\n", out);
        }
    print_sources(out, a, p, sources);
    fputs("\nwrites, in this order:\n", out);
    for (size_t i = 0; i < p->writes; i++)
        print_write(out, &p->write[i]);
    if (p->swap.mask) {
        fputs("and for each swap:\n", out);
        print_write(out, &p->swap);
    }
}

static void print_script(FILE *out, const struct compile_asked *a, const struct pc_program *p)
{
    fprintf(out, "chip %s\n", a->names->chip->name);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (a->input[i]) {
            fprintf(out, "# %s: ", pc_input_name(i));
            print_asked(out, a, i);
            fputc('\n', out);
        }
    for (size_t i = 0; i < p->writes; i++) {
        const struct pc_program_write *w = &p->write[i];
        fprintf(out, "w %06" PRIx32 " %08" PRIx32, w->address, w->value);
        if (w->mask != UINT32_MAX)
            fprintf(out, " %08" PRIx32, w->mask);
        fprintf(out, "   # %s\n", w->name);
    }
    if (p->swap.mask)
        fprintf(out, "# each swap: w %06" PRIx32 " %08" PRIx32 "   # %s\n", p->swap.address,
                p->swap.value, p->swap.name);
}

static void print_c(FILE *out, const struct compile_asked *a, const struct pc_program *p)
{
    fprintf(out, "/* %s ", a->names->chip->name);
    print_place(out, a->names);
    fprintf(out, ", %s; the last write starts it */\n", a->mode);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (a->input[i]) {
            fprintf(out, "/* %s: ", pc_input_name(i));
            print_asked(out, a, i);
            fputs(" */\n", out);
        }
    fputs("/* mask 0xffffffff: write the value; else read, change these bits, write back */\n"
          "static const struct { unsigned address, value, mask; } pcounter_writes[] = {\n",
          out);
    for (size_t i = 0; i < p->writes; i++)
        fprintf(out, "    { 0x%06" PRIx32 ", 0x%08" PRIx32 ", 0x%08" PRIx32 " }, /* %s */\n",
                p->write[i].address, p->write[i].value, p->write[i].mask, p->write[i].name);
    fputs("};\n", out);
    if (p->swap.mask)
        fprintf(out,
                "/* each swap: write %s */\n"
                "enum { pcounter_swap_address = 0x%06" PRIx32 ", pcounter_swap_value = 0x%08" PRIx32
                " };\n",
                p->swap.name, p->swap.address, p->swap.value);
}

/* ---- for programs ---- */

static const char *const modes[] = { "QUAD", "SINGLE", "RECORD", NULL };
static const char *const inputs[] = { "PRE", "START", "EVENT", "STOP", "SETFLAG", "CLRFLAG", NULL };

static const struct rep_field input_fields[] = {
    { "input", REP_WORD, .about = "which of the domain's", .words = inputs },
    { "name", REP_TEXT, .about = "the name of the event, with -e", .flags = REP_MAYBE },
    { "expression", REP_TEXT, .about = "what was asked" },
    { "op", REP_HEX, .about = "the OP register", .digits = 8 },
    { "chained", REP_BOOL, .about = "true: part of it comes through SETFLAG" },
    { .name = NULL },
};

static const struct rep_field write_fields[] = {
    { "register", REP_TEXT, .about = "its name" },
    { "address", REP_TEXT, .about = "where in MMIO", .pattern = "^0x[0-9a-f]{6,8}$" },
    { "value", REP_HEX, .about = "the word", .digits = 8 },
    { "mask", REP_HEX, .about = "0xffffffff: write the word; else change these bits alone",
      .digits = 8 },
    { .name = NULL },
};

enum { INPUTS = 5, WRITES, SWAP, SWAPS };
static const struct rep_field report_fields[] = {
    { "chip", REP_TEXT, .about = "the chip whose counters are modelled" },
    { "domain", REP_TEXT, .about = "the domain" },
    { "mode", REP_WORD, .about = "the mode of the domain", .words = modes },
    { "selectors", REP_COUNT, .about = "selectors that are used" },
    { "proven_bits", REP_COUNT,
      .about = "bits of signals and history over which the registers were proven equal to the "
               "expressions" },
    { "inputs", REP_LIST, .about = "every input that was asked for", .flags = REP_ROW,
      .field = input_fields, .item = "an input", .fixed = "kind=input" },
    { "writes", REP_LIST,
      .about = "the writes, in the order they are to be made: the last one starts it",
      .flags = REP_ROW, .field = write_fields, .item = "a write", .fixed = "kind=write" },
    { "swap", REP_OBJECT,
      .about = "the write that swaps the counters to be read, each time; null: nothing is needed",
      .flags = REP_NULL, .field = write_fields },
    { "swap", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = write_fields,
      .fixed = "kind=swap" },
    { .name = NULL },
};

const struct rep_def compile_report = {
    .schema = "pcounter-compile-2",
    .call = "pcounter compile",
    .about = "Expressions as register writes.",
    .field = report_fields,
    .columns = "chip,domain,mode,kind,input,name,expression,op,chained,register,address,value,mask",
    .own = REP_PROGRAM,
};

static void put_write(struct rep *r, unsigned field, const struct pc_program_write *w)
{
    char address[16];

    snprintf(address, sizeof address, "0x%06" PRIx32, w->address);
    rep_row(
        r, field,
        REP_CELLS(rep_text(w->name), rep_text(address), rep_hex(w->value, 8), rep_hex(w->mask, 8)));
}

static void put_rows(struct rep *r, const struct compile_asked *a, const struct pc_program *p)
{
    rep_root(r, REP_CELLS(rep_text(a->names->chip->name), rep_text(a->names->place.name),
                          rep_text(a->mode), rep_count(p->selectors), rep_count(p->cone_bits)));
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (a->input[i])
            rep_row(r, INPUTS,
                    REP_CELLS(rep_text(inputs[i]), a->name[i] ? rep_text(a->name[i]) : rep_absent(),
                              rep_text(a->input[i]), rep_hex(p->op[i], 8),
                              rep_bool(p->chained[i])));
    for (size_t i = 0; i < p->writes; i++)
        put_write(r, WRITES, &p->write[i]);
    if (!p->swap.mask) {
        rep_set(r, SWAP, rep_null());
        return;
    }
    put_write(r, SWAP, &p->swap);
    put_write(r, SWAPS, &p->swap);
}

int compile_print(const struct rep_request *wanted, const struct compile_asked *asked,
                  const struct pc_program *p)
{
    static const struct {
        const char *format;
        void (*print)(FILE *out, const struct compile_asked *a, const struct pc_program *p);
    } own[] = { { "text", print_text }, { "script", print_script }, { "c", print_c } };
    struct rep *r;
    int code = rep_open(&r, &compile_report, wanted);

    if (code)
        return code;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (rep_own(r, own[i].format))
            own[i].print(rep_own(r, own[i].format), asked, p);
    put_rows(r, asked, p);
    return rep_close(r, CLI_OK);
}
