/* SPDX-License-Identifier: MIT */
/*
 * The core in a waveform: the scope that has the ports of perf_counters, whatever its
 * instance is called, the ports in it, and mcycle and minstret in the scopes around it.
 */
#include "core.h"
#include "wave/wave_bits.h"

#include <stdlib.h>
#include <string.h>

/* Ports that make a scope the counters', or worth a question; scopes told. */
enum { ENOUGH = 5, ENOUGH_FIXED = 3, SOME = 2, MOST_SCOPES = 64, SHOWN = 200 };

/* Ports that few other modules of the core have. */
static const char *const marks[] = {
    "mcountinhibit_i", "stall_issue_i", "i_tlb_flush_i", "l1_dcache_miss_i", "l1_icache_miss_i",
    "if_empty_i",      "sb_full_i",     "itlb_miss_i",   "commit_ack_i",     "generic_counter_q[1]",
};

/* The registers of a core without event counters, and what they need. */
static const char *const fixed_marks[] = { "cycle_q", "instret_q", "commit_ack_i", "csr_addr_i" };

struct candidates {
    char *name[MOST_SCOPES + 1]; /* NULL ends them */
    unsigned hits[MOST_SCOPES];
    size_t count;
    unsigned enough; /* hits that make a scope the counters' */
};

/* Where `name` goes on after all of `prefix`, but for what does not count; NULL: it does not. */
static const char *behind(const char *name, const char *prefix)
{
    for (;; name++, prefix++) {
        while (*name == ' ' || *name == '\\')
            name++;
        while (*prefix == ' ' || *prefix == '\\')
            prefix++;
        if (!*prefix)
            return name;
        if (*name != *prefix)
            return NULL;
    }
}

bool core_same_name(const char *a, const char *b)
{
    const char *rest = behind(a, b);

    return rest && !*rest;
}

/* ---- scopes ---- */

static bool note_scope(struct candidates *c, const char *path, size_t length)
{
    for (size_t i = 0; i < c->count; i++)
        if (strncmp(c->name[i], path, length) == 0 && c->name[i][length] == '\0') {
            c->hits[i]++;
            return true;
        }
    if (c->count == MOST_SCOPES)
        return true;
    c->name[c->count] = malloc(length + 1);
    if (!c->name[c->count])
        return false;
    memcpy(c->name[c->count], path, length);
    c->name[c->count][length] = '\0';
    c->hits[c->count++] = 1;
    return true;
}

/* A port of one bit may have its index after it (find_with_index). */
static bool is_mark(const char *leaf, const char *mark)
{
    const char *rest = behind(leaf, mark);

    return rest && (!*rest || strcmp(rest, "[0]") == 0);
}

static bool collect(const struct core *c, struct candidates *out)
{
    const bool events = c->options->config->perf_counter_en;
    const char *const *mark = events ? marks : fixed_marks;
    const size_t count =
        events ? sizeof marks / sizeof marks[0] : sizeof fixed_marks / sizeof fixed_marks[0];
    struct cli_wave_vars vars;
    struct pc_wave_var var;

    out->enough = events ? ENOUGH : ENOUGH_FIXED;
    cli_wave_vars_begin(&vars, c->wave);
    while (cli_wave_vars_next(&vars, &var)) {
        const char *leaf = strrchr(var.name, '.');
        for (size_t m = 0; leaf && m < count; m++)
            if (is_mark(leaf + 1, mark[m]) && !note_scope(out, var.name, (size_t)(leaf - var.name)))
                return false;
    }
    return true;
}

/* 2: the scope itself, 1: the end of its path, 0: another one. */
static int fits(const char *scope, const char *wanted)
{
    const size_t n = strlen(scope), m = strlen(wanted);

    if (strcmp(scope, wanted) == 0)
        return 2;
    return n > m && scope[n - m - 1] == '.' && strcmp(scope + n - m, wanted) == 0;
}

/* The module of the RTL whose scope is looked for. */
static const char *core_module(const struct core *c)
{
    return c->options->config->perf_counter_en ? "perf_counters" : "csr_regfile";
}

