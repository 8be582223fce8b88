/* SPDX-License-Identifier: MIT */
/*
 * Inside of the MMIO device: access.c decodes accesses, time.c lets time pass: by instants
 * (edge.c), or much of it at once (wide.c), unit by unit (unit.c: window.c, still.c), packets of
 * several in the order of time (packets.c); hertz.c is time in ns.  save.c is snapshots of it all,
 * platform.c is single registers, ptimer.c the clock of them, host_bus.c is the signals of
 * accesses, memory.c is what record mode writes to, pma.c is MAIN of GF100+.
 */
#ifndef PC_GPU_GPU_H
#define PC_GPU_GPU_H

#include "model/unit/state.h"

#define PC_PAGE_BYTES 4096

/* A page of record memory; `written` has a bit for each 16 bytes. */
struct pc_page {
    uint64_t number; /* address / PC_PAGE_BYTES + 1; 0: free */
    uint64_t written[PC_PAGE_BYTES / 16 / 64];
    uint8_t bytes[PC_PAGE_BYTES];
};

/* Open addressing; pages are never given back.  The pool is touched only as far as it is used. */
struct pc_memory {
    struct pc_page *pool;
    size_t pages, used;
    uint32_t *slot; /* hash of page numbers to index in pool + 1 */
    size_t slots;   /* a power of two */
    bool full;      /* a packet did not fit */
};

/* A signal that plays one level a cycle. */
#define PC_PLAY_WORDS 64
struct pc_play {
    uint8_t domain, signal;
    uint8_t *levels;
    size_t count, at;
    uint64_t *window; /* PC_PLAY_WORDS for wide.c; the levels are after them */
};

enum { PC_BUS_READ = 1, PC_BUS_WRITE = 2, PC_BUS_CYCLES = 3 /* of an access, at most */ };

/* The last instant; edges may wait after it by one period. */
#define PC_GPU_TIME_END (UINT64_MAX >> 1)

/* The finest unit of time: that many instants a second.  hertz.c */
#define PC_GPU_UNIT_HZ_LAST (UINT64_C(1) << 60)

/* ptimer.c */
struct pc_ptimer {
    bool on; /* it is a part of the device; not in snapshots */
    uint32_t divisor, factor;
    uint64_t time;  /* ns that it showed */
    uint64_t since; /* when: pc_gpu_now_ns() */
    /* instant of the next change of its bit 12, a signal; UINT64_MAX: of none.  Not in snapshots */
    uint64_t toggle;
};

/* MAIN of GF100+; pma.c */
struct pc_pma {
    uint32_t control, chan, start, high, limit, vstatus, slcg;
    uint32_t head, bytes; /* of the ring: next packet, unread */
    bool bound, overflow;
    uint32_t unknown[0x80];
};

/* A packet that waits for those of other units. */
struct pc_gpu_packet {
    uint64_t instant; /* of the device's time, or of those from outside */
    uint8_t domain, size;
    uint8_t data[32];
};

/* Packets of several units in a window of time; packets.c */
struct pc_gpu_window {
    struct pc_gpu_packet *packet; /* PC_GPU_PACKETS, those of a unit one after the other */
    size_t packets;
    bool keeps, full;
    enum pc_mem_result guess;
    struct {
        uint64_t first, period; /* of its edges in the run of now */
        const uint64_t *edge;   /* not NULL: it has those of this plane instead */
        uint64_t word, before;  /* of the plane: where we are, cycles before */
    } clock[PC_MAX_DOMAINS];    /* of the unit that runs */
};
#define PC_GPU_PACKETS 16384

/* A clocked domain of the device. */
struct pc_gpu_domain {
    struct pc_unit *unit;
    uint8_t domain; /* within the unit */
    uint64_t period, next_edge;
    uint64_t level[PC_SIG_WORDS]; /* held raw signals */
};

#define PC_GPU_UNITS 16 /* hub, GPCs and partitions of the largest chip: 12 */

struct pc_gpu {
    struct pc_alloc alloc;
    const struct pc_chip *chip;
    struct pc_unit *unit[PC_GPU_UNITS];
    unsigned units;
    struct pc_gpu_domain domain[PC_GPU_DOMAINS];
    unsigned domains;
    struct pc_idle *idle; /* NULL: the chip has none */
    struct pc_device_options options;
    struct pc_memory memory;
    struct pc_pma pma; /* GF100+ */
    struct pc_gpu_window window;
    uint64_t packets;        /* that units have sent, but for those of a window */
    struct pc_state *before; /* of each unit, where a window began; NULL: there is one unit */

