/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit tap: SystemVerilog that a simulator with DPI-C compiles beside the design: a
 * module, bound to the top, which hands the wanted signals of each clock to src/tap/pcounter_tap.c
 * at each of its edges.  They stand in the connections of the bind, where names can have dots, and
 * the design gives their sizes.
 */
#include "emit_tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bus/bus.h"
#include "described/described.h"
#include "emit.h"
#include "stat/stat.h"

enum { CLOCKS = 32, GROUP = 32 };

/* A clock and what is sampled at it: names as seen from the top. */
struct clock {
    char *name;
    bool falling;
    char **signal;
    size_t signals, capacity;
};

struct tap {
    const struct emit_tap *asked;
    char *top;         /* the first word of the scope */
    const char *below; /* the rest of it, or "" */
    struct clock clock[CLOCKS];
    size_t clocks;
    struct clock *now; /* whose names are collected */
    int code;
};

/* --- names --- */

/* The path below the top of a name that begins there, or in the scope; free() it. */
static char *path_of(struct tap *t, const char *name)
{
    const size_t top = strlen(t->top);
    const bool whole = strncmp(name, t->top, top) == 0 && name[top] == '.';
    const char *below = whole ? "" : t->below;
    char text[2000];

    if (!emit_is_plain(name)) {
        t->code = cli_usage("emit", "%s is not a name of SystemVerilog, so a tap cannot connect it",
                            name);
        return NULL;
    }
    snprintf(text, sizeof text, "%s%s%s", below, *below ? "." : "", whole ? name + top + 1 : name);
    /* of a slice the whole is sampled: which bits it has depends on its bounds */
    char *open = strrchr(text, '[');
    if (open && strchr(open, ':'))
        *open = '\0';
    char *out = cli_copy(text, strlen(text));
    if (!out)
        t->code = cli_no_memory();
    return out;
}

static void add_name(struct tap *t, const char *name)
{
    struct clock *k = t->now;
    void *array = k->signal;
    char *path = t->code == CLI_OK ? path_of(t, name) : NULL;

    for (size_t i = 0; path && i < k->signals; i++)
        if (strcmp(k->signal[i], path) == 0) {
            free(path);
            return;
        }
    if (!path)
        return;
    if (!cli_grow(&array, &k->capacity, k->signals + 1, sizeof *k->signal)) {
        free(path);
        t->code = cli_no_memory();
        return;
    }
    k->signal = array;
    k->signal[k->signals++] = path;
}

static void take_name(void *ctx, const char *name)
{
    add_name(ctx, name);
}

/* Every name is one wire here: only which there are is of interest. */
static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)is_signed, (void)err;
    add_name(ctx, name);
    *count = 1;
    if (capacity > 0)
        wires[0] = 0;
    return PC_OK;
}

/* The names of an expression. */
static int take_text(struct tap *t, const char *text, const struct cli_place *place)
{
    struct pc_expr *expr = NULL;
    struct pc_error err;

    if (pc_expr_parse(NULL, text, &expr, &err))
        return cli_library_error_at(&err, place);
    const enum pc_status status = pc_expr_resolve(expr, look_up, t, &err);
    pc_expr_free(expr);
    return status == PC_ENOMEM ? cli_no_memory() : t->code; /* widths are not known here */
}

/* --- clocks --- */

static int begin_clock(struct tap *t, const char *name, bool falling)
{
    char *path = path_of(t, name);

    if (!path)
        return t->code;
    for (size_t i = 0; i < t->clocks; i++)
        if (strcmp(t->clock[i].name, path) == 0 && t->clock[i].falling == falling) {
            free(path);
            t->now = &t->clock[i];
            return CLI_OK;
        }
    if (t->clocks == CLOCKS) {
        free(path);
        return cli_usage("emit", "a tap has up to %d clocks", CLOCKS);
    }
    t->now = &t->clock[t->clocks++];
    *t->now = (struct clock){ .name = path, .falling = falling };
    return CLI_OK;
}

/* --- -c, -e, -f: as of `pcounter stat` --- */

static int take_clock(struct tap *t, const struct stat_asked_clock *asked)
{
    struct stat_clock clock;
    const struct cli_place place = { asked->label, asked->argument,
                                     (uint32_t)(asked->text - asked->argument) };
    int code = stat_parse_clock(asked->label, asked->text, &clock);

    if (code == CLI_OK && clock.edge != PC_EDGE_POS && clock.edge != PC_EDGE_NEG)
        code = cli_usage("emit", "a tap samples at edges of a signal, not at \"%s\"", asked->text);
    if (code == CLI_OK)
        code = begin_clock(t, clock.clock, clock.edge == PC_EDGE_NEG);
    if (code == CLI_OK && clock.has_iff)
        code = take_text(t, clock.condition, &place);
    stat_free_clock(&clock);
    return code;
}

