/* SPDX-License-Identifier: MIT */
/*
 * Protocols of requests and their responses.  Where nothing says which request a response belongs
 * to, there is a row for each way in which they can be paired, in the order in which these are to
 * be believed; pairing.c finds which one fits.  And handshakes that a map defines.
 */
#include "lang/bus/rows.h"

/* ---- requests and responses ---- */

enum {
    Q_VALID = 1,
    Q_READY,
    Q_ID,
    Q_ADDR,
    Q_PAYLOAD,
    Q_WE,
    Q_RVALID,
    Q_RREADY,
    Q_RID,
    Q_RDATA,
    Q_RERR,
    Q_RLAST,               /* of request-response */
    Q_OPCODE = Q_RERR + 1, /* of TileLink */
    Q_SIZE,
    Q_ROPCODE
};
#define REQUEST_ROLES                                                                              \
    { "valid", BUS_BIT, 1 }, { "ready", BUS_BIT, 0 }, { "id", BUS_NUMBER, 0 },                     \
        { "addr", BUS_PAYLOAD, 0 }, { "payload", BUS_PAYLOAD, 0 }, { "we", BUS_BIT, 0 },           \
        { "rvalid", BUS_BIT, 1 }, { "rready", BUS_BIT, 0 }, { "rid", BUS_NUMBER, 0 },              \
        { "rdata", BUS_PAYLOAD, 0 },                                                               \
    {                                                                                              \
        "rerr", BUS_CODE, 0                                                                        \
    }
#define NO_MORE                                                                                    \
    {                                                                                              \
        NULL, BUS_NO_ROLE, 0                                                                       \
    }
static const struct bus_role obi_roles[] = { REQUEST_ROLES, NO_MORE };
static const struct bus_role request_roles[] = { REQUEST_ROLES, { "rlast", BUS_BIT, 0 }, NO_MORE };
static const struct bus_role tilelink_roles[] = { REQUEST_ROLES,
                                                  { "opcode", BUS_CODE, 0 },
                                                  { "size", BUS_CODE, 0 },
                                                  { "ropcode", BUS_CODE, 0 },
                                                  NO_MORE };
enum { Q_WRITES = 4, Q_LAST }; /* wires, after those of the channels */

/* Which requests have a response (zeros), and what that needs roles for. */
#define PAIRS(how_, zeros_, need0, need1, ...)                                                     \
    {                                                                                              \
        .name = "transactions", .how = (how_), .there = { need0, need1 },                          \
        .start = { BUS_WHEN, 0, STATE(BEAT), 0, (zeros_) }, .start_id = Q_ID, .end_id = Q_RID,     \
        .response = Q_RERR, .errors = ~BIT(0), .write = Q_WE, __VA_ARGS__                          \
    }
#define ONE     .flags = BUS_PAIRED, .end = BEAT_OF(1)
#define MANY(n) .flags = BUS_PAIRED, .answers = (n), .data = BEAT_OF(1), .end = { .is = BUS_BY_LEN }
#define UP_TO_LAST                                                                                 \
    .flags = BUS_PAIRED | BUS_BEATS, .data = BEAT_OF(1),                                           \
    .end = { BUS_WHEN, 1, STATE(BEAT), BIT(Q_LAST), 0 }
#define BY_SIZE                                                                                    \
    .flags = BUS_PAIRED | BUS_BEATS | BUS_SIZED, .data = BEAT_OF(1), .end = { .is = BUS_BY_LEN },  \
    .opcode = Q_OPCODE, .size = Q_SIZE, .ropcode = Q_ROPCODE, .word = Q_RDATA
#define READS BIT(Q_WRITES)

#define FOUR_MANY(how_, zeros_, need)                                                              \
    PAIRS(how_ "2 responses to each", zeros_, need, 0, MANY(2)),                                   \
        PAIRS(how_ "4 responses to each", zeros_, need, 0, MANY(4)),                               \
        PAIRS(how_ "8 responses to each", zeros_, need, 0, MANY(8)),                               \
        PAIRS(how_ "16 responses to each", zeros_, need, 0, MANY(16))