    /* time */
    uint64_t passed;    /* the first instant that has not been yet */
    bool ended;         /* an access would have taken longer than there is time */
    uint64_t unit_hz;   /* instants a second */
    uint64_t rest;      /* of elapsed ns that are no instant yet: that many instants / 10^9 */
    uint64_t ns_before; /* of instants of other lengths */
    uint32_t write_cycles, read_cycles;
    struct pc_play *play;
    size_t plays, plays_capacity;
    uint64_t idle_period, idle_next, idle_cycles; /* PDAEMON's clock */
    uint32_t idle_signals;
    pc_gpu_time_fn *advance;
    void *advance_ctx;
    pc_mem_write_fn *mem_write; /* NULL: packets go to `memory` */
    void *mem_ctx;
    pc_gpu_other_fn *other;
    void *other_ctx;
    struct pc_engine *engine;

    /* registers outside the units */
    uint32_t boot_0; /* of the chip and its stepping; never written, so in no snapshot */
    uint32_t pmc_enable, pdaemon_enable, pgraph_debug1;
    uint32_t platform[32]; /* values of the chip's platform rows */
    struct pc_ptimer ptimer;
    uint8_t bus_pending; /* PC_BUS_*: an access whose pulse the host domain has not seen yet */
    uint8_t bus_cycles;  /* of the host domain that it still takes */
    bool bus_begun;      /* it has had the first of them */
    bool undecoded;
    uint32_t undecoded_address;
};

static inline uint64_t pc_gpu_cycle(const struct pc_gpu *gpu, unsigned domain)
{
    return pc_unit_cycle(gpu->domain[domain].unit, gpu->domain[domain].domain);
}

/* gate.c: engines that are switched on and off. */
void pc_gpu_gates_open(struct pc_gpu *gpu);
bool pc_gpu_pcounter_on(const struct pc_gpu *gpu);
bool pc_gpu_pdaemon_on(const struct pc_gpu *gpu);
/* Returns the register that switches some; NULL: this is none. */
const uint32_t *pc_gpu_gate_at(const struct pc_gpu *gpu, uint32_t address);
void pc_gpu_gate_write(struct pc_gpu *gpu, uint32_t address, uint32_t value);

#define PC_GPU_DISABLED UINT32_C(0xbadf1200) /* what engines of GF100+ read that are off (D-51) */

/* pdaemon.c: an access of the idle counters; false: nothing is there. */
bool pc_gpu_pdaemon_read(const struct pc_gpu *gpu, enum pc_idle_space space, uint32_t address,
                         uint32_t *value);
bool pc_gpu_pdaemon_write(struct pc_gpu *gpu, enum pc_idle_space space, uint32_t address,
                          uint32_t value);
enum pc_status pc_gpu_no_idle(const struct pc_gpu *gpu, struct pc_error *err);

enum pc_status pc_memory_create(struct pc_memory *m, const struct pc_alloc *alloc, size_t limit);
void pc_memory_destroy(struct pc_memory *m, const struct pc_alloc *alloc);
/*
 * Computes the slots of a pool that has these saved pages, each of that many bytes with its number
 * first, into empty ones; false: a page that cannot be, or is given twice.
 */
bool pc_memory_index(const struct pc_memory *m, const uint8_t *pages, size_t size, size_t count,
                     uint32_t *slot);

/* memory.c: a packet of record mode, to `memory` or to whoever asked for them */
enum pc_mem_result pc_gpu_store(struct pc_gpu *gpu, unsigned domain, uint64_t address,
                                const uint8_t *data, size_t size);

void pc_pma_reset(struct pc_pma *p);
enum pc_mem_result pc_pma_packet(struct pc_gpu *gpu, unsigned domain, const uint8_t *data,
                                 size_t size);
/* Returns the ring's answer to a packet when it has that many more unread bytes. */
enum pc_mem_result pc_pma_answer(const struct pc_pma *p, uint64_t more, size_t size);
void pc_pma_write(struct pc_pma *p, const struct pc_reg_hit *hit, uint32_t value);
uint32_t pc_pma_read(const struct pc_pma *p, const struct pc_reg_hit *hit);

/* platform.c: registers that are only stored.  Index of the one at an address, or -1. */
int pc_platform_at(const struct pc_gpu *gpu, uint32_t address);
void pc_platform_reset(struct pc_gpu *gpu);

/* host_bus.c: the raw signals of the host domain that an access pulses; -1 if the chip has none
 * known. */
struct pc_host_bus_row {
    const char *chip;
    uint8_t domain;
    uint8_t read, write, any;
    int16_t read_triple; /* high for three cycles of each read; -1: none is known */
};
const struct pc_host_bus_row *pc_host_bus(const struct pc_chip *chip);
/* Returns the cycles of the host domain that an access needs for the bus signals the domain
 * selects. */
uint8_t pc_bus_cycles(const struct pc_gpu *gpu, uint8_t kind);
/* Sets the pulses of an access in the levels of these edges. */
void pc_bus_edge(struct pc_gpu *gpu, uint64_t edges, uint64_t (*raw)[PC_SIG_WORDS]);
/* Returns true if an access's pulse comes in one of these cycles. */
bool pc_bus_waits(const struct pc_gpu *gpu, const struct pc_run_domain *domain);

