/* SPDX-License-Identifier: MIT */
/*
 * The protocols.  Sources: AMBA AXI (IHI 0022), AXI-Stream (IHI 0051), AHB (IHI 0033), APB
 * (IHI 0024); Wishbone B4; OBI 1.x; TileLink 1.8; Avalon interface specifications.
 */
#include "lang/bus/rows.h"

/* ---- pairs and streams ---- */

enum { S_VALID = 1, S_READY, S_DATA, S_KEEP, S_LAST, S_ID, S_DEST, S_USER, S_PAYLOAD };
static const struct bus_role stream_roles[] = {
    { "valid", BUS_BIT, 1 },    { "ready", BUS_BIT, 0 },    { "data", BUS_PAYLOAD, 0 },
    { "keep", BUS_STROBE, 0 },  { "last", BUS_BIT, 0 },     { "id", BUS_PAYLOAD, 0 },
    { "dest", BUS_PAYLOAD, 0 }, { "user", BUS_PAYLOAD, 0 }, { "payload", BUS_PAYLOAD, 0 },
    { NULL, BUS_NO_ROLE, 0 },
};
#define STREAM(name_)                                                                              \
    {                                                                                              \
        .name = (name_), .role = stream_roles, .wires = 2,                                         \
        .wire = { ROLE(S_VALID), { .role = { S_READY }, .absent = true } }, .channels = 1,         \
        .channel = {                                                                               \
            { .name = "",                                                                          \
              .flags = PAIR | BUS_WAITING,                                                         \
              .there = S_VALID,                                                                    \
              VALID_READY(0, 1),                                                                   \
              .payload = { S_DATA, S_KEEP, S_LAST, S_ID, S_DEST, S_USER, S_PAYLOAD },              \
              .strobe = S_KEEP,                                                                    \
              .data = S_DATA,                                                                      \
              .last = S_LAST },                                                                    \
        },                                                                                         \
    }

/* ---- AXI ---- */

enum {
    ARID = 1,
    ARADDR,
    ARLEN,
    ARVALID,
    ARREADY,
    RID,
    RDATA,
    RRESP,
    RLAST,
    RVALID,
    RREADY,
    AWID,
    AWADDR,
    AWLEN,
    AWVALID,
    AWREADY,
    WDATA,
    WSTRB,
    WLAST,
    WVALID,
    WREADY,
    BID,
    BRESP,
    BVALID,
    BREADY
};
#define AXI_ROLES(last)                                                                            \
    { "arid", BUS_NUMBER, 0 }, { "araddr", BUS_PAYLOAD, 0 }, { "arlen", BUS_NUMBER, 0 },           \
        { "arvalid", BUS_BIT, 1 }, { "arready", BUS_BIT, 0 }, { "rid", BUS_NUMBER, 0 },            \
        { "rdata", BUS_PAYLOAD, 0 }, { "rresp", BUS_CODE, 0 }, { "rlast", BUS_BIT, 1 * (last) },   \
        { "rvalid", BUS_BIT, 1 }, { "rready", BUS_BIT, 0 }, { "awid", BUS_NUMBER, 0 },             \
        { "awaddr", BUS_PAYLOAD, 0 }, { "awlen", BUS_NUMBER, 0 }, { "awvalid", BUS_BIT, 2 },       \
        { "awready", BUS_BIT, 0 }, { "wdata", BUS_PAYLOAD, 0 }, { "wstrb", BUS_STROBE, 0 },        \
        { "wlast", BUS_BIT, 2 * (last) }, { "wvalid", BUS_BIT, 2 }, { "wready", BUS_BIT, 0 },      \
        { "bid", BUS_NUMBER, 0 }, { "bresp", BUS_CODE, 0 }, { "bvalid", BUS_BIT, 2 },              \
        { "bready", BUS_BIT, 0 },                                                                  \
    {                                                                                              \
        NULL, BUS_NO_ROLE, 0                                                                       \
    }
static const struct bus_role axi_roles[] = { AXI_ROLES(1) }, lite_roles[] = { AXI_ROLES(0) };