static int tell_scopes(const struct core *c, const struct candidates *all, unsigned code,
                       const char *text)
{
    struct pc_error err;
    struct core_list list = { .out = err.hint, .size = sizeof err.hint };
    char before[64];

    cli_fail(&err, code, "%s", text);
    snprintf(before, sizeof before, "%s is in: ", core_module(c));
    list.before = before;
    for (size_t i = 0; i < all->count; i++)
        if (all->hits[i] >= all->enough)
            core_list_add(&list, all->name[i]);
    core_list_end(&list);
    return cli_error(&err, c->options->path, NULL);
}

/* The candidate that --scope means, or the only one; `none` if there is none at all. */
static int choose(const struct core *c, const struct candidates *all, size_t *out, bool *none)
{
    const char *wanted = c->options->scope;
    int best = 0;
    size_t matches = 0;
    char text[400];

    for (size_t i = 0; i < all->count; i++) {
        int fit = wanted ? fits(all->name[i], wanted) : all->hits[i] >= all->enough;
        if (fit == 0 || fit < best)
            continue;
        matches = fit > best ? 1 : matches + 1;
        best = fit;
        *out = i;
    }
    *none = matches == 0;
    if (matches == 1 || (*none && !wanted))
        return CLI_OK;
    if (*none)
        snprintf(text, sizeof text, "no scope \"%s\" has ports of %s", wanted, core_module(c));
    else
        snprintf(text, sizeof text, "%s matches %zu scopes with the ports of %s",
                 wanted ? wanted : "the waveform", matches, core_module(c));
    return tell_scopes(c, all, *none ? 1032 : 1031, text);
}

/* No scope has enough ports: the one with most of them, if that may be no accident. */
static void hint_at(struct core *c, const struct candidates *all)
{
    size_t most = 0;

    for (size_t i = 1; i < all->count; i++)
        if (all->hits[i] > all->hits[most])
            most = i;
    if (all->count > 0 && all->hits[most] >= SOME)
        snprintf(c->hint, sizeof c->hint,
                 "%s has %u of the ports that identify %s: if it is one, name it with --scope",
                 strlen(all->name[most]) < SHOWN ? all->name[most] : "a scope", all->hits[most],
                 core_module(c));
}

static int find_scope(struct core *c)
{
    struct candidates all = { .count = 0 };
    bool complete = collect(c, &all), none = true;
    size_t chosen = 0;
    int code = CLI_OK;

    if (complete)
        code = choose(c, &all, &chosen, &none);
    if (complete && code == CLI_OK && !none) {
        c->scope = all.name[chosen];
        all.name[chosen] = NULL;
    } else if (complete && code == CLI_OK) {
        c->scope = calloc(1, 1);
        hint_at(c, &all);
    }
    if (code == CLI_OK && !c->scope) {
        struct pc_error err;
        cli_fail(&err, 100, "no memory to look for perf_counters");
        code = cli_error(&err, NULL, NULL);
    }
    for (size_t i = 0; i < all.count; i++)
        free(all.name[i]);
    return code;
}

/* ---- ports ---- */

static struct pc_wave_bit *bits_of(const struct core *c, enum core_port port)
{
    return c->bit + (size_t)CORE_MOST_BITS * port;
}

static void take(struct core *c, enum core_port port, size_t bits)
{
    c->port[port] =
        (struct core_source){ .present = true, .bit = bits_of(c, port), .bits = (uint32_t)bits };
}

static void tie(struct core *c, enum core_port port, uint64_t value)
{
    c->port[port] = (struct core_source){
        .present = true, .constant = true, .value = value, .bits = core_port_bits(port)
    };
}

/*
 * The variable of exactly this path, or the vector of such; not a slice of another one.  It is no
 * port if that is too wide, or no bits.
 */
static enum pc_status find_exactly(struct core *c, enum core_port port, const char *path)
{
    struct pc_wave_bit *bits = bits_of(c, port);
    struct pc_wave_var var;
    size_t count;
    /* no error: to make one, each name of the waveform is looked at */
    enum pc_status status = pc_wave_find_bits(c->wave, path, bits, CORE_MOST_BITS, &count, NULL);

