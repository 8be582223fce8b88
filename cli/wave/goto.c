/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */
#include "wave/goto.h"

#include "wave/event_list.h"
#include "wave/wave_bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the option --- */

static const struct {
    const char *suffix, *word;
    enum cli_viewer viewer;
} viewers[] = { { ".gtkw", "gtkwave", CLI_GTKWAVE },
                { ".sucl", "surfer", CLI_SURFER },
                { ".tcl", NULL, CLI_GTKWAVE_TCL } };
enum { VIEWERS = sizeof viewers / sizeof viewers[0] };

static int take(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct cli_goto *g = field;

    (void)row;
    for (size_t i = 0; i < VIEWERS; i++) {
        const bool word = viewers[i].word && strcmp(text, viewers[i].word) == 0;
        if (!word && !cli_has_suffix(text, viewers[i].suffix))
            continue;
        *g = (struct cli_goto){ .text = text, .viewer = viewers[i].viewer, .named = !word };
        return CLI_OK;
    }
    return cli_usage(verb,
                     "--goto takes gtkwave, surfer, or a file that ends in .gtkw, .tcl or .sucl; "
                     "not \"%s\"",
                     text);
}

static const char *word(const struct opt *row, size_t i)
{
    (void)row;
    return i < 2 ? viewers[i].word : NULL;
}

const struct opt_kind cli_opt_goto = {
    .value = "VIEWER",
    .brief = "write a file that opens the worst place in a viewer",
    .take = take,
    .word = word,
};

/* --- what viewers read --- */

int cli_goto_check(const struct cli_goto *g, const char *verb, const char *path,
                   const struct pc_wave_info *info)
{
    const bool gzip = strcmp(info->encoding, "gzip") == 0 && g->viewer != CLI_SURFER;
    const bool plain = gzip || strcmp(info->encoding, "plain") == 0;
    const bool vcd = (info->format == PC_WAVE_VCD || info->format == PC_WAVE_EVCD) && plain;
    const bool ghw = info->format == PC_WAVE_GHW && strcmp(info->encoding, "plain") == 0;

    if (!g->text)
        return CLI_OK;
    if (cli_read_once(path))
        return cli_usage(verb, "--goto %s: a viewer opens a file, not %s", g->text,
                         cli_input_name(path));
    if (vcd || ghw || info->format == PC_WAVE_FST)
        return CLI_OK;
    return cli_usage(verb,
                     "--goto %s: the viewer does not read %s; make a VCD of it: pcounter record "
                     "--cut -o small.vcd",
                     g->text, path);
}

/* --- signals --- */

bool cli_goto_add_var(struct cli_goto_signals *s, size_t var)
{
    void *array = s->var;

    for (size_t i = 0; i < s->count; i++)
        if (s->var[i] == var)
            return true;
    size_t *one = cli_one_more(&array, &s->capacity, &s->count, sizeof *one);
    s->var = array;
    if (one)
        *one = var;
    return one != NULL;
}

bool cli_goto_add(struct cli_goto_signals *s, const struct pc_wave *wave, const char *name)
{
    size_t var;
    uint32_t hi, lo;

    while (*name == '!' || *name == '~' || *name == ' ')
        name++;
    if (pc_wave_find(wave, name, &var, &hi, &lo, NULL) != PC_OK)
        return true;
    return cli_goto_add_var(s, var);
}

struct adding {
    struct cli_goto_signals *signals;
    const struct pc_wave *wave;
};

static bool add_signal(void *ctx, const char *name)
{
    const struct adding *a = ctx;

    return cli_goto_add(a->signals, a->wave, name);
}

bool cli_goto_add_expression(struct cli_goto_signals *s, const struct pc_wave *wave,
                             const char *text)
{
    struct adding a = { s, wave };

    return cli_each_signal(wave, text, add_signal, &a, NULL) != PC_ENOMEM;
}

void cli_goto_free(struct cli_goto_signals *s)
{
    free(s->var);
    *s = (struct cli_goto_signals){ NULL, 0, 0 };
}

/* --- the files --- */

/* Times of GTKWave are in the unit of the scale, without its 10 or 100. */
struct view {
    uint64_t marker, from, to;
};

static struct view view_of(const struct cli_goto_place *p, uint64_t factor)
{
    const uint64_t length = p->to > p->from ? p->to - p->from : 0;
    const uint64_t wanted = length + length / 2 > p->least ? length + length / 2 : p->least;
    const uint64_t around = (wanted - (length < wanted ? length : wanted)) / 2 + 1;
    const uint64_t from = p->from > around ? p->from - around : 0;
    const uint64_t to = p->from + length;

    return (struct view){ p->from * factor, from * factor,
                          (to > UINT64_MAX / factor - around ? to : to + around) * factor };
}

/* Returns the binary logarithm of a number of at least 1, bit by bit: libm would be loaded for
 * it. */
static double log_of(double x)
{
    double log = 0;

    for (; x >= 2; x /= 2)
        log++;
    for (double bit = 0.5; bit > 1e-7; bit /= 2) {
        x *= x;
        if (x < 2)
            continue;
        x /= 2;
        log += bit;
    }
    return log;
}