#define REQUEST(name_, roles_)                                                                     \
    .name = (name_), .role = (roles_), .wires = 6,                                                 \
    .wire = { AXI_PAIR(Q_VALID, Q_READY), AXI_PAIR(Q_RVALID, Q_RREADY), ROLE(Q_WE),                \
              ROLE(Q_RLAST) },                                                                     \
    .channels = 2,                                                                                 \
    .channel = { AXI_CHANNEL(0, "req", Q_VALID, Q_ADDR, Q_ID, Q_PAYLOAD),                          \
                 AXI_CHANNEL(1, "resp", Q_RVALID, Q_RDATA, Q_RID) }

/* ---- handshakes of a map ---- */

enum { H_BEAT = 1, H_STALL, H_STARVE, H_LAST, H_START, H_END, H_ABORT, H_ERROR, H_ID, H_RID };
static const struct bus_role handshake_roles[] = {
    { "beat", BUS_BIT, 1 },
    { "stall", BUS_BIT, 0 },
    { "starve", BUS_BIT, 0 },
    { "last", BUS_BIT, 0 },
    { "start", BUS_BIT, 0 },
    { "end", BUS_BIT, 0 },
    { "abort", BUS_BIT, 0 },
    { "error", BUS_BIT, 0 },
    { "id", BUS_NUMBER, 0 },
    { "rid", BUS_NUMBER, 0 },
    NO_MORE,
};
enum { HW_BEAT, HW_STALL, HW_STARVE, HW_START, HW_END, HW_ABORT };

/* ---- all of them ---- */

const struct pc_bus_protocol pc_bus_requests[] = {
    { REQUEST("obi", obi_roles), .transfers = 1, .transfer = { PAIRS(NULL, 0, 0, 0, ONE) } },
    { REQUEST("tilelink", tilelink_roles), .transfers = 6,
      .transfer = { PAIRS("up to the last response by size and opcode", 0, Q_SIZE, Q_RDATA,
                          BY_SIZE),
                    PAIRS(NULL, 0, 0, 0, ONE), FOUR_MANY("", 0, 0) } },
    { REQUEST("request-response", request_roles), .transfers = 12,
      .transfer = { PAIRS("reads alone, up to the last response", READS, Q_WE, Q_RLAST, UP_TO_LAST),
                    PAIRS("up to the last response", 0, Q_RLAST, 0, UP_TO_LAST),
                    PAIRS("reads alone (writes have no response)", READS, Q_WE, 0, ONE),
                    PAIRS(NULL, 0, 0, 0, ONE), FOUR_MANY("reads alone, ", READS, Q_WE),
                    FOUR_MANY("", 0, 0) } },
    { .name = "handshake",
      .role = handshake_roles,
      .wires = 6,
      .wire = { ROLE(H_BEAT), ROLE(H_STALL), ROLE(H_STARVE), ROLE(H_START), ROLE(H_END),
                ROLE(H_ABORT) },
      .channels = 1,
      .channel = { { .name = "",
                     .flags = BUS_RUNS | BUS_PAUSES | BUS_WAITING,
                     .there = H_BEAT,
                     .states = 4,
                     .state = { { PC_BUS_BEAT, BIT(HW_BEAT), 0 },
                                { PC_BUS_STALL, BIT(HW_STALL), BIT(HW_BEAT) },
                                { PC_BUS_STARVE, BIT(HW_STARVE), BIT(HW_BEAT) | BIT(HW_STALL) },
                                { PC_BUS_IDLE, 0, BIT(HW_BEAT) | BIT(HW_STALL) | BIT(HW_STARVE) } },
                     .last = H_LAST } },
      .transfers = 1,
      .transfer = { { .name = "transactions",
                      .there = { H_START, H_END },
                      .start = { .is = BUS_WHEN, .ones = BIT(HW_START) },
                      .end = { .is = BUS_WHEN, .ones = BIT(HW_END) },
                      .abort = { .is = BUS_WHEN, .ones = BIT(HW_ABORT) },
                      .start_id = H_ID,
                      .end_id = H_RID,
                      .response = H_ERROR,
                      .errors = BIT(1) } } },
};
const size_t pc_bus_request_count = sizeof pc_bus_requests / sizeof *pc_bus_requests;