    if (status != PC_OK)
        return status;
    if (count == 0 || pc_wave_get_var(c->wave, bits[0].var, &var) != PC_OK)
        return PC_EINPUT;
    const char *rest = behind(var.name, path);
    if (!rest || (*rest && *rest != '[')) /* the index of a vector's bit */
        return PC_ENOENT;
    if (count > core_port_bits(port) || var.kind != PC_VAR_BITS)
        return PC_EINPUT;
    take(c, port, count);
    return PC_OK;
}

enum pc_status core_find_in(struct core *c, enum core_port port, size_t length, const char *leaf)
{
    char path[1024];

    if (snprintf(path, sizeof path, "%.*s.%s", (int)length, c->scope, leaf) >= (int)sizeof path)
        return PC_EINPUT;
    return find_exactly(c, port, path);
}

/* A port of one bit that is declared with a range ([0:0]), in a file that has bits one by one. */
static void find_with_index(struct core *c, enum core_port port)
{
    char leaf[80];

    snprintf(leaf, sizeof leaf, "%s[0]", core_port_name(port));
    core_find_in(c, port, strlen(c->scope), leaf);
}

static void find_by_name(struct core *c)
{
    for (unsigned i = 0; i < CORE_MCYCLE; i++) {
        const enum core_port port = (enum core_port)i;
        const enum pc_status status = core_find_in(c, port, strlen(c->scope), core_port_name(port));
        if (status == PC_ENOENT && (core_port_bits(port) == 1 || port == CORE_ACK))
            find_with_index(c, port);
    }
}

/* A signal of a map, in the scope first: its bits, `room` at most.  An exit code. */
static int find_signal(struct core *c, const struct core_map *map, const struct core_map_row *row,
                       const char *signal, struct pc_wave_bit *bits, size_t room, size_t *count)
{
    struct pc_error err, inside;
    char path[1024];
    enum pc_status status = PC_ENOENT;

    if (c->scope[0] && snprintf(path, sizeof path, "%s.%s", c->scope, signal) < (int)sizeof path)
        status = cli_find_bits(c->wave, path, bits, room, count, 1035, &inside);
    if (status == PC_EINPUT) /* a slice that is too large, no bits */
        return core_map_error(map, row, &inside);
    if (status != PC_OK)
        status = cli_find_bits(c->wave, signal, bits, room, count, 1035, &err);
    return status == PC_OK ? CLI_OK : core_map_error(map, row, &err);
}

/*
 * {a, b, ...}: signals from the left; a 0 in front of them stands for what the port has above.
 * The last one has the lowest bits.
 */
static int find_joined(struct core *c, const struct core_map *map, const struct core_map_row *row,
                       size_t *count, bool *padded)
{
    struct pc_wave_bit *bits = bits_of(c, row->port);
    char *text = strdup(row->signal + 1), *end = text ? strrchr(text, '}') : NULL;
    struct pc_error err;
    int code = CLI_OK;

    *count = 0;
    if (!text)
        return cli_no_memory();
    while (code == CLI_OK && end) {
        size_t n = 0;
        *end = '\0';
        char *comma = strrchr(text, ','), *name = comma ? comma + 1 : text;
        name = core_trim(name, end);
        end = comma;
        *padded = !comma && strcmp(name, "0") == 0;
        if (!*padded)
            code = find_signal(c, map, row, name, bits + *count, CORE_MOST_BITS - *count, &n);
        *count += n;
    }
    free(text);
    if (code == CLI_OK && *count == 0) {
        cli_fail(&err, 1035, "%s has no signal", row->signal);
        code = core_map_error(map, row, &err);
    }
    return code;
}

