/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit dpi-bind --core FILE: SystemVerilog that hands a description to libpcounter_dpi,
 * and at each edge the signals that it names.  They stand in the connections of a bind, so the
 * design gives their sizes; only there can names have dots.  Each has a port of its own, for a
 * simulator may not take a few hundred of them joined.
 */
#include "emit.h"
#include "emit_described.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "wave/event_list.h"

struct names {
    char **name;
    size_t count, capacity;
    bool no_memory;
    const char *bad; /* one that SystemVerilog cannot have */
};

bool emit_is_plain(const char *name)
{
    bool begins = true;

    for (const char *c = name; *c; c++) {
        const bool word = isalpha((unsigned char)*c) || *c == '_';
        if (begins ? !word : !word && !isdigit((unsigned char)*c) && !strchr("$.[]:-", *c))
            return false;
        begins = *c == '.';
    }
    return !begins;
}

static void take_name(void *ctx, const char *name)
{
    struct names *n = ctx;
    void *array = n->name;

    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->name[i], name) == 0)
            return;
    char *copy = cli_copy(name, strlen(name));
    if (!copy || !cli_grow(&array, &n->capacity, n->count + 1, sizeof *n->name)) {
        free(copy);
        n->no_memory = true;
        return;
    }
    n->name = array;
    n->name[n->count++] = copy;
    if (!n->bad && !emit_is_plain(copy))
        n->bad = copy;
}

/* Those of the reset alone come first in all: how many. */
static size_t names_of_reset(const struct described *d)
{
    const struct pc_core_desc desc = { .reset = d->desc.reset };
    struct names n = { .name = NULL };
    struct pc_core *core = NULL;
    struct pc_error err;

    if (pc_core_create(&desc, &core, NULL, &err) == PC_OK)
        pc_core_signals(core, take_name, &n);
    pc_core_destroy(core);
    for (size_t i = 0; i < n.count; i++)
        free(n.name[i]);
    free(n.name);
    return n.count;
}

/* A field of a line in a string: a control character is a blank there, and what is not ASCII octal
 * digits, which make the same bytes. */
static void put_field(FILE *file, const char *text)
{
    fputs("\\t", file);
    for (; text && *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        if ((unsigned char)*text >= 0x80)
            fprintf(file, "\\%03o", (unsigned)(unsigned char)*text);
        else
            fputc((unsigned char)*text >= ' ' && *text != 0x7f ? *text : ' ', file);
    }
}

static void put_number(FILE *file, uint64_t number)
{
    fprintf(file, "\\t%" PRIu64, number);
}

static void begin_line(FILE *file, const char *kind)
{
    fprintf(file, "        pcounter_dpi_core_line(check, \"%s", kind);
}

static void end_line(FILE *file)
{
    fputs("\");\n", file);
}

static void put_pair(FILE *file, const char *kind, const char *a, const char *b)
{
    begin_line(file, kind);
    put_field(file, a);
    put_field(file, b);
    end_line(file);
}

static void put_register(const struct described *d, size_t i, FILE *file)
{
    const struct pc_core_register *r = &d->reg[i];
    char text[DESCRIBED_RULE_SIZE];

    begin_line(file, "register");
    put_field(file, r->name);
    put_number(file, r->width);
    put_field(file, r->is);
    put_field(file, r->reset);
    end_line(file);
    for (size_t k = 0; k < r->rules; k++) {
        const struct pc_core_rule *rule = &r->rule[k];
        begin_line(file, "rule");
        put_number(file, rule->action);
        if (rule->sliced) {
            put_number(file, rule->hi);
            put_number(file, rule->lo);
        } else {
            fputs("\\t\\t", file);
        }
        put_number(file, rule->go_on);
        put_field(file, rule->when);
        put_field(file, rule->value);
        described_rule_text(d, i, k, text, sizeof text);
        put_field(file, text);
        end_line(file);
    }
}

