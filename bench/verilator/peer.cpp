// SPDX-License-Identifier: MIT
#include "peer.h"

#include <memory>

#include "Vfull.h"
#include "verilated.h"

struct peer {
    VerilatedContext context;
    std::unique_ptr<Vfull> full;
};

template <class Model> static void clock(Model &model)
{
    model.clk = 0;
    model.eval();
    model.clk = 1;
    model.eval();
}

template <class Model> static void write(Model &model, unsigned address, uint32_t value)
{
    model.write = 1;
    model.address = address;
    model.wdata = value;
    clock(model);
    model.write = 0;
}

template <class Model> static void read(const Model &model, uint32_t counters[4])
{
    for (unsigned i = 0; i < 4; i++)
        counters[i] = model.counters[i];
}

extern "C" struct peer *peer_open_full(const uint8_t select[16], const uint16_t table[4])
{
    auto *peer = new struct peer;

    peer->full = std::make_unique<Vfull>(&peer->context, "full");
    for (unsigned i = 0; i < 16; i++)
        write(*peer->full, i, select[i]);
    for (unsigned i = 0; i < 4; i++)
        write(*peer->full, 16 + i, table[i]);
    return peer;
}

extern "C" void peer_close(struct peer *peer)
{
    delete peer;
}

extern "C" void peer_run_full(struct peer *peer, const uint32_t (*sample)[8], size_t cycles,
                              uint32_t counters[4])
{
    Vfull &model = *peer->full;

    write(model, 31, 0);
    for (size_t t = 0; t < cycles; t++) {
        for (unsigned i = 0; i < 8; i++)
            model.signals[i] = sample[t][i];
        clock(model);
    }
    read(model, counters);
}