static int find_mapped(struct core *c, const struct core_map *map, const struct core_map_row *row)
{
    struct pc_error err;
    size_t count = 0;
    bool padded = false;
    enum pc_status status = PC_OK;
    const int code =
        row->signal[0] == '{'
            ? find_joined(c, map, row, &count, &padded)
            : find_signal(c, map, row, row->signal, bits_of(c, row->port), CORE_MOST_BITS, &count);

    if (code != CLI_OK)
        return code;
    if (count > core_port_bits(row->port))
        status = cli_fail(&err, 1035, "%s has %zu bits, %s at most %u", row->signal, count,
                          core_port_name(row->port), core_port_bits(row->port));
    if (status == PC_OK && count > 1 && row->one_bit) {
        status = cli_fail(&err, 1035, "! is for one bit; %s has %zu", row->signal, count);
        snprintf(err.hint, sizeof err.hint, "~%s is the inverse of each bit", row->signal);
    }
    if (status == PC_OK && row->inverted && padded)
        status = cli_fail(&err, 1035, "a signal padded with 0 cannot be inverted");
    if (status != PC_OK)
        return core_map_error(map, row, &err);
    take(c, row->port, count);
    c->port[row->port].inverted = row->inverted;
    c->port[row->port].padded = padded;
    return CLI_OK;
}

static int apply_map(struct core *c)
{
    struct core_map map;
    int code = core_map_load(c->options->verb, c->options->map, &map);

    for (size_t i = 0; i < map.count && code == CLI_OK; i++) {
        const struct core_map_row *row = &map.row[i];
        if (row->signal)
            code = find_mapped(c, &map, row);
        else
            tie(c, row->port, row->value);
    }
    core_map_free(&map);
    return code;
}

/* ---- the core ---- */

static int PC_PRINTF(2, 3) fail_to_find(const struct core *c, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, 1030, fmt, args);
    va_end(args);
    if (c->hint[0])
        snprintf(err.hint, sizeof err.hint, "%s, and ports that have other names in a map (--map)",
                 c->hint);
    return cli_error(&err, c->options->path, NULL);
}

int core_find_ports(struct core *c)
{
    struct pc_error err;
    int code = find_scope(c);

    if (code != CLI_OK)
        return code;
    c->bit = calloc((size_t)CORE_PORTS * CORE_MOST_BITS, sizeof *c->bit);
    if (!c->bit) {
        cli_fail(&err, 100, "no memory for the ports of perf_counters");
        return cli_error(&err, NULL, NULL);
    }
    if (!c->options->config->perf_counter_en) /* nothing can inhibit mcycle and minstret */
        tie(c, CORE_INHIBIT, 0);
    if (c->scope[0]) {
        (c->options->config->perf_counter_en ? find_by_name : core_find_fixed)(c);
        core_find_around(c);
    } else if (!c->options->map) {
        return fail_to_find(c, "no scope of the waveform has the ports of %s", core_module(c));
    }
    if (c->options->map)
        code = apply_map(c);
    if (!c->port[CORE_MCOUNTINHIBIT].present && c->options->config->perf_counter_en)
        c->port[CORE_MCOUNTINHIBIT] = c->port[CORE_INHIBIT];
    if (code == CLI_OK)
        code = core_check_clear(c);
    if (code == CLI_OK)
        code = core_check_widths(c);
    c->events = core_events(c);
    if (code == CLI_OK && (!c->port[CORE_CLOCK].present || c->port[CORE_CLOCK].constant))
        return c->scope[0] ? fail_to_find(c, "no clock: there is no clk_i in \"%s\"", c->scope)
                           : fail_to_find(c,
                                          "no clock: the map has no signal for clk_i, and no scope "
                                          "has the ports of %s",
                                          core_module(c));
    return code;
}

bool core_wanted(const struct core *c, unsigned port)
{
    if (!c->port[port].present || c->port[port].constant || port == CORE_CLOCK)
        return false;
    if (port >= CORE_CSR_0)
        return !c->options->inputs_only && core_has_csr(c);
    if (!c->options->inputs_only)
        return true;
    return !((port >= CORE_COUNTER_3 && port <= CORE_MINSTRET) || port == CORE_RDATA ||
             port == CORE_WDATA || port == CORE_ADDRESS);
}
