/* SPDX-License-Identifier: MIT */
/* A compiled program as text for people, a script for `pcounter run`, C, or JSON. */
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

static void print_json_write(FILE *out, const struct pc_program_write *w)
{
    fprintf(out,
            "{ \"register\": \"%s\", \"address\": \"0x%06" PRIx32 "\", \"value\": \"0x%08" PRIx32
            "\", \"mask\": \"0x%08" PRIx32 "\" }",
            w->name, w->address, w->value, w->mask);
}

static void print_json(FILE *out, const struct compile_asked *a, const struct pc_program *p)
{
    const char *comma = "";

    fputs("{\n  \"$schema\": \"pcounter-compile-1\",\n  \"chip\": ", out);
    cli_json_string(out, a->names->chip->name);
    fputs(",\n  \"domain\": ", out);
    cli_json_string(out, a->names->place.name);
    fputs(",\n  \"mode\": ", out);
    cli_json_string(out, a->mode);
    fprintf(out, ",\n  \"selectors\": %u,\n  \"proven_bits\": %u,\n  \"inputs\": {", p->selectors,
            p->cone_bits);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        if (!a->input[i])
            continue;
        fprintf(out, "%s\n    ", comma);
        cli_json_string(out, pc_input_name(i));
        fputs(": { ", out);
        if (a->name[i]) {
            fputs("\"name\": ", out);
            cli_json_string(out, a->name[i]);
            fputs(", ", out);
        }
        fputs("\"expression\": ", out);
        cli_json_string(out, a->input[i]);
        fprintf(out, ", \"op\": \"0x%08" PRIx32 "\", \"chained\": %s }", p->op[i],
                p->chained[i] ? "true" : "false");
        comma = ",";
    }
    fputs("\n  },\n  \"writes\": [\n", out);
    for (size_t i = 0; i < p->writes; i++) {
        fputs("    ", out);
        print_json_write(out, &p->write[i]);
        fputs(i + 1 < p->writes ? ",\n" : "\n", out);
    }
    fputs("  ],\n  \"swap\": ", out);
    if (p->swap.mask)
        print_json_write(out, &p->swap);
    else
        fputs("null", out);
    fputs("\n}\n", out);
}

void compile_print(FILE *out, const struct compile_asked *asked, const struct pc_program *p,
                   enum compile_format format)
{
    switch (format) {
    case COMPILE_TEXT:
        print_text(out, asked, p);
        break;
    case COMPILE_SCRIPT:
        print_script(out, asked, p);
        break;
    case COMPILE_C:
        print_c(out, asked, p);
        break;
    case COMPILE_JSON:
        print_json(out, asked, p);
        break;
    }
}