static void put_description(const struct described *d, const struct names *names, FILE *file)
{
    char text[DESCRIBED_RULE_SIZE];

    if (d->desc.reset)
        put_pair(file, "reset", d->sync ? "0" : "1", d->desc.reset);
    for (size_t i = 0; i < d->desc.lets; i++)
        put_pair(file, "let", d->let[i].name, d->let[i].value);
    for (size_t i = 0; i < d->desc.vectors; i++) {
        const struct pc_core_vector *v = &d->vector[i];
        begin_line(file, "vector");
        put_field(file, v->name);
        end_line(file);
        for (size_t k = 0; k < v->elements; k++)
            put_pair(file, "element", v->called ? v->called[k] : NULL, v->element[k]);
    }
    for (size_t i = 0; i < d->desc.regs; i++)
        put_register(d, i, file);
    for (size_t i = 0; i < d->desc.checks; i++) {
        begin_line(file, "check");
        put_field(file, d->check[i].name);
        put_field(file, d->check[i].when);
        put_field(file, d->check[i].that);
        described_check_text(d, i, text, sizeof text);
        put_field(file, text);
        end_line(file);
    }
    for (size_t i = 0; i < names->count; i++) {
        begin_line(file, "signal");
        put_field(file, names->name[i]);
        end_line(file);
    }
}

static const char imports[] =
    "    import \"DPI-C\" function chandle pcounter_dpi_core_open();\n"
    "    import \"DPI-C\" function void pcounter_dpi_core_close(input chandle core);\n"
    "    import \"DPI-C\" function void pcounter_dpi_core_line(input chandle core,\n"
    "        input string line);\n"
    "    import \"DPI-C\" function void pcounter_dpi_core_size(input chandle core,\n"
    "        input int unsigned number, input int unsigned bits, input int low);\n"
    "    import \"DPI-C\" function int unsigned pcounter_dpi_core_ready(input chandle core,\n"
    "        input int unsigned room);\n"
    "    import \"DPI-C\" function void pcounter_dpi_core_value(input chandle core,\n"
    "        input int unsigned number, input logic [Room-1:0] value);\n"
    "    import \"DPI-C\" function void pcounter_dpi_core_look(input chandle core);\n"
    "    import \"DPI-C\" function int unsigned pcounter_dpi_core_edge(input chandle core);\n"
    "    import \"DPI-C\" function string pcounter_dpi_core_text(input chandle core);\n"
    "    import \"DPI-C\" function string pcounter_dpi_core_summary(input chandle core);\n\n";

/* Ready at the first change or edge, when the sizes are there. */
static void put_start(size_t names, const char *macro, FILE *file)
{
    for (size_t i = 0; i < names; i++)
        fprintf(file, "        pcounter_dpi_core_size(check, %zu, z%zu[31:0], z%zu[63:32]);\n", i,
                i, i);
    fprintf(file,
            "        bits = pcounter_dpi_core_ready(check, Room);\n"
            "        if (bits == 0)\n"
            "            $fatal(1, \"pcounter: %%m: the description does not fit: %%s\",\n"
            "                   pcounter_dpi_core_text(check));\n"
            "        if (bits > Room)\n"
            "            $fatal(1, \"pcounter: %%m: a signal has %%0d bits: "
            "+define+%s_ROOM=%%0d\",\n"
            "                   bits, bits);\n"
            "    endfunction\n\n",
            macro);
}

static void put_values(const char *prefix, size_t names, FILE *file)
{
    for (size_t i = 0; i < names; i++)
        fprintf(file, "        pcounter_dpi_core_value(check, %zu, %s%zu);\n", i, prefix, i);
}

