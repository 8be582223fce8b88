// SPDX-License-Identifier: MIT
// Names shared by the files of this folder. Included inside a module.

// Variants in feature order (D-10); "GEN >= NV30" reads as the documents' "NV30-".
localparam integer NV10 = 0, NV15 = 1, NV20 = 2, NV30 = 3, NV40 = 4, G84 = 5, G92 = 6, GT215 = 7,
                   GF100 = 8, GK104 = 9;

// Registers of a domain.  The number is the NV40 address divided by 20h; the ones that only
// NV10:NV30 have stand in holes of that map, those of GF100- behind it.
localparam [6:0]
    R_PRE_SRC      = 7'h20, R_PRE_OP       = 7'h21, R_START_SRC    = 7'h22, R_START_OP     = 7'h23,
    R_EVENT_SRC    = 7'h24, R_EVENT_OP     = 7'h25, R_STOP_SRC     = 7'h26, R_STOP_OP      = 7'h27,
    R_SETFLAG_OP   = 7'h28, R_CLRFLAG_OP   = 7'h29, R_SRC_STATUS   = 7'h2a, R_SPEC_SRC     = 7'h2b,
    R_USER_TRIGGER = 7'h2c, R_SETFLAG_SRC  = 7'h2d, R_CLRFLAG_SRC  = 7'h2e, R_START_HI     = 7'h2f,
    R_CYCLES       = 7'h30, R_CYCLES_HI    = 7'h31, R_CYCLES_ALT   = 7'h32, R_EVENT_HI     = 7'h33,
    R_EVENT        = 7'h34, R_RECORD_HIGH  = 7'h35, R_START        = 7'h36, R_RECORD_STATE = 7'h37,
    R_PRE          = 7'h38, R_RECORD_LIMIT = 7'h39, R_STOP         = 7'h3a, R_RECORD_START = 7'h3b,
    R_THRESHOLD    = 7'h3c, R_THRESHOLD_HI = 7'h3d, R_CTRL         = 7'h3e, R_QUAD_ACK     = 7'h3f,
    R_SIG_STATUS   = 7'h40, // .. 47
    R_BEGIN        = 7'h48, R_ABORT        = 7'h49, R_STATE        = 7'h4a, R_VSTATUS      = 7'h4b,
    R_FILTER       = 7'h4c, R_UNK74        = 7'h4d, R_UNKCC        = 7'h4e, R_UNKD0        = 7'h4f,
    R_UNKD4        = 7'h50, R_UNKD8        = 7'h51, R_UNKDC        = 7'h52, R_NEXT_CYCLES  = 7'h53,
    R_NEXT_EVENT   = 7'h54, R_NEXT_START   = 7'h55, R_NEXT_PRE     = 7'h56, R_NEXT_STOP    = 7'h57,
    R_NEXT_HIGH    = 7'h58, R_NEXT_RECORD  = 7'h59, R_NEXT_RO      = 7'h5a;

// SINGLE_STATE
localparam [1:0] INACTIVE = 0, WAIT_PRE = 1, WAIT_START = 2, COUNTING = 3;
// QUAD_STATE
localparam [1:0] EMPTY = 0, VALID = 1, OVERFLOW = 3;
// MODE
localparam [1:0] SINGLE = 0, QUAD = 1, NOTHING = 3; // the last: HALTED and the like of GF100-