static int take_measures(struct tap *t, const struct stat_options *o, unsigned clock)
{
    int code = CLI_OK;

    for (size_t i = 0; i < o->events && code == CLI_OK; i++)
        if (o->event[i].clock == clock)
            code = take_text(t, o->event[i].text, &o->event[i].place);
    for (size_t i = 0; i < o->measures.count && code == CLI_OK; i++) {
        const struct stat_measure *m = &o->measures.item[i];
        for (unsigned p = 0; m->clock == clock && p < m->pieces && code == CLI_OK; p++)
            code = take_text(t, m->piece[p].text, &m->piece[p].place);
        for (unsigned d = 0; m->clock == clock && d < STAT_DROPS && code == CLI_OK; d++)
            if (m->drop[d].text)
                code = take_text(t, m->drop[d].text, &m->drop[d].place);
    }
    return code;
}

static int take_stat(struct tap *t)
{
    struct stat_options o = { .verb = &cli_verb_stat };
    const struct emit_tap *asked = t->asked;
    int code = CLI_OK;

    for (size_t i = 0; i < asked->clock.count && code == CLI_OK; i++)
        code = stat_add_clock(&o, "--clock", asked->clock.text[i], false);
    for (size_t i = 0; i < asked->event.count && code == CLI_OK; i++)
        code = stat_parse_events(&o, "-e", asked->event.text[i]);
    for (size_t i = 0; i < asked->file.count && code == CLI_OK; i++)
        code = stat_take_file(&o, asked->file.text[i]);
    if (code == CLI_OK && o.clocks == 0)
        code = cli_usage("emit", "at which clock? Name it with -c, or in the file of -f");
    if (code == CLI_OK)
        code = stat_check_clocks(&o);
    for (unsigned c = 0; c < o.clocks && code == CLI_OK; c++) {
        code = take_clock(t, &o.asked_clock[c]);
        if (code == CLI_OK)
            code = take_measures(t, &o, c);
    }
    stat_free_options(&o);
    return code;
}

/* --- --map, --core --- */

static int take_bus(struct tap *t, const struct bus_item *item)
{
    int code = begin_clock(t, item->clock, false);

    if (code == CLI_OK && item->reset)
        add_name(t, item->reset);
    for (size_t r = 0; r < PC_BUS_ROLES && code == CLI_OK; r++)
        if (item->role[r])
            add_name(t, item->role[r] + (item->role[r][0] == '!'));
    return code ? code : t->code;
}

static int take_map(struct tap *t)
{
    const struct bus_options o = { .map = t->asked->map };
    struct bus_run run = { .o = &o };
    int code = bus_read_map(&run);

    for (size_t i = 0; i < run.items && code == CLI_OK; i++)
        code = take_bus(t, &run.item[i]);
    bus_free_items(&run);
    return code;
}

static int take_core(struct tap *t)
{
    struct described d;
    int code = described_open(&d, "emit", t->asked->description);

    if (code == CLI_OK)
        code = begin_clock(t, d.clock, d.negative);
    if (code == CLI_OK)
        pc_core_signals(d.core, take_name, t);
    described_close(&d);
    return code ? code : t->code;
}

/* --- the file --- */

static const char module_head[] =
    "    import \"DPI-C\" function int pcounter_tap_open(input string identity,\n"
    "        input int unsigned clocks, input int precision);\n"
    "    import \"DPI-C\" function int pcounter_tap_signal(input int unsigned clock,\n"
    "        input string name, input int unsigned bits, input int left, input int right);\n"
    "    import \"DPI-C\" function longint pcounter_tap_clock(input int unsigned clock,\n"
    "        input string name, input int falling);\n"
    "    import \"DPI-C\" function int pcounter_tap_begin();\n"
    "    import \"DPI-C\" function int pcounter_tap_edge(input int unsigned clock,\n"
    "        input longint now, input logic [`PCOUNTER_TAP_ROW-1:0] row);\n"
    "    import \"DPI-C\" function void pcounter_tap_end(input longint now);\n\n"
    "    bit begun = 0; // the sizes are there, which are constants\n"
    "    bit started = 0, counted = 0;\n"
    "    /* verilator lint_off INITIALDLY */\n"
    "    initial begun <= 1;\n"
    "    /* verilator lint_on INITIALDLY */\n\n";

