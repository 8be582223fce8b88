/* SPDX-License-Identifier: MIT */
/*
 * From a request to registers, each expression on the input that it names: what is wanted (want.c),
 * a solution (solve.c), its proof (verify.c), the program (program.c).
 */
#include "lang/compile/compile.h"

enum pc_status cm_finish(const struct pc_compile_request *r, const struct cm_want *want,
                         const struct cm_found *found, struct pc_program *out, struct pc_error *err)
{
    struct pc_program program = { .ctrl = 0 };
    unsigned cone;

    if (!cm_verify(want, found, &cone))
        return pc_fail(err, 348, "the program found does not compute what was asked for");
    enum pc_status status = cm_program(r, want, found, &program, err);
    if (status)
        return status;
    program.cone_bits = cone;
    *out = program;
    return PC_OK;
}

enum pc_status pc_compile(const struct pc_compile_request *r, struct pc_program *out,
                          struct pc_error *err)
{
    struct cm_want want;
    struct cm_found found;
    struct pc_chip of_set;
    bool small;
    enum pc_status status = cm_want_of(r, &of_set, &want, &small, err);

    if (status)
        return status;
    if (!small || cm_event_loops(&want) || !cm_solve(&want, &found))
        return cm_refuse(r, &want, err);
    return cm_finish(r, &want, &found, out, err);
}