static void put_line(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

static bool get(const struct pc_wave *wave, const struct cli_goto_signals *s, size_t i,
                struct pc_wave_var *v)
{
    return i < s->count && pc_wave_get_var(wave, s->var[i], v) == PC_OK;
}

static void put_gtkw(FILE *out, const struct pc_wave *wave, const struct cli_goto_signals *s,
                     const struct cli_goto_place *p, const struct view *v, const char *path)
{
    enum { NAMED = 26, FRAME = 200, WIDTH = 1000, SIGNALS = 300 };
    const double frame = (double)(v->to - v->from) * FRAME / (WIDTH - 50);
    struct pc_wave_var var;
    unsigned form = 0;

    fprintf(out, "[*] pcounter %s\n[dumpfile] \"", pc_version());
    put_line(out, path);
    fprintf(out, "\"\n[timestart] %" PRIu64 "\n[size] %d 700\n[pos] -1 -1\n", v->from,
            WIDTH + SIGNALS + 250);
    fprintf(out, "*%.6f %" PRIu64, frame > 1 ? -log_of(frame) : 0.0, v->marker);
    for (int i = 0; i < NAMED; i++)
        fputs(" -1", out);
    fprintf(out, "\n[signals_width] %d\n[sst_expanded] 0\n@200\n-", SIGNALS);
    put_line(out, p->what);
    fputc('\n', out);
    for (size_t i = 0; get(wave, s, i, &var); i++) {
        const unsigned now = var.width > 1 ? 0x22 : 0x28; /* hexadecimal, binary */
        if (now != form)
            fprintf(out, "@%x\n", now);
        form = now;
        put_line(out, var.name);
        fprintf(out, "%s\n", var.range);
    }
    fputs("[pattern_trace] 1\n[pattern_trace] 0\n", out);
}

/* In braces Tcl takes a word as it is, but for a backslash at its end. */
static void put_tcl(FILE *out, const struct pc_wave *wave, const struct cli_goto_signals *s,
                    const struct cli_goto_place *p, const struct view *v)
{
    struct pc_wave_var var;

    fputs("# ", out);
    put_line(out, p->what);
    fputs("\ngtkwave::addSignalsFromList [list", out);
    for (size_t i = 0; get(wave, s, i, &var); i++) {
        if (strpbrk(var.name, "{}"))
            continue;
        fputs(" {", out);
        put_line(out, var.name);
        fprintf(out, "%s}", var.range);
    }
    fprintf(out, "]\ngtkwave::setMarker %" PRIu64 "\n", v->marker);
    fprintf(out, "gtkwave::setZoomRangeTimes %" PRIu64 " %" PRIu64 "\n", v->from, v->to);
}

static void put_sucl(FILE *out, const struct pc_wave *wave, const struct cli_goto_signals *s,
                     const struct view *v)
{
    struct pc_wave_var var;

    for (size_t i = 0; get(wave, s, i, &var); i++) {
        fputs("variable_add ", out);
        put_line(out, var.name);
        fputc('\n', out);
    }
    fprintf(out, "zoom_to %" PRIu64 " %" PRIu64 "\ncursor_set %" PRIu64 "\n", v->from, v->to,
            v->marker);
}

/* --- --- */

/* Writes the name of the waveform with another suffix, in the present folder. */
static void default_name(const struct cli_goto *g, const char *path, char out[CLI_PATH])
{
    static const char *const suffixes[] = { ".gz", ".vcd", ".evcd", ".fst", ".ghw" };
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t length = strlen(base);

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t n = strlen(suffixes[i]);
        if (length > n && strncmp(base + length - n, suffixes[i], n) == 0)
            length -= n;
    }
    snprintf(out, CLI_PATH, "%.*s%s", (int)length, base,
             g->viewer == CLI_SURFER ? ".sucl" : ".gtkw");
}

int cli_goto_write(const struct cli_goto *g, const char *path, const struct pc_wave *wave,
                   const struct cli_goto_signals *signals, const struct cli_goto_place *place)
{
    char name[CLI_PATH], *full = realpath(path, NULL);
    struct pc_wave_info info;
    struct cli_out out;

    pc_wave_get_info(wave, &info);
    const uint64_t factor =
        g->viewer == CLI_SURFER || info.timescale_factor == 0 ? 1 : info.timescale_factor;
    const struct view v = view_of(place, factor);
    if (g->named)
        snprintf(name, sizeof name, "%s", g->text);
    else
        default_name(g, path, name);
    int code = cli_out_open(&out, name);
    if (code == CLI_OK && g->viewer == CLI_GTKWAVE)
        put_gtkw(out.file, wave, signals, place, &v, full ? full : path);
    else if (code == CLI_OK && g->viewer == CLI_SURFER)
        put_sucl(out.file, wave, signals, &v);
    else if (code == CLI_OK)
        put_tcl(out.file, wave, signals, place, &v);
    free(full);
    if (code == CLI_OK)
        code = cli_out_commit(&out);
    if (code)
        return code;
    cli_note(540, "%s in %s: %s %s%s %s", place->what, name,
             g->viewer == CLI_SURFER ? "surfer" : "gtkwave", path,
             g->viewer == CLI_SURFER        ? " --command-file"
             : g->viewer == CLI_GTKWAVE_TCL ? " -S"
                                            : "",
             name);
    return CLI_OK;
}
