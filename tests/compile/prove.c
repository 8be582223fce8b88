/* SPDX-License-Identifier: MIT */
/*
 * Writes proofs for others to do: FOLDER/proof.v for yosys and FOLDER/proof.smt2 for an SMT
 * solver.  Each case is a random expression, as it is meant, against the restatement of the
 * input selection (inputs.v, inputs.smt2) with the registers that the compiler found.
 *   prove FOLDER CASES [bad]   bad: in every case one bit that matters is wrong
 */
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const chips[] = { "NV10", "NV20", "NV30",  "NV40", "G80",
                                     "G84",  "G92",  "GF100", "GK104" };

struct registers {
    uint32_t src[PC_INPUT_COUNT], op[PC_INPUT_COUNT];
};

/* The words by the names of the writes: what a driver would do. */
static void take_registers(const struct pc_program *p, struct registers *r)
{
    memset(r, 0, sizeof *r);
    for (size_t w = 0; w < p->writes; w++) {
        const char *name = strrchr(p->write[w].name, '.');
        name = name ? name + 1 : p->write[w].name;
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
            size_t n = strlen(pc_input_name((enum pc_input_id)i));
            if (strncmp(name, pc_input_name((enum pc_input_id)i), n) != 0)
                continue;
            if (strncmp(name + n, "_SRC", 4) == 0)
                r->src[i] = p->write[w].value;
            if (strncmp(name + n, "_OP", 3) == 0)
                r->op[i] = p->write[w].value;
        }
    }
}

static void write_verilog(FILE *f, unsigned number, const struct pc_chip *chip,
                          const struct text *t, unsigned input, const struct registers *r)
{
    char text[TEXT_SIZE];

    text_print(t, TEXT_VERILOG, text);
    fprintf(f, "// %s %s\nwire [5:0] out_%u;\n", chip->name, pc_input_name((enum pc_input_id)input),
            number);
    fprintf(f, "pc_inputs #(%d, %d, %d) inputs_%u(now, before,\n    {",
            (chip->features & PC_F_SETFLAG_ARG) != 0, (chip->features & PC_F_ARG23_DELAY) != 0,
            chip->layout == PC_LAYOUT_GF100, number);
    for (unsigned i = PC_INPUT_COUNT; i-- > 0;)
        fprintf(f, "32'h%08" PRIx32 "%s", r->src[i], i ? ", " : "},\n    {");
    for (unsigned i = PC_INPUT_COUNT; i-- > 0;)
        fprintf(f, "32'h%08" PRIx32 "%s", r->op[i], i ? ", " : "}");
    fprintf(f, ", out_%u);\nassign differs[%u] = out_%u[%u] ^ (%s);\n", number, number, number,
            input, text);
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void write_plain(FILE *f, const struct pc_chip *chip, const char *src, uint32_t op)
{
    fprintf(f, "(plain %s %s %s #x%08" PRIx32 ")", truth(chip->features & PC_F_ARG23_DELAY),
            truth(chip->layout == PC_LAYOUT_GF100), src, op);
}

static void write_input(FILE *f, const struct pc_chip *chip, unsigned input,
                        const struct registers *r)
{
    bool borrow = !(chip->features & PC_F_OWN_FLAG_SRC);
    char src[80];

    if (borrow && input >= PC_INPUT_SETFLAG)
        snprintf(src, sizeof src, "(%s #x%08" PRIx32 " #x%08" PRIx32 ")",
                 input == PC_INPUT_SETFLAG ? "set-src" : "clr-src", r->src[PC_INPUT_PRE],
                 r->src[PC_INPUT_START]);
    else
        snprintf(src, sizeof src, "#x%08" PRIx32, r->src[input]);
    if (!cm_chains((enum pc_input_id)input)) {
        write_plain(f, chip, src, r->op[input]);
        return;
    }
    fprintf(f, "(chained %s %s %s #x%08" PRIx32 " ", truth(chip->features & PC_F_SETFLAG_ARG),
            truth(chip->features & PC_F_ARG23_DELAY), src, r->op[input]);
    write_input(f, chip, PC_INPUT_SETFLAG, r);
    fputc(')', f);
}

static void write_smt(FILE *f, const struct pc_chip *chip, const struct text *t, unsigned input,
                      const struct registers *r)
{
    char text[TEXT_SIZE];

    text_print(t, TEXT_SMT, text);
    fprintf(f, "(push)\n; %s %s\n(assert (distinct %s\n  ", chip->name,
            pc_input_name((enum pc_input_id)input), text);
    write_input(f, chip, input, r);
    fprintf(f, "))\n(check-sat)\n(pop)\n");
}

/* false: refused, or constant, so that no bit of it could be wrong. */
static bool find_registers(const struct pc_chip *chip, const struct text *t, unsigned input,
                           struct registers *r)
{
    struct pc_compile_request request = { .chip = chip,
                                          .mode = chip->features & PC_F_QUAD ? PC_COUNT_QUAD
                                                                             : PC_COUNT_SINGLE };
    struct pc_expr *e = text_parse(t);
    struct pc_program program;
    struct pc_error err;

    request.input[input] = e;
    enum pc_status status = pc_compile(&request, &program, &err);
    pc_expr_free(e);
    if (status == PC_OK)
        take_registers(&program, r);
    return status == PC_OK && (r->op[input] & 0xffff) != 0 && (r->op[input] & 0xffff) != 0xffff;
}

static void write_cases(FILE *v, FILE *smt, unsigned cases, bool bad)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(41, &seed);
    unsigned chained = 0;

    fprintf(v,
            "module proof(input wire [255:0] now, input wire [255:0] before,\n"
            "    output wire [%u:0] differs);\n",
            cases - 1);
    for (unsigned n = 0; n < cases;) {
        const struct pc_chip *chip = pc_chip_find(chips[n % (sizeof chips / sizeof chips[0])]);
        unsigned input = test_rand_below(&rng, PC_INPUT_COUNT);
        struct registers r;
        struct text t;
        text_random(&rng, 1 + test_rand_below(&rng, 9), 2 + test_rand_below(&rng, 6), &t);
        if (!find_registers(chip, &t, input, &r))
            continue;
        if (bad)
            r.op[input] ^= 0xffff;
        chained += cm_chains((enum pc_input_id)input) && (chip->features & PC_F_SETFLAG_ARG) &&
                   (r.op[input] >> 18 & 1);
        write_verilog(v, n, chip, &t, input, &r);
        write_smt(smt, chip, &t, input, &r);
        n++;
    }
    fputs("endmodule\n", v);
    printf("seed %" PRIu64 ": %u cases, %u with SETFLAG as an argument\n", seed, cases, chained);
}

static FILE *open_in(const char *folder, const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        exit(1);
    }
    return f;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: prove FOLDER CASES [bad]\n", stderr);
        return 2;
    }
    FILE *v = open_in(argv[1], "proof.v"), *smt = open_in(argv[1], "proof.smt2");
    write_cases(v, smt, (unsigned)strtoul(argv[2], NULL, 10),
                argc > 3 && strcmp(argv[3], "bad") == 0);
    return fclose(v) == 0 && fclose(smt) == 0 ? 0 : 1;
}
