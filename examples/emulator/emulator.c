/* SPDX-License-Identifier: MIT */
/*
 * A machine with a counter unit on its bus: a processor of five instructions and a cache of four
 * lines, which show the unit what they do in each cycle, and a guest program that programs the
 * unit, works, and reads its counters back.  The guest's accesses and the cycles go to a live
 * unit (pcounter/live.h); `emulator --check` also steps a second one beside it, and compares
 * every value that the guest reads, and the states at the end.
 */
#include "pcounter-model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the machine shows: numbers of raw signals. */
enum { RETIRED, LOADED, MISSED, STALLED, BRANCHED };

enum opcode { SET, LOAD, STORE, ADD, LOOP, HALT };
struct instruction {
    enum opcode op;
    unsigned a; /* a register */
    uint32_t b; /* a value, an address, or where LOOP goes while register a is not 0 */
};

enum { IO = 0xa000, IO_END = 0xb000, LINES = 4, LINE = 16, MISS = 10, REGISTERS = 4 };

struct machine {
    const struct instruction *program;
    size_t pc;
    uint32_t reg[REGISTERS];
    uint32_t line[LINES]; /* which is cached; 0: none */
    unsigned stalls;      /* left */
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_live *live;
    struct pc_unit *reference; /* NULL: nobody checks */
};

/* A G84 in quad mode, domain 1: PRE counts RETIRED, START MISSED, EVENT STALLED, STOP LOADED. */
static const struct instruction guest[] = {
    { SET, 0, 1 },        { STORE, 0, 0xa7c4 }, /* CTRL: MODE = QUAD */
    { SET, 0, RETIRED },  { STORE, 0, 0xa404 },
    { SET, 0, MISSED },   { STORE, 0, 0xa444 },
    { SET, 0, STALLED },  { STORE, 0, 0xa484 },
    { SET, 0, LOADED },   { STORE, 0, 0xa4c4 },
    { SET, 0, 0xaaaa }, /* the inputs are their SRC0 */
    { STORE, 0, 0xa464 }, { STORE, 0, 0xa4a4 },
    { STORE, 0, 0xa4e4 }, { STORE, 0, 0xa424 }, /* a write of PRE_OP is a swap: from here on */
    { SET, 1, 1000 },                           /* times */
    { SET, 2, 0x100 },                          /* where */
    { LOAD, 3, 0 },                             /* 17: of address [2] */
    { ADD, 2, 4 },        { ADD, 1, UINT32_MAX },
    { LOOP, 1, 17 },      { SET, 0, 0xaaaa },
    { STORE, 0, 0xa424 }, /* the swap that shows what was counted */
    { HALT, 0, 0 },
};

static void show(struct machine *m, unsigned signal)
{
    m->raw[1][signal / 64] |= UINT64_C(1) << signal % 64;
}

static uint32_t io_read(struct machine *m, uint32_t address)
{
    uint32_t value = pc_live_read(m->live, address);

    if (m->reference && pc_unit_read(m->reference, address) != value) {
        fprintf(stderr, "%04x reads otherwise\n", address);
        exit(1);
    }
    return value;
}

static void io_write(struct machine *m, uint32_t address, uint32_t value)
{
    pc_live_write(m->live, address, value);
    if (m->reference)
        pc_unit_write(m->reference, address, value);
}

static void load(struct machine *m, unsigned reg, uint32_t address)
{
    uint32_t line = address / LINE;

    show(m, LOADED);
    if (m->line[line % LINES] != line) {
        m->line[line % LINES] = line;
        m->stalls = MISS;
        show(m, MISSED);
    }
    m->reg[reg] = address * 3; /* this memory is easily made */
}

static void execute(struct machine *m, const struct instruction *i)
{
    switch (i->op) {
    case SET:
        m->reg[i->a] = i->b;
        break;
    case LOAD:
        load(m, i->a, m->reg[2]);
        break;
    case STORE:
        if (i->b >= IO && i->b < IO_END)
            io_write(m, i->b, m->reg[i->a]);
        break;
    case ADD:
        m->reg[i->a] += i->b;
        break;
    case LOOP:
        if (m->reg[i->a] != 0) {
            show(m, BRANCHED);
            m->pc = i->b - 1;
        }
        break;
    case HALT:
        return;
    }
    m->pc++;
    show(m, RETIRED);
}

/* Makes one clock: what happens in it, and then the unit's edge. */
static void tick(struct machine *m)
{
    memset(m->raw, 0, sizeof m->raw);
    if (m->stalls > 0) {
        m->stalls--;
        show(m, STALLED);
    } else {
        execute(m, &m->program[m->pc]);
    }
    pc_live_step(m->live, 1u << 1, (const uint64_t(*)[PC_SIG_WORDS])m->raw);
    if (m->reference)
        pc_unit_step(m->reference, 1u << 1, (const uint64_t(*)[PC_SIG_WORDS])m->raw);
}

static struct pc_unit *make_unit(void)
{
    struct pc_unit_desc desc = { .chip = pc_chip_find("G84") };
    struct pc_unit *unit;
    struct pc_error err;

    if (pc_unit_create(&desc, &unit, &err) != PC_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return unit;
}

/* Compares the states of both units, byte for byte. */
static bool same_state(struct machine *m)
{
    const struct pc_unit *unit = pc_live_unit(m->live);
    size_t size = pc_unit_state_size(unit);
    void *a = malloc(size), *b = malloc(size);
    bool same = a && b;

    if (same) {
        pc_unit_save(unit, a);
        pc_unit_save(m->reference, b);
        same = memcmp(a, b, size) == 0;
    }
    free(a);
    free(b);
    return same;
}

int main(int argc, char **argv)
{
    struct machine m = { .program = guest };
    struct pc_unit *unit = make_unit();
    struct pc_error err;

    if (argc > 1 && strcmp(argv[1], "--check") == 0)
        m.reference = make_unit();
    if (pc_live_open(unit, &m.live, &err) != PC_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    while (m.program[m.pc].op != HALT)
        tick(&m);
    tick(&m); /* in which the swap is done */
    printf("cycles   %8u\n", (unsigned)io_read(&m, 0xa604));
    printf("retired  %8u\n", (unsigned)io_read(&m, 0xa704));
    printf("loads    %8u\n", (unsigned)io_read(&m, 0xa744));
    printf("misses   %8u\n", (unsigned)io_read(&m, 0xa6c4));
    printf("stalled  %8u\n", (unsigned)io_read(&m, 0xa684));
    bool same = !m.reference || same_state(&m);
    if (!same)
        fprintf(stderr, "the units differ\n");
    pc_live_close(m.live);
    pc_unit_destroy(unit);
    pc_unit_destroy(m.reference);
    return same ? 0 : 1;
}
