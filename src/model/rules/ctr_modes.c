/* SPDX-License-Identifier: MIT */
#include "model/rules/ctr_modes.h"

#include <stddef.h>

/* Bits of PRE_SRC, START_SRC, EVENT_SRC and STOP_SRC */
#define P(i) (i)
#define S(i) (4 + (i))
#define E(i) (8 + (i))
#define T(i) (12 + (i))

/* B4, B6 and B2 of the document. */
#define B4                                                                                         \
    4,                                                                                             \
    {                                                                                              \
        S(0), S(1), S(2), S(3)                                                                     \
    }
#define B6                                                                                         \
    6,                                                                                             \
    {                                                                                              \
        S(0), S(1), S(2), S(3), E(2), E(3)                                                         \
    }
#define B2                                                                                         \
    2,                                                                                             \
    {                                                                                              \
        E(0), E(1)                                                                                 \
    }

/* A counter adds 1 in each cycle of its input. */
#define ONES(input)                                                                                \
    {                                                                                              \
        .gate = PC_GATE_##input                                                                    \
    }
#define NOTHING                                                                                    \
    {                                                                                              \
        .gate = PC_GATE_NEVER                                                                      \
    }
/* ... or a number in each of these cycles; loosely in every one. */
#define NUMBER(input, ...)                                                                         \
    {                                                                                              \
        PC_GATE_##input, false, __VA_ARGS__                                                        \
    }
#define LOOSE(input, ...)                                                                          \
    {                                                                                              \
        PC_GATE_##input, true, __VA_ARGS__                                                         \
    }

const char *const pc_ctr_mode_names[PC_CTR_NONE] = { PC_CTR_NAMES_GK104 };

/* In the order of enum pc_ctr: PRE, START, EVENT, STOP, EXTRA. */
const struct pc_ctr_mode_row pc_ctr_modes[PC_CTR_MODES] = {
    /* PC.MODE.1 */
    [PC_CTR_SIMPLE] = { PC_CTR_SINCE_NV10,
                        { ONES(PRE), ONES(START), ONES(EVENT), ONES(STOP), NOTHING } },
    /* PC.MODE.2: by B4 on every cycle when EVENT input is 1 */
    [PC_CTR_EVENT_B4] = { PC_CTR_SINCE_NV10,
                          { ONES(PRE), ONES(START), NUMBER(EVENT, B4), ONES(STOP), NOTHING } },
    /* PC.MODE.3 */
    [PC_CTR_EVENT_B6] = { PC_CTR_SINCE_NV40,
                          { ONES(PRE), ONES(START), NUMBER(EVENT, B6), ONES(STOP), NOTHING } },
    /* PC.MODE.4: CTR_EVENT as in SIMPLE */
    [PC_CTR_EXTRA_B4] = { PC_CTR_SINCE_NV40,
                          { ONES(PRE), LOOSE(START, B4), ONES(EVENT), ONES(STOP),
                            LOOSE(START, B4) } },
    /* PC.MODE.5: on every clock cycle, whatever EVENT is (D-39) */
    [PC_CTR_EXTRA_B6_EVENT_B2] = { PC_CTR_SINCE_NV40,
                                   { ONES(PRE), LOOSE(START, B6), LOOSE(EVENT, B2), ONES(STOP),
                                     LOOSE(START, B6) } },
    /* PC.GF.32 PC.GF.33 PC.GF.34: D-64, for the counters of quad mode; in single mode CTR_PRE gets
     * none of it (U-023) */
    [PC_CTR_KEPLER_5] = { PC_CTR_SINCE_GK104,
                          { NUMBER(PRE, 6, { T(1), T(2), T(3), P(1), P(2), P(3) }), NOTHING,
                            NUMBER(EVENT, 6, { E(0), E(1), E(2), E(3), S(0), S(1) }), NOTHING,
                            NOTHING } },
    [PC_CTR_KEPLER_6] = { PC_CTR_SINCE_GK104,
                          { NUMBER(PRE, 6, { P(0), P(1), P(2), P(3), S(0), S(1) }), NOTHING,
                            ONES(EVENT), ONES(STOP), NOTHING } },
    [PC_CTR_KEPLER_7] = { PC_CTR_SINCE_GK104,
                          { ONES(PRE), NOTHING, NUMBER(START, 4, { E(0), E(1), E(2), E(3) }),
                            ONES(STOP), NOTHING } },
    [PC_CTR_NONE] = { PC_CTR_SINCE_NV10, { ONES(PRE), ONES(START), NOTHING, ONES(STOP), NOTHING } },
};