/* 10^-precision s of "1ns/1ps"; -1: not said. */
static int precision_of(const char *timescale)
{
    const char *slash = timescale ? strchr(timescale, '/') : NULL;
    size_t zeros = 0;

    if (!timescale)
        return -1;
    /* $time is in units, the part before the slash */
    const size_t length = slash ? (size_t)(slash - timescale) : strlen(timescale);
    size_t at = 1;
    while (at < length && timescale[at] == '0')
        zeros++, at++;
    int unit;
    if (pc_time_unit_find(timescale + at, length - at, &unit))
        return timescale[0] == '1' && zeros <= 2 && -unit >= (int)zeros ? -unit - (int)zeros : -2;
    return -2;
}

static void put_ports(const struct tap *t, FILE *file)
{
    const char *comma = "";

    fputs("module pcounter_tap (", file);
    for (size_t c = 0; c < t->clocks; c++) {
        fprintf(file, "%s\n    input logic clk%zu, input logic [`PCOUNTER_TAP_ROW-1:0] row%zu",
                comma, c, c);
        for (size_t i = 0; i < t->clock[c].signals; i++)
            fprintf(file, ",\n    input logic [95:0] size%zu_%zu", c, i);
        comma = ",";
    }
    fputs("\n);\n", file);
}

static void put_clock(const struct tap *t, size_t c, FILE *file)
{
    const struct clock *k = &t->clock[c];

    for (size_t i = 0; i < k->signals; i++)
        fprintf(file,
                "        void'(pcounter_tap_signal(%zu, \"%s.%s\", size%zu_%zu[31:0], "
                "size%zu_%zu[95:64], size%zu_%zu[63:32]));\n",
                c, t->top, k->signal[i], c, i, c, i, c, i);
    fprintf(file,
            "        bits = pcounter_tap_clock(%zu, \"%s.%s\", %d);\n"
            "        if (bits > most) most = bits;\n",
            c, t->top, k->name, k->falling);
}

/* At the first edge of any clock. */
static void put_start(const struct tap *t, uint32_t identity, FILE *file)
{
    fprintf(file,
            "    function automatic void start();\n"
            "        longint bits, most;\n"
            "        int opened;\n"
            "        started = 1;\n"
            "        most = 0;\n"
            "        opened = pcounter_tap_open(\"%08" PRIx32 "\", %zu, %d);\n"
            "        if (opened < 0) $fatal(1, \"pcounter: a second tap in one simulation\");\n"
            "        if (opened <= 0) return;\n",
            identity, t->clocks, precision_of(t->asked->timescale));
    for (size_t c = 0; c < t->clocks; c++)
        put_clock(t, c, file);
    fputs("        if (most > `PCOUNTER_TAP_ROW)\n"
          "            $fatal(1, \"pcounter: the signals of a clock have %0d bits: compile with "
          "+define+PCOUNTER_TAP_ROW=%0d\",\n"
          "                   most, (most + 63) / 64 * 64);\n"
          "        counted = pcounter_tap_begin() != 0;\n"
          "        if (!counted) $finish;\n"
          "    endfunction\n\n"
          "    // Rows are sampled before the edge, as the registers of the design see it.\n",
          file);
}

static void put_edge(const struct clock *k, size_t c, FILE *file)
{
    fprintf(file,
            "    always @(%s clk%zu) if (begun) begin\n"
            "        if (!started) start();\n"
            "        if (counted && pcounter_tap_edge(%zu, $time, $sampled(row%zu)) != 0) "
            "$finish;\n"
            "    end\n",
            k->falling ? "negedge" : "posedge", c, c, c);
}

/* The signals joined, the first one lowest, in groups: a simulator may not take hundreds. */
static void put_row(const struct clock *k, size_t c, FILE *file)
{
    fprintf(file, ".row%zu(`PCOUNTER_TAP_ROW'({", c);
    for (size_t i = k->signals; i > 0; i--) {
        const bool first = i == k->signals || i % GROUP == 0;
        fprintf(file, "%s%s%s", i == k->signals ? "" : ",\n        ", first ? "{" : "",
                k->signal[i - 1]);
        if ((i - 1) % GROUP == 0)
            fputs("}", file);
    }
    fputs(k->signals > 0 ? "}))" : "1'b0}))", file);
}

