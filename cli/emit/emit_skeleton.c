/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit core --wave FILE --scope SCOPE: what a description of that scope begins with: its
 * clock, its reset and its registers, by what they do in the waveform (emit_behaviour.c), which is
 * said beside each; rules are not guessed.
 */
#include "emit.h"
#include "emit_behaviour.h"

#include <inttypes.h>

static void put_clock(const struct emit_behaviour *b, FILE *file)
{
    const struct emit_signal *c = b->clock;

    if (!c) {
        fputs("clock: CLOCK                     # none was found: no signal of one bit is called "
              "like one and rises\n",
              file);
    } else {
        fputs("clock: ", file);
        cli_yaml_string(file, c->name);
        fprintf(file,
                "                       # the clock of the counters, which may be gated: it rises "
                "%" PRIu64 " times, and %" PRIu64 " changes of registers are at it\n",
                c->rises, b->changes_at_clock);
    }
}

static void put_reset(const struct emit_behaviour *b, FILE *file)
{
    const struct emit_signal *r = b->reset;

    if (!r) {
        fputs("# reset: \"!rst_n\"               # no signal of one bit is called like a reset\n",
              file);
        return;
    }
    fputs(b->reset_low ? "reset: \"!" : "reset: \"", file);
    cli_json_inside(file, r->name);
    fputc('"', file);
    if (r->changes == 0)
        fputs("                 # it never changes here: that is what its name says\n", file);
    else
        fprintf(file, "                 # %d at %" PRIu64 " of %" PRIu64 " edges of the clock\n",
                !b->reset_low, b->edges_in_reset, b->edges);
}

static void put_register(const struct emit_signal *s, FILE *file)
{
    fputs("  - name: ", file);
    cli_json_string(file, s->name);
    fprintf(file, "\n    width: %" PRIu32 "\n", s->width);
    if (s->has_reset)
        fprintf(file, "    reset: 0x%" PRIx64 "                     # as at the edges in reset\n",
                s->reset);
    else
        fputs("    reset: 0                       # is it?\n", file);
    fprintf(file,
            "    rules: []                      # open: what does it count, who writes it?%s\n",
            s->changes == 0 ? " It never moves here" : "");
}

int emit_skeleton(const struct emit_request *r, FILE *file)
{
    struct emit_behaviour b;
    bool any = false;
    int code = emit_behaviour_find(&b, r);

    if (code == CLI_OK) {
        fputs("pcounter-core: 1\nname: ", file);
        cli_yaml_string(file, r->scope);
        fputs("\nabout: \"begun from a waveform: its rules are open\"\nscope: ", file);
        cli_json_string(file, r->scope);
        fputc('\n', file);
        put_clock(&b, file);
        put_reset(&b, file);
        fputs("\nregisters:\n", file);
        for (size_t i = 0; i < b.signals; i++)
            if (b.signal[i].is_register) {
                put_register(&b.signal[i], file);
                any = true;
            }
        if (!any)
            fputs(
                "  []                             # nothing that is called like a counter changes "
                "at the clock alone\n",
                file);
    }
    emit_behaviour_drop(&b);
    return code;
}
