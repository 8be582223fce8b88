/* SPDX-License-Identifier: MIT */
/* --goto: the first difference, for a viewer. */
#include "check.h"

#include "wave/goto.h"

int check_goto_options(const struct check_options *o, size_t files)
{
    if (!o->go.text)
        return CLI_OK;
    if (!o->core && !o->description)
        return cli_usage("check", "--goto is about waveforms: --core NAME");
    return files > 1 ? cli_usage("check", "--goto is for one waveform; here are %zu", files)
                     : CLI_OK;
}

int check_goto_wave(const struct check_options *o, const char *path, const struct pc_wave *wave)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    return cli_goto_check(&o->go, "check", path, &info);
}

int check_goto(const struct check_options *o, const char *path, const struct check_place *p)
{
    struct cli_goto_signals signals = { NULL, 0, 0 };
    char what[200];
    bool memory = true;

    if (!o->go.text)
        return CLI_OK;
    if (!p->name) {
        cli_note(541, "%s: no difference with a known time, so no file is written for --goto",
                 path);
        return CLI_OK;
    }
    if (p->clock)
        memory = cli_goto_add_var(&signals, p->clock->var);
    for (size_t i = 0; i < p->bits; i++)
        memory &= (i > 0 && p->bit[i].var == p->bit[i - 1].var) ||
                  cli_goto_add_var(&signals, p->bit[i].var);
    snprintf(what, sizeof what, "the first difference, of %.150s", p->name);
    const struct cli_goto_place place = {
        .what = what,
        .from = p->time,
        .to = p->time,
        .least = p->edge ? 40 * (p->time / p->edge) : 0,
    };
    const int code =
        memory ? cli_goto_write(&o->go, path, p->wave, &signals, &place) : cli_no_memory();
    cli_goto_free(&signals);
    return code;
}