/* Wires: a valid and a ready of each channel, then the ends of bursts. */
enum { AXI_AR, AXI_R, AXI_AW, AXI_W, AXI_B, AXI_RLAST = 10, AXI_WLAST };
#define AXI(name_, roles_)                                                                         \
    {                                                                                              \
        .name = (name_), .role = (roles_), .wires = 12,                                            \
        .wire = { AXI_PAIR(ARVALID, ARREADY),                                                      \
                  AXI_PAIR(RVALID, RREADY),                                                        \
                  AXI_PAIR(AWVALID, AWREADY),                                                      \
                  AXI_PAIR(WVALID, WREADY),                                                        \
                  AXI_PAIR(BVALID, BREADY),                                                        \
                  { .role = { RLAST }, .absent = true },                                           \
                  { .role = { WLAST }, .absent = true } },                                         \
        .channels = 5,                                                                             \
        .channel = { AXI_CHANNEL(0, "ar", ARVALID, ARADDR, ARID, ARLEN),                           \
                     AXI_CHANNEL(1, "r", RVALID, RDATA, RID, RRESP, RLAST),                        \
                     AXI_CHANNEL(2, "aw", AWVALID, AWADDR, AWID, AWLEN),                           \
                     AXI_CHANNEL(3, "w", WVALID, WDATA, WSTRB, WLAST),                             \
                     AXI_CHANNEL(4, "b", BVALID, BID, BRESP) },                                    \
        .transfers = 2,                                                                            \
        .transfer = {                                                                              \
            { .name = "read",                                                                      \
              .flags = BUS_DELAY | BUS_BEATS | BUS_ERRORS_LAST | BUS_CODES,                        \
              .there = { ARVALID, RVALID },                                                        \
              .start = BEAT_OF(AXI_AR),                                                            \
              .data = BEAT_OF(AXI_R),                                                              \
              .end = { BUS_WHEN, AXI_R, STATE(BEAT), BIT(AXI_RLAST), 0 },                          \
              .start_id = ARID,                                                                    \
              .end_id = RID,                                                                       \
              .len = ARLEN,                                                                        \
              .len_plus = 1,                                                                       \
              .response = RRESP,                                                                   \
              .errors = BIT(2) | BIT(3),                                                           \
              .width = RDATA },                                                                    \
            { .name = "write",                                                                     \
              .flags = BUS_DELAY | BUS_BEATS | BUS_OWNED | BUS_CODES,                              \
              .there = { AWVALID, BVALID },                                                        \
              .start = BEAT_OF(AXI_AW),                                                            \
              .data = BEAT_OF(AXI_W),                                                              \
              .last = { BUS_WHEN, AXI_W, STATE(BEAT), BIT(AXI_WLAST), 0 },                         \
              .end = BEAT_OF(AXI_B),                                                               \
              .start_id = AWID,                                                                    \
              .end_id = BID,                                                                       \
              .len = AWLEN,                                                                        \
              .len_plus = 1,                                                                       \
              .response = BRESP,                                                                   \
              .errors = BIT(2) | BIT(3),                                                           \
              .strobe = WSTRB,                                                                     \
              .width = WDATA },                                                                    \
        },                                                                                         \
    }

/* ---- AHB, APB ---- */

enum { HTRANS = 1, HREADY, HSEL, HRESP, HWRITE };
static const struct bus_role ahb_roles[] = {
    { "htrans", BUS_CODE, 1 },  { "hready", BUS_BIT, 1 },  { "hsel", BUS_BIT, 0 },
    { "hresp", BUS_CODE, 0 },   { "hwrite", BUS_BIT, 0 },  { "hsize", BUS_NAMED, 0 },
    { "hburst", BUS_NAMED, 0 }, { "haddr", BUS_NAMED, 0 }, { NULL, BUS_NO_ROLE, 0 },
};
enum { AHB_READY, AHB_TRANSFER, AHB_SEQ, AHB_SELECTED };

enum { PSEL = 1, PENABLE, PREADY, PSLVERR, PWRITE };
static const struct bus_role apb_roles[] = {
    { "psel", BUS_BIT, 1 },     { "penable", BUS_BIT, 1 },  { "pready", BUS_BIT, 0 },
    { "pslverr", BUS_BIT, 0 },  { "pwrite", BUS_BIT, 0 },   { "paddr", BUS_NAMED, 0 },
    { "pwdata", BUS_NAMED, 0 }, { "prdata", BUS_NAMED, 0 }, { NULL, BUS_NO_ROLE, 0 },
};
enum { APB_SEL, APB_ENABLE, APB_READY };

/* ---- Wishbone ---- */

enum { CYC = 1, STB, ACK, ERR, RTY, WE, W_STALL, ADR, SEL };
static const struct bus_role classic_roles[] = {
    { "cyc", BUS_BIT, 0 },     { "stb", BUS_BIT, 1 },   { "ack", BUS_BIT, 1 },
    { "err", BUS_BIT, 0 },     { "rty", BUS_BIT, 0 },   { "we", BUS_BIT, 0 },
    { "stall", BUS_NAMED, 0 }, { "adr", BUS_NAMED, 0 }, { "sel", BUS_NAMED, 0 },
    { NULL, BUS_NO_ROLE, 0 },
};
static const struct bus_role pipelined_roles[] = {
    { "cyc", BUS_BIT, 0 },    { "stb", BUS_BIT, 1 },     { "ack", BUS_BIT, 1 },
    { "err", BUS_BIT, 0 },    { "rty", BUS_BIT, 0 },     { "we", BUS_BIT, 0 },
    { "stall", BUS_BIT, 0 },  { "adr", BUS_PAYLOAD, 0 }, { "sel", BUS_PAYLOAD, 0 },
    { NULL, BUS_NO_ROLE, 0 },
};
enum { WB_CYC, WB_STB, WB_DONE, WB_STROBE, WB_RTY, WB_READY };
#define WB_WIRES ROLE(STB), { .how = BUS_ANY, .role = { ACK, ERR, RTY } }, ROLE(CYC, STB), ROLE(RTY)

