/* SPDX-License-Identifier: MIT */
/* Scopes that are a half of a bus, by their names, and what both halves are called. */
#include "test.h"

#include <string.h>

#include "lang/bus/find.h"

static const struct {
    const char *name, *whole; /* NULL: it is no half */
    enum side direction;
} halves[] = {
    /* the last word says it */
    { "tb.slv_req.", "tb.slv", NO_SIDE },
    { "tb.slv_resp.", "tb.slv", NO_SIDE },
    { "axi_m2s.", "axi", NO_SIDE },
    { "axi_s2m.", "axi", NO_SIDE },
    { "tb.bus_req_i.", "tb.bus", IN },
    { "tb.bus_rsp_o.", "tb.bus", OUT },
    { "bus_in.", "bus", IN },
    /* two words, of the mixed cases of VHDL */
    { "axilReadMaster.", "axil", NO_SIDE },
    { "axilWriteSlave.", "axil", NO_SIDE },
    { "axiMaster.", "axi", NO_SIDE },
    /* a last letter, as GRLIB has it */
    { "ahbi.", "ahb", NO_SIDE },
    { "ahbo.", "ahb", NO_SIDE },
    { "ahbmi.", "ahbm", NO_SIDE },
    { "ahbso.", "ahbs", NO_SIDE },
    { "apbi.", "apb", NO_SIDE },
    { "axio.", "axi", NO_SIDE },
    { "tb.aximo.", "tb.axim", NO_SIDE },
    { "ahbxo.", NULL, NO_SIDE },
    { "ahbmso.", NULL, NO_SIDE },
    { "ahb.", NULL, NO_SIDE },
    { "abi.", NULL, NO_SIDE },
    /* from one to the other */
    { "tb.h2f.", "tb.f2h", NO_SIDE },
    { "tb.f2h.", "tb.f2h", NO_SIDE },
    { "tb.f2f.", NULL, NO_SIDE },
    /* elements of an array */
    { "tb.slv_req[1].", "tb.slv[1]", NO_SIDE },
    /* no half */
    { "tb.fifo.", NULL, NO_SIDE },
    { "i.", NULL, NO_SIDE },
};

static void names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        char out[40] = "";
        enum side direction = NO_SIDE;
        const char *name = halves[i].name, *whole = halves[i].whole;
        const bool is = pc_bus_whole_of(name, strlen(name), out, sizeof out, &direction);
        if (is != (whole != NULL) || (whole && strcmp(out, whole) != 0) ||
            (whole && direction != halves[i].direction))
            fail_msg("%s: %s, direction %d", name, is ? out : "no half", direction);
    }
}

/* Verifies that a name is refused that has no room. */
static void room(void **state)
{
    char out[5];
    enum side direction;

    (void)state;
    assert_true(pc_bus_whole_of("abc_req.", 8, out, 4 + 1, &direction));
    assert_string_equal(out, "abc");
    assert_false(pc_bus_whole_of("abc_req.", 8, out, 4, &direction));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
