/* SPDX-License-Identifier: MIT */
/* The words that protocols have for their signals, as public RTL spells them. */
#include "lang/bus/find.h"

/* Glued to their channel, "arvalid"; or two words, "ar_valid". */
#define AXI_ASKS(ch)                                                                               \
    { ch "valid", FAMILY_AXI, ch "valid", BUS_FORWARD, 0, false },                                 \
        { ch "ready", FAMILY_AXI, ch "ready", BUS_BACKWARD, 0, false },                            \
        { ch "id", FAMILY_AXI, ch "id", BUS_FORWARD, 0, false },                                   \
        { ch "addr", FAMILY_AXI, ch "addr", BUS_FORWARD, 0, false },                               \
    {                                                                                              \
        ch "len", FAMILY_AXI, ch "len", BUS_FORWARD, 0, false                                      \
    }
#define W(text_, family, role, flow)                                                               \
    {                                                                                              \
        text_, FAMILY_##family, role, flow, 0, false                                               \
    }
#define WORSE(text_, family, role, flow, rank, inv)                                                \
    {                                                                                              \
        text_, FAMILY_##family, role, flow, rank, inv                                              \
    }
static const struct bus_word words[] = {
    AXI_ASKS("ar"),
    AXI_ASKS("aw"),
    W("wvalid", AXI, "wvalid", BUS_FORWARD),
    W("wready", AXI, "wready", BUS_BACKWARD),
    W("wdata", AXI, "wdata", BUS_FORWARD),
    W("wstrb", AXI, "wstrb", BUS_FORWARD),
    W("wlast", AXI, "wlast", BUS_FORWARD),
    W("rvalid", AXI, "rvalid", BUS_BACKWARD),
    W("rready", AXI, "rready", BUS_FORWARD),
    W("rid", AXI, "rid", BUS_BACKWARD),
    W("rdata", AXI, "rdata", BUS_BACKWARD),
    W("rresp", AXI, "rresp", BUS_BACKWARD),
    W("rlast", AXI, "rlast", BUS_BACKWARD),
    W("bvalid", AXI, "bvalid", BUS_BACKWARD),
    W("bready", AXI, "bready", BUS_FORWARD),
    W("bid", AXI, "bid", BUS_BACKWARD),
    W("bresp", AXI, "bresp", BUS_BACKWARD),
    W("htrans", AHB, "htrans", BUS_FORWARD),
    W("hready", AHB, "hready", BUS_BACKWARD),
    WORSE("hreadyout", AHB, "hready", BUS_BACKWARD, 2, false),
    W("hsel", AHB, "hsel", BUS_FORWARD),
    W("hresp", AHB, "hresp", BUS_BACKWARD),
    W("hwrite", AHB, "hwrite", BUS_FORWARD),
    W("hsize", AHB, "hsize", BUS_FORWARD),
    W("hburst", AHB, "hburst", BUS_FORWARD),
    W("haddr", AHB, "haddr", BUS_FORWARD),
    W("psel", APB, "psel", BUS_FORWARD),
    W("pselx", APB, "psel", BUS_FORWARD),
    W("penable", APB, "penable", BUS_FORWARD),
    W("pready", APB, "pready", BUS_BACKWARD),
    W("pslverr", APB, "pslverr", BUS_BACKWARD),
    W("pwrite", APB, "pwrite", BUS_FORWARD),
    W("paddr", APB, "paddr", BUS_FORWARD),
    W("pwdata", APB, "pwdata", BUS_FORWARD),
    W("prdata", APB, "prdata", BUS_BACKWARD),
    W("cyc", WISHBONE, "cyc", BUS_FORWARD),
    W("stb", WISHBONE, "stb", BUS_FORWARD),
    W("ack", WISHBONE, "ack", BUS_BACKWARD),
    W("err", WISHBONE, "err", BUS_BACKWARD),
    W("rty", WISHBONE, "rty", BUS_BACKWARD),
    W("we", WISHBONE, "we", BUS_FORWARD),
    W("stall", WISHBONE, "stall", BUS_BACKWARD),
    W("adr", WISHBONE, "adr", BUS_FORWARD),
    WORSE("addr", WISHBONE, "adr", BUS_FORWARD, 2, false),
    W("sel", WISHBONE, "sel", BUS_FORWARD),
    W("read", AVALON, "read", BUS_FORWARD),
    W("write", AVALON, "write", BUS_FORWARD),
    W("address", AVALON, "address", BUS_FORWARD),
    W("burstcount", AVALON, "burstcount", BUS_FORWARD),
    W("byteenable", AVALON, "byteenable", BUS_FORWARD),
    W("waitrequest", AVALON, "waitrequest", BUS_BACKWARD),
    W("readdatavalid", AVALON, "readdatavalid", BUS_BACKWARD),
    W("response", AVALON, "response", BUS_BACKWARD),
    W("avalid", TILELINK, "valid", BUS_FORWARD),
    W("aready", TILELINK, "ready", BUS_BACKWARD),
    W("asource", TILELINK, "id", BUS_FORWARD),
    W("aaddress", TILELINK, "addr", BUS_FORWARD),
    W("aopcode", TILELINK, "opcode", BUS_FORWARD),
    W("asize", TILELINK, "size", BUS_FORWARD),
    W("dvalid", TILELINK, "rvalid", BUS_BACKWARD),
    W("dopcode", TILELINK, "ropcode", BUS_BACKWARD),
    W("dready", TILELINK, "rready", BUS_FORWARD),
    W("dsource", TILELINK, "rid", BUS_BACKWARD),
    W("ddata", TILELINK, "rdata", BUS_BACKWARD),
    W("derror", TILELINK, "rerr", BUS_BACKWARD),
    W("ddenied", TILELINK, "rerr", BUS_BACKWARD),
    W("req", OBI, "valid", BUS_FORWARD),
    W("gnt", OBI, "ready", BUS_BACKWARD),
    W("grant", OBI, "ready", BUS_BACKWARD),
    W("rvalid", OBI, "rvalid", BUS_BACKWARD),
    W("rready", OBI, "rready", BUS_FORWARD),
    W("aid", OBI, "id", BUS_FORWARD),
    W("rid", OBI, "rid", BUS_BACKWARD),
    W("addr", OBI, "addr", BUS_FORWARD),
    W("we", OBI, "we", BUS_FORWARD),
    W("rdata", OBI, "rdata", BUS_BACKWARD),
    W("err", OBI, "rerr", BUS_BACKWARD),
    W("tvalid", STREAM, "valid", BUS_FORWARD),
    W("tready", STREAM, "ready", BUS_BACKWARD),
    W("tdata", STREAM, "data", BUS_FORWARD),
    W("tkeep", STREAM, "keep", BUS_FORWARD),
    W("tlast", STREAM, "last", BUS_FORWARD),
    W("tid", STREAM, "id", BUS_FORWARD),
    W("tdest", STREAM, "dest", BUS_FORWARD),
    W("tuser", STREAM, "user", BUS_FORWARD),
    W("valid", PAIR, "valid", BUS_FORWARD),
    W("vld", PAIR, "valid", BUS_FORWARD),
    W("pvld", PAIR, "valid", BUS_FORWARD),
    WORSE("v", PAIR, "valid", BUS_FORWARD, 1, false),
    W("ready", PAIR, "ready", BUS_BACKWARD),
    W("rdy", PAIR, "ready", BUS_BACKWARD),
    W("prdy", PAIR, "ready", BUS_BACKWARD),
    W("readyand", PAIR, "ready", BUS_BACKWARD),
    W("readythen", PAIR, "ready", BUS_BACKWARD),
    WORSE("req", PAIR, "valid", BUS_FORWARD, 3, false),
    WORSE("stb", PAIR, "valid", BUS_FORWARD, 3, false),
    WORSE("en", PAIR, "valid", BUS_FORWARD, BUS_ENABLE, false),
    WORSE("gnt", PAIR, "ready", BUS_BACKWARD, 1, false),
    WORSE("grant", PAIR, "ready", BUS_BACKWARD, 1, false),
    WORSE("ack", PAIR, "ready", BUS_BACKWARD, 3, false),
    W("accept", PAIR, "ready", BUS_BACKWARD),
    W("yumi", PAIR, "ready", BUS_BACKWARD),
    WORSE("stall", PAIR, "ready", BUS_BACKWARD, 4, true),
    WORSE("wait", PAIR, "ready", BUS_BACKWARD, 4, true),
    WORSE("busy", PAIR, "ready", BUS_BACKWARD, 5, true),
    WORSE("afull", PAIR, "ready", BUS_BACKWARD, BUS_FULL, true),
    WORSE("full", PAIR, "ready", BUS_BACKWARD, BUS_FULL + 1, true),
    W("srcrdy", PAIR, "valid", BUS_FORWARD),
    W("dstrdy", PAIR, "ready", BUS_BACKWARD),
    W("data", PAIR, "data", BUS_FORWARD),
    W("dat", PAIR, "data", BUS_FORWARD),
    W("bits", PAIR, "data", BUS_FORWARD),
    W("pd", PAIR, "data", BUS_FORWARD),
    W("payload", PAIR, "data", BUS_FORWARD),
    W("last", PAIR, "last", BUS_FORWARD),
    W("eop", PAIR, "last", BUS_FORWARD),
    W("endofpacket", PAIR, "last", BUS_FORWARD),
    W("id", PAIR, "id", BUS_FORWARD),
    W("source", PAIR, "id", BUS_FORWARD),
    W("tag", PAIR, "id", BUS_FORWARD),
};

const struct bus_word *pc_bus_word_at(size_t i)
{
    return i < sizeof words / sizeof *words ? &words[i] : NULL;
}

const char *pc_bus_family_protocol(enum bus_family family)
{
    static const char *const name[FAMILIES] = {
        "axi4",     "ahb", "apb",        "wishbone-pipelined", "avalon",
        "tilelink", "obi", "axi-stream", "valid-ready"
    };

    return name[family];
}

size_t pc_bus_word_role(const struct bus_word *word)
{
    const struct pc_bus_protocol *p;
    size_t role = 0;

    if (pc_bus_protocol_find(pc_bus_family_protocol((enum bus_family)word->family), &p, NULL) !=
            PC_OK ||
        pc_bus_role_find(p, word->role, &role, NULL) != PC_OK)
        return PC_BUS_ROLES;
    return role;
}
