// SPDX-License-Identifier: MIT
// The types that the ports of perf_counters have in CVA6, with the members it looks at and
// no others.
package ariane_pkg;
    typedef enum logic [3:0] {
        NONE, LOAD, STORE, ALU, CTRL_FLOW, MULT, CSR, FPU, FPU_VEC, CVXIF, ACCEL, AES
    } fu_t;

    typedef enum logic [1:0] {ADD, JALR, OTHER_OP} fu_op;

    typedef struct packed {
        fu_t        fu;
        fu_op       op;
        logic [5:0] rd;  // with room for FP registers
    } scoreboard_entry_t;

    typedef struct packed {logic valid;} exception_t;
    typedef struct packed {logic valid, is_mispredict;} bp_resolve_t;
    typedef struct packed {logic req;} icache_dreq_t;
    typedef struct packed {logic data_req;} dcache_req_i_t;
endpackage