/* a0, a1 ...: what the signals of the reset were until one of them changed for the first time. */
static void put_resets(size_t names, FILE *file)
{
    fputs("    // A reset between two edges counts, too.\n    bit changed;\n", file);
    for (size_t i = 0; i < names; i++)
        fprintf(file, "    logic [Room-1:0] a%zu;\n", i);
    fputs("    function automatic void look_at_first();\n", file);
    put_values("a", names, file);
    fputs("        pcounter_dpi_core_look(check);\n"
          "    endfunction\n"
          "    function automatic void look();\n",
          file);
    put_values("s", names, file);
    fputs("        pcounter_dpi_core_look(check);\n"
          "    endfunction\n"
          "    always @(",
          file);
    for (size_t i = 0; i < names; i++)
        fprintf(file, "%ss%zu", i ? " or " : "", i);
    fputs(")\n        if (begun) begin\n"
          "            if (check == null) start();\n"
          "            if (!changed && $time != 0) look_at_first();\n"
          "            changed = 1;\n"
          "            look();\n"
          "        end else begin\n",
          file);
    for (size_t i = 0; i < names; i++)
        fprintf(file, "            a%zu = s%zu;\n", i, i);
    fputs("        end\n\n", file);
}

static void put_edges(const struct described *d, size_t names, FILE *file)
{
    fputs("    function automatic bit differs();\n", file);
    put_values("s", names, file);
    fprintf(file,
            "        return pcounter_dpi_core_edge(check) != 0;\n"
            "    endfunction\n\n"
            "    // Sampled before the edge, as the registers of the design see it.\n"
            "    always @(%s clk) if (begun) begin\n"
            "        if (check == null) start();\n"
            "        if (differs()) begin\n"
            "            $display(\"pcounter: %%m: time %%0t: %%s\", $realtime,\n"
            "                     pcounter_dpi_core_text(check));\n"
            "`ifndef PCOUNTER_KEEP_GOING\n"
            "            $fatal(1, \"pcounter: the design differs from its description\");\n"
            "`endif\n"
            "        end\n"
            "    end\n\n"
            "    final begin\n"
            "        $display(\"pcounter: %%m: %%s\", pcounter_dpi_core_summary(check));\n"
            "        pcounter_dpi_core_close(check);\n"
            "    end\n"
            "endmodule\n\n",
            d->negative ? "negedge" : "posedge");
}

/* "q[63:32]" as q and these bits; false: the name ends in no such slice. */
static bool split_slice(const char *name, int *length, unsigned *hi, unsigned *lo)
{
    const char *open = strrchr(name, '[');
    int end = 0;

    if (!open || sscanf(open, "[%u:%u]%n", hi, lo, &end) != 2 || end == 0 || open[end] != '\0')
        return false;
    *length = (int)(open - name);
    return true;
}

/*
 * A slice is one of the flat vector, as a waveform may have it: the design may have a packed array
 * there, whose own slices are of elements.  So it is shifted down, not sliced.
 */
static void put_slice(size_t i, const char *q, int n, unsigned hi, unsigned lo, FILE *file)
{
    fprintf(file,
            ",\n    .s%zu($dimensions(%.*s) > 1 ? %.*s >> %u : $left(%.*s) < $right(%.*s) ? "
            "%.*s >> ($right(%.*s) - %u) : %.*s >> (%u - $right(%.*s))), .z%zu({32'd0, 32'd%u})",
            i, n, q, n, q, lo, n, q, n, q, n, q, n, q, hi, n, q, lo, n, q, i, hi - lo + 1);
}

/* The bind: each signal, and its size with the declared index of its lowest bit. */
static void put_bind(const struct described *d, const struct names *names, const char *scope,
                     const char *called, FILE *file)
{
    fprintf(file, "bind %s pcounter_%s_check pcounter_%s (\n    .clk(%s)", scope, called, called,
            d->clock);
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->name[i];
        unsigned hi, lo;
        int length;
        if (split_slice(name, &length, &hi, &lo) && hi >= lo) {
            put_slice(i, name, length, hi, lo, file);
            continue;
        }
        fprintf(file,
                ",\n    .s%zu(%s), .z%zu({32'($dimensions(%s) == 1 && $left(%s) > $right(%s) ? "
                "$right(%s) : 0), 32'($bits(%s))})",
                i, name, i, name, name, name, name, name);
    }
    fputs("\n);\n/* verilator lint_on WIDTH */\n", file);
}