/* ---- Avalon ---- */

enum {
    A_READ = 1,
    A_WRITE,
    A_ADDRESS,
    A_BURSTCOUNT,
    A_BYTEENABLE,
    A_WAIT,
    A_DATAVALID,
    A_RESPONSE
};
static const struct bus_role avalon_roles[] = {
    { "read", BUS_BIT, 1 },           { "write", BUS_BIT, 2 },
    { "address", BUS_PAYLOAD, 0 },    { "burstcount", BUS_NUMBER, 0 },
    { "byteenable", BUS_PAYLOAD, 0 }, { "waitrequest", BUS_BIT, 0 },
    { "readdatavalid", BUS_BIT, 1 },  { "response", BUS_CODE, 0 },
    { NULL, BUS_NO_ROLE, 0 },
};
enum { AVM_COMMAND, AVM_READY, AVM_READ, AVM_WRITE, AVM_DATA };

/* ---- credits ---- */

enum { C_VALID = 1, C_CREDIT };
static const struct bus_role credit_roles[] = {
    { "valid", BUS_BIT, 1 },
    { "credit", BUS_NUMBER, 1 },
    { NULL, BUS_NO_ROLE, 0 },
};

/* ---- all of them ---- */

const struct pc_bus_protocol pc_bus_rules[] = {
    STREAM("valid-ready"),
    STREAM("valid"),
    AXI("axi4", axi_roles),
    AXI("axi4-lite", lite_roles),
    STREAM("axi-stream"),
    { .name = "ahb",
      .role = ahb_roles,
      .wires = 4,
      .wire = { ROLE(HREADY),
                { .role = { HTRANS }, .bit = 1 },
                { .role = { HTRANS } },
                { .role = { HSEL }, .absent = true } },
      .channels = 1,
      .channel = { {
          .name = "",
          .flags = BUS_BURSTS,
          .there = HTRANS,
          .states = 5,
          .state = { { PC_BUS_STALL, 0, BIT(AHB_READY) },
                     { PC_BUS_BEAT, BIT(AHB_READY) | BIT(AHB_SELECTED) | BIT(AHB_TRANSFER), 0 },
                     { PC_BUS_STARVE, BIT(AHB_READY) | BIT(AHB_SELECTED) | BIT(AHB_SEQ),
                       BIT(AHB_TRANSFER) },
                     { PC_BUS_IDLE, BIT(AHB_READY), BIT(AHB_SELECTED) },
                     { PC_BUS_IDLE, BIT(AHB_READY) | BIT(AHB_SELECTED),
                       BIT(AHB_TRANSFER) | BIT(AHB_SEQ) } },
          .burst = HTRANS,
      } },
      .transfers = 1,
      .transfer = { { .name = "transactions",
                      .flags = BUS_WAITS,
                      .start = BEAT_OF(0),
                      .end = { .is = BUS_IF_SOME, .ones = BIT(AHB_READY) },
                      .response = HRESP,
                      .errors = BIT(1),
                      .write = HWRITE } } },
    { .name = "apb",
      .role = apb_roles,
      .wires = 3,
      .wire = { ROLE(PSEL), ROLE(PENABLE), { .role = { PREADY }, .absent = true } },
      .channels = 1,
      .channel = { { .name = "",
                     .there = PSEL,
                     .states = 4,
                     .state = { { PC_BUS_IDLE, 0, BIT(APB_SEL) },
                                { PC_BUS_SETUP, BIT(APB_SEL), BIT(APB_ENABLE) },
                                { PC_BUS_STALL, BIT(APB_SEL) | BIT(APB_ENABLE), BIT(APB_READY) },
                                { PC_BUS_BEAT, BIT(APB_SEL) | BIT(APB_ENABLE) | BIT(APB_READY),
                                  0 } } } },
      .transfers = 1,
      .transfer = { { .name = "transactions",
                      .flags = BUS_DROPPED,
                      .start = { .is = BUS_IF_NONE, .states = STATE(SETUP) },
                      .end = BEAT_OF(0),
                      .abort = { .is = BUS_WHEN, .states = STATE(IDLE) },
                      .response = PSLVERR,
                      .errors = BIT(1),
                      .write = PWRITE } } },
    { .name = "wishbone",
      .role = classic_roles,
      .wires = 5,
      .wire = { { .role = { CYC }, .otherwise = STB }, WB_WIRES },
      .channels = 1,
      .channel = { { .name = "",
                     .flags = BUS_DROPS,
                     .valid = WB_STROBE,
                     .there = STB,
                     .states = 4,
                     .state = { { PC_BUS_IDLE, 0, BIT(WB_CYC) },
                                { PC_BUS_STARVE, BIT(WB_CYC), BIT(WB_STB) },
                                { PC_BUS_STALL, BIT(WB_CYC) | BIT(WB_STB), BIT(WB_DONE) },
                                { PC_BUS_BEAT, BIT(WB_CYC) | BIT(WB_STB) | BIT(WB_DONE), 0 } } } },
      .transfers = 1,
      .transfer = { { .name = "transactions",
                      .flags = BUS_RETRIES,
                      .start = { .is = BUS_IF_NONE, .states = STATE(STALL) | STATE(BEAT) },
                      .end = BEAT_OF(0),
                      .abort = { .is = BUS_WHEN, .states = STATE(STARVE) | STATE(IDLE) },
                      .response = ERR,
                      .errors = BIT(1),
                      .retry = WB_RTY + 1,
                      .write = WE } } },
    { .name = "wishbone-pipelined",
      .role = pipelined_roles,
      .wires = 6,
      .wire = { { .role = { CYC }, .absent = true },
                WB_WIRES,
                { .role = { W_STALL }, .inverted = true, .absent = true } },
      .channels = 1,
      .channel = { { .name = "",
                     .flags = PAIR,
                     .there = STB,
                     VALID_READY(WB_STROBE, WB_READY),
                     .payload = { ADR, WE, SEL } } },
      .transfers = 1,
      .transfer = { { .name = "transactions",
                      .flags = BUS_RETRIES,
                      .start = BEAT_OF(0),
                      .end = { .is = BUS_WHEN, .ones = BIT(WB_DONE) | BIT(WB_CYC) },
                      .abort = { .is = BUS_WHEN, .zeros = BIT(WB_CYC) },
                      .response = ERR,
                      .errors = BIT(1),
                      .retry = WB_RTY + 1,
                      .write = WE } } },
    /* Bridges that strobe for a cycle and wait for the answer: CYC may be down by then. */
    { .name = "wishbone-single",
      .role = classic_roles,
      .wires = 6,
      .wire = { { .role = { CYC }, .absent = true }, WB_WIRES, { .absent = true } },
      .channels = 1,
      .channel = { { .name = "",
                     .flags = BUS_RUNS | BUS_PAUSES,
                     .there = STB,
                     VALID_READY(WB_STROBE, WB_READY) } },
      .transfers = 1,
      .transfer = { { .name = "transactions",
                      .flags = BUS_RETRIES,
                      .start = BEAT_OF(0),
                      .end = { .is = BUS_WHEN, .ones = BIT(WB_DONE) },
                      .response = ERR,
                      .errors = BIT(1),
                      .retry = WB_RTY + 1,
                      .write = WE } } },
    { .name = "avalon",
      .role = avalon_roles,
      .wires = 5,
      .wire = { { .how = BUS_ANY, .role = { A_READ, A_WRITE } },
                { .role = { A_WAIT }, .inverted = true, .absent = true },
                ROLE(A_READ),
                ROLE(A_WRITE),
                ROLE(A_DATAVALID) },
      .channels = 1,
      .channel = { { .name = "",
                     .flags = PAIR,
                     VALID_READY(AVM_COMMAND, AVM_READY),
                     .payload = { A_ADDRESS, A_READ, A_WRITE, A_BURSTCOUNT, A_BYTEENABLE } } },
      .transfers = 1,
      .transfer = { { .name = "read",
                      .flags = BUS_LEN_OF_ENDED | BUS_BOTH_BEATS,
                      .there = { A_READ, A_DATAVALID },
                      .start = { BUS_WHEN, 0, STATE(BEAT), BIT(AVM_READ), 0 },
                      .data = { .is = BUS_WHEN, .ones = BIT(AVM_DATA) },
                      .end = { .is = BUS_BY_LEN },
                      .len = A_BURSTCOUNT,
                      .response = A_RESPONSE,
                      .errors = BIT(2) | BIT(3),
                      .writes = { BUS_WHEN, 0, STATE(BEAT), BIT(AVM_WRITE), 0 } } } },
    { .name = "credit",
      .role = credit_roles,
      .wires = 1,
      .wire = { ROLE(C_VALID) },
      .channels = 1,
      .channel = { { .name = "",
                     .flags = BUS_RUNS | BUS_CREDIT,
                     .there = C_VALID,
                     .credit = C_CREDIT } } },
};
const size_t pc_bus_rule_count = sizeof pc_bus_rules / sizeof *pc_bus_rules;