static void put_bind(const struct tap *t, FILE *file)
{
    const char *comma = "";

    fprintf(file, "bind %s pcounter_tap pcounter_tap_i (", t->top);
    for (size_t c = 0; c < t->clocks; c++) {
        const struct clock *k = &t->clock[c];
        fprintf(file, "%s\n    .clk%zu(%s), ", comma, c, k->name);
        comma = ",";
        put_row(k, c, file);
        for (size_t i = 0; i < k->signals; i++) {
            const char *name = k->signal[i];
            fprintf(file,
                    ",\n    .size%zu_%zu({$dimensions(%s) == 1 ? {32'($left(%s)), "
                    "32'($right(%s))} : {32'($bits(%s) - 1), 32'd0}, 32'($bits(%s))})",
                    c, i, name, name, name, name, name);
        }
    }
    fputs("\n);\n", file);
}

/* A number that differs between two files. */
static uint32_t identity_of(const struct tap *t)
{
    uint32_t hash = UINT32_C(2166136261);

    for (size_t c = 0; c < t->clocks; c++)
        for (size_t i = 0; i <= t->clock[c].signals; i++)
            for (const char *p = i ? t->clock[c].signal[i - 1] : t->clock[c].name; *p; p++)
                hash = (hash ^ (unsigned char)*p) * UINT32_C(16777619);
    return hash;
}

static void put_file(const struct tap *t, FILE *file)
{
    size_t most = 1;

    for (size_t c = 0; c < t->clocks; c++)
        most = t->clock[c].signals > most ? t->clock[c].signals : most;
    fputs("// Hands signals of ", file);
    emit_in_comment(file, t->asked->scope);
    fprintf(file,
            " to pcounter while the simulation runs: "
            "pcounter VERB ... -- SIMULATION.\n"
            "// Without pcounter around it the simulation runs as ever.\n"
            "`ifndef PCOUNTER_TAP_ROW\n`define PCOUNTER_TAP_ROW %zu // bits of all signals of a "
            "clock\n`endif\n",
            (4 * most + 63) / 64 * 64);
    if (t->asked->timescale)
        fprintf(file, "`timescale %s\n", t->asked->timescale);
    fputs("/* verilator lint_off WIDTH */\n/* verilator lint_off TIMESCALEMOD */\n", file);
    put_ports(t, file);
    fputs(module_head, file);
    put_start(t, identity_of(t), file);
    for (size_t c = 0; c < t->clocks; c++)
        put_edge(&t->clock[c], c, file);
    fputs("    final if (counted) pcounter_tap_end($time);\nendmodule\n\n", file);
    put_bind(t, file);
    fputs("/* verilator lint_on TIMESCALEMOD */\n/* verilator lint_on WIDTH */\n", file);
}

/* --- the call --- */

static int begin(struct tap *t)
{
    const struct emit_tap *asked = t->asked;

    if (!asked->scope)
        return cli_usage("emit", "bind to what? --scope TOP, the top module, or --scope TOP.PATH, "
                                 "where the names of the signals begin");
    if (!emit_is_plain(asked->scope))
        return cli_usage("emit", "--scope %s is not a path of SystemVerilog", asked->scope);
    if (precision_of(asked->timescale) == -2)
        return cli_usage("emit",
                         "--timescale takes a unit and a precision, like 1ns/1ps, not "
                         "\"%s\"",
                         asked->timescale);
    const size_t top = strcspn(asked->scope, ".");
    t->top = cli_copy(asked->scope, top);
    t->below = asked->scope + top + (asked->scope[top] == '.');
    return t->top ? CLI_OK : cli_no_memory();
}

static int collect(struct tap *t)
{
    const struct emit_tap *asked = t->asked;
    const bool stat = asked->clock.count + asked->event.count + asked->file.count > 0;
    int code = CLI_OK;

    if (!stat && !asked->map && !asked->description)
        return cli_usage("emit", "a tap of what? -c and -e, -f FILE, --map FILE or --core FILE");
    if (stat)
        code = take_stat(t);
    if (code == CLI_OK && asked->map)
        code = take_map(t);
    if (code == CLI_OK && asked->description)
        code = take_core(t);
    return code;
}

static void drop(struct tap *t)
{
    for (size_t c = 0; c < t->clocks; c++) {
        for (size_t i = 0; i < t->clock[c].signals; i++)
            free(t->clock[c].signal[i]);
        free(t->clock[c].signal);
        free(t->clock[c].name);
    }
    free(t->top);
}

int emit_tap(const struct emit_tap *asked)
{
    struct tap t = { .asked = asked };
    struct cli_out out;
    int code = begin(&t);

    if (code == CLI_OK)
        code = collect(&t);
    if (code == CLI_OK)
        code = cli_out_open(&out, asked->path);
    if (code == CLI_OK) {
        put_file(&t, out.file);
        code = cli_out_commit(&out);
    }
    drop(&t);
    return code;
}