/* Room for each signal: 128 bits, or the widest register. */
static uint32_t room_of(const struct described *d)
{
    uint32_t room = 128;

    for (size_t i = 0; i < d->desc.regs; i++)
        if (d->reg[i].is && d->reg[i].width > room)
            room = d->reg[i].width;
    return room;
}

static void put_ports(const struct described *d, const struct names *names, const char *called,
                      const char *macro, FILE *file)
{
    fputs("// The registers of ", file);
    emit_in_comment(file, d->name);
    fputs(" against ", file);
    emit_in_comment(file, d->yaml.path);
    fputs(", at each edge of ", file);
    emit_in_comment(file, d->clock);
    fprintf(file,
            ".\n"
            "`ifndef %s_ROOM\n`define %s_ROOM %" PRIu32 " // bits for a signal\n`endif\n"
            "/* verilator lint_off WIDTH */\n"
            "module pcounter_%s_check #(parameter int Room = `%s_ROOM) (\n    input logic clk",
            macro, macro, room_of(d), called, macro);
    for (size_t i = 0; i < names->count; i++)
        fprintf(file, ",\n    input logic [Room-1:0] s%zu, input logic [63:0] z%zu", i, i);
    fputs("\n);\n", file);
}

static void put_all(const struct described *d, const struct names *names, const char *scope,
                    FILE *file)
{
    const size_t of_reset = names_of_reset(d);
    char called[80], macro[100];
    size_t n = 0;

    for (const char *c = d->name; *c && n + 1 < sizeof called; c++)
        called[n++] = isalnum((unsigned char)*c) ? *c : '_';
    called[n] = '\0';
    snprintf(macro, sizeof macro, "PCOUNTER_%s", called);
    for (char *c = macro; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    put_ports(d, names, called, macro, file);
    fputs(imports, file);
    fputs("    bit begun = 0; // the sizes are there, which are constants\n"
          "    /* verilator lint_off INITIALDLY */\n"
          "    initial begun <= 1;\n"
          "    /* verilator lint_on INITIALDLY */\n"
          "    chandle check = null;\n"
          "    function automatic void start();\n"
          "        int unsigned bits;\n"
          "        check = pcounter_dpi_core_open();\n",
          file);
    put_description(d, names, file);
    put_start(names->count, macro, file);
    if (d->desc.reset && !d->sync && of_reset > 0)
        put_resets(of_reset, file);
    put_edges(d, names->count, file);
    put_bind(d, names, scope, called, file);
}

int emit_described_dpi(const struct described *d, const char *scope, FILE *file)
{
    struct names names = { .name = NULL };
    int code = CLI_OK;

    const char *said = scope;

    if (!scope)
        scope = d->scope;
    pc_core_signals(d->core, take_name, &names);
    if (names.no_memory)
        code = cli_no_memory();
    else if (!scope)
        code = cli_usage("emit", "bind to what? %s has no scope: --scope MODULE", d->yaml.path);
    else if (names.bad || !emit_is_plain(d->clock) || !emit_is_plain(scope))
        code = cli_usage("emit", "%s is not a name of SystemVerilog, so dpi-bind cannot connect it",
                         names.bad                 ? names.bad
                         : emit_is_plain(d->clock) ? scope
                                                   : d->clock);
    else
        put_all(d, &names, scope, file);
    if (code == CLI_OK && !said)
        cli_note(1303,
                 "bound to %s, an instance of the description: --scope MODULE binds to all "
                 "of a module, as Verilator needs it",
                 scope);
    for (size_t i = 0; i < names.count; i++)
        free(names.name[i]);
    free(names.name);
    return code;
}