/* edge.c */
void pc_gpu_level(struct pc_gpu *gpu, unsigned domain, unsigned signal, bool level);
/* Makes a copy of the levels; false: no memory. */
bool pc_play_make(const struct pc_alloc *alloc, unsigned domain, unsigned signal,
                  const uint8_t *levels, size_t count, struct pc_play *out);
void pc_play_free(const struct pc_alloc *alloc, struct pc_play *play);
/* Makes an instant at which some domain or PDAEMON has an edge. */
void pc_gpu_instant(struct pc_gpu *gpu, uint64_t now);
/* Makes PDAEMON's clocks up to and including an instant. */
void pc_gpu_idle_until(struct pc_gpu *gpu, uint64_t now);

/* unit.c: the unit of which this is the first domain, up to and including an instant; or
 * through instants from outside */
void pc_gpu_unit_until(struct pc_gpu *gpu, unsigned first, uint64_t to);
void pc_gpu_unit_edges(struct pc_gpu *gpu, unsigned first, uint64_t instants,
                       const struct pc_run_domain *domain);
bool pc_gpu_sends(const struct pc_unit *u);

/* window.c */
bool pc_gpu_same_clock(const struct pc_gpu_domain *a, const struct pc_gpu_domain *b);
/* For the unit's domains (d[0] on) in the mask, which is not 0: do they have one clock; the next
 * edge */
bool pc_gpu_one_clock(const struct pc_gpu_domain *d, uint32_t mask);
uint64_t pc_gpu_next_edge(const struct pc_gpu_domain *d, uint32_t mask);
/* Sets how the cycles of a run lie in time, for its packets. */
void pc_gpu_clock_of_run(struct pc_gpu *gpu, unsigned domain, uint64_t first, uint64_t period,
                         const uint64_t *edge);
/* Runs those domains, in which nothing plays, in windows of time. */
void pc_gpu_windows_until(struct pc_gpu *gpu, unsigned first, uint32_t mask, uint64_t to);
/* Runs in windows, while something plays; false if it still does at that instant. */
bool pc_gpu_plays_until(struct pc_gpu *gpu, unsigned first, uint64_t to);

/* still.c: Does what pc_gpu_unit_until() does where nothing plays. */
void pc_gpu_still_until(struct pc_gpu *gpu, unsigned first, uint64_t to);

/*
 * packets.c: the same for all units that send; edges from outside: false, and nothing has
 * happened, if it cannot be.
 */
bool pc_gpu_several_send(const struct pc_gpu *gpu);
void pc_gpu_senders_until(struct pc_gpu *gpu, uint64_t to);
bool pc_gpu_senders_edges(struct pc_gpu *gpu, uint64_t instants,
                          const struct pc_run_domain *domain);
/* Keeps a packet, with the answer that is guessed. */
enum pc_mem_result pc_gpu_keep(struct pc_gpu *gpu, unsigned domain, const uint8_t *data,
                               size_t size);

/* wide.c: all edges up to and including an instant, PDAEMON's excepted, where that can be. */
bool pc_gpu_can_go_wide(const struct pc_gpu *gpu);
void pc_gpu_go_wide(struct pc_gpu *gpu, uint64_t to);

/* time.c: lets `cycles` edges pass in `domain`, or in every domain if it is negative. */
enum pc_status pc_gpu_advance(struct pc_gpu *gpu, int domain, uint64_t cycles,
                              struct pc_error *err);
/* Lets that many instants pass, of all clocks. */
enum pc_status pc_gpu_pass(struct pc_gpu *gpu, uint64_t instants, struct pc_error *err);
/* Lets the time of an access pass. */
void pc_gpu_let_pass(struct pc_gpu *gpu, uint32_t cycles);

/* hertz.c */
void pc_gpu_hertz_begin(struct pc_gpu *gpu);

/* nanoseconds.c */
/* Returns the device's ns at an instant, and the first instant at which that many ns have
 * passed. */
uint64_t pc_gpu_ns_at(const struct pc_gpu *gpu, uint64_t instant);
uint64_t pc_gpu_instant_of_ns(const struct pc_gpu *gpu, uint64_t ns);

/* ptimer.c */
void pc_ptimer_reset(struct pc_gpu *gpu);
bool pc_ptimer_at(const struct pc_gpu *gpu, uint32_t address);
uint32_t pc_ptimer_read(const struct pc_gpu *gpu, uint32_t address);
void pc_ptimer_write(struct pc_gpu *gpu, uint32_t address, uint32_t value);
/* Drives its signal as of now, and finds out when that changes. */
void pc_ptimer_drive(struct pc_gpu *gpu);
/* Returns the instant up to which its signal stays, or is not looked at: at most `to`. */
uint64_t pc_ptimer_steady(const struct pc_gpu *gpu, uint64_t to);
bool pc_ptimer_drives(const struct pc_gpu *gpu, unsigned domain, unsigned signal);

#endif
