/* SPDX-License-Identifier: MIT */
/*
 * pc_compile() from text to proven registers: parse, resolve, search, proof, writes.  The goal is
 * 5 ms for any of them; refusals are searched to the end, and say what fits instead.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "pcounter/pcounter.h"

struct job {
    const char *name, *chip;
    const char *input[PC_INPUT_COUNT]; /* or, if `events`, the events */
    unsigned events;
    enum pc_status status;
    unsigned repeat;
};

static const struct job jobs[] = {
    { .name = "rise(a) & !b on G92",
      .chip = "G92",
      .input = { [PC_INPUT_EVENT] = "rise(s10) & !s11" },
      .repeat = 200 },
    { .name = "seven signals through SETFLAG",
      .chip = "NV40",
      .input = { [PC_INPUT_EVENT] = "s10 & (s11 ^ s12 ^ s13 ^ s14) & (s15 | s16)" },
      .repeat = 100 },
    { .name = "six inputs at once",
      .chip = "NV40",
      .input = { "s10 & s11", "s12 | s13", "rise(s14) & s15", "fall(s16)", "s12 ^ s13",
                 "!(s10 & s11)" },
      .repeat = 100 },
    { .name = "EVENT and STOP share a SETFLAG",
      .chip = "G92",
      .input = { [PC_INPUT_EVENT] = "s10 & (s11 ^ s12 ^ s13 ^ s14)",
                 [PC_INPUT_STOP] = "s15 | (s11 ^ s12 ^ s13 ^ s14)" },
      .repeat = 50 },
    { .name = "four events onto counters",
      .chip = "G92",
      .events = 4,
      .input = { "rise(s10) & !s11", "s10 & s12 & s13 & s14", "fall(s15)", "s16 ? s17 : s18" },
      .repeat = 50 },
    { .name = "four events, one with a chain",
      .chip = "G92",
      .events = 4,
      .input = { "s10", "s10 & (s11 ^ s12 ^ s13 ^ s14)", "fall(s15)", "rise(s16)" },
      .repeat = 10 },
    { .name = "refused: four signals one cycle late",
      .chip = "NV20",
      .input = { [PC_INPUT_EVENT] = "prev(s10) & prev(s11) & prev(s12) & prev(s13)" },
      .status = PC_EUNFIT,
      .repeat = 20 },
    { .name = "refused: majority of seven",
      .chip = "G92",
      .input = { [PC_INPUT_EVENT] = "(s10 & s11 & s12 & s13) ^ (s13 & s14 & s15 & s16) ^ (s10 & "
                                    "s16 & s12 & s14)" },
      .status = PC_EUNFIT,
      .repeat = 10 },
    { .name = "refused: seven signals on EVENT, others on STOP",
      .chip = "G92",
      .input = { [PC_INPUT_EVENT] = "s10 & s11 & s12 & (s13 ^ s14 ^ s15 ^ s16)",
                 [PC_INPUT_STOP] = "s20 & s21 & s22 & (s23 ^ s24 ^ s25 ^ s26)" },
      .status = PC_EUNFIT,
      .repeat = 3 },
    { .name = "refused: four events of five signals",
      .chip = "G92",
      .events = 4,
      .input = { "s10 & (s11 ^ s12 ^ s13 ^ s14)", "s15 & (s16 ^ s17 ^ s18 ^ s19)",
                 "s20 & (s21 ^ s22 ^ s23 ^ s24)", "s25 & (s26 ^ s27 ^ s28 ^ s29)" },
      .status = PC_EUNFIT,
      .repeat = 3 },
    { .name = "refused: two inputs that share sources",
      .chip = "G80",
      .input = { [PC_INPUT_PRE] = "s10",
                 [PC_INPUT_SETFLAG] = "s11 & s12 & s13 & s14",
                 [PC_INPUT_CLRFLAG] = "s15 & s16 & s17 & s18" },
      .status = PC_EUNFIT,
      .repeat = 20 },
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)is_signed;
    (void)ctx;
    (void)capacity;
    (void)err;
    wires[0] = (uint32_t)strtoul(name + 1, NULL, 16);
    *count = 1;
    return PC_OK;
}

static uint64_t compile(void *ctx)
{
    const struct job *job = ctx;
    struct pc_compile_request r = { .chip = pc_chip_find(job->chip) };
    struct pc_compile_event event[PC_INPUT_COUNT];
    enum pc_input_id input[PC_INPUT_COUNT];
    struct pc_expr *e[PC_INPUT_COUNT] = { NULL };
    struct pc_program program;
    struct pc_error err;
    enum pc_status status;

    r.mode = r.chip->features & PC_F_QUAD ? PC_COUNT_QUAD : PC_COUNT_SINGLE;
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        if (!job->input[i])
            continue;
        if (pc_expr_parse(NULL, job->input[i], &e[i], &err) != PC_OK ||
            pc_expr_resolve(e[i], look_up, NULL, &err) != PC_OK)
            return UINT64_MAX;
        if (job->events)
            event[i] = (struct pc_compile_event){ e[i], PC_ANY_INPUT };
        else
            r.input[i] = e[i];
    }
    if (job->events)
        status = pc_compile_events(&r, event, job->events, input, &program, &err);
    else
        status = pc_compile(&r, &program, &err);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        pc_expr_free(e[i]);
    return (uint64_t)status;
}

int main(void)
{
    struct bench_case cases[JOBS];

    bench_begin("compile", "pc_compile: from text to proven registers");
    bench_machine();
    for (unsigned i = 0; i < JOBS; i++)
        cases[i] = (struct bench_case){ .name = jobs[i].name,
                                        .run = compile,
                                        .ctx = (void *)(uintptr_t)&jobs[i],
                                        .want = (uint64_t)jobs[i].status,
                                        .units = 1,
                                        .repeat = jobs[i].repeat };
    bench_rounds(cases, JOBS);
    for (unsigned i = 0; i < JOBS; i++)
        bench_row(jobs[i].name, 1000 / bench_rate(&cases[i]), "ms", 5, true);
    return bench_end();
}
