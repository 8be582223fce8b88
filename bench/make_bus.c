/* SPDX-License-Identifier: MIT */
/*
 * make_bus KIND CYCLES: a VCD of handshakes, to standard output.
 *   soc     four AXI4 buses of 64 bits with random traffic (bursts of up to eight beats, up to
 *           eight reads and four writes open, answers after some cycles) and two streams, in a
 *           design with as many other nets: some 850 bytes a cycle
 *   fifo    `depth`, of eight bits, which changes in each cycle, `slow`, in every 16th, and
 *           requests with their answers
 * Nets change with the rising edge, as flip-flops do.  Vectors have all of their digits.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { ROOM = 1 << 20, CYCLE_ROOM = 1 << 16, MOST_NETS = 1024, BUSES = 4, STREAMS = 2 };

struct net {
    char id[4];
    unsigned width;
    uint64_t value, next;
};

static struct net nets[MOST_NETS];
static unsigned count;
static char buffer[ROOM], digits[256][8];
static size_t used;
static uint64_t random_state = 1, now;

static void flush(void)
{
    if (fwrite(buffer, 1, used, stdout) != used) {
        perror("make_bus");
        exit(1);
    }
    used = 0;
}

static struct net *declare(const char *scope, const char *name, unsigned width)
{
    struct net *n = &nets[count];
    unsigned number = count++, at = 0;

    *n = (struct net){ .width = width };
    do
        n->id[at++] = (char)('!' + number % 94);
    while ((number /= 94) && number--);
    printf("$var wire %u %s %s%s", width, n->id, scope, name);
    if (width > 1)
        printf(" [%u:0]", width - 1);
    printf(" $end\n");
    return n;
}

static void put_value(const struct net *n)
{
    const size_t length = strlen(n->id);

    if (n->width == 1) {
        buffer[used++] = (char)('0' + (n->value & 1));
    } else {
        buffer[used++] = 'b';
        for (unsigned i = (n->width + 7) / 8, first = n->width % 8; i-- > 0; first = 0) {
            const unsigned skip = first ? 8 - first : 0;
            memcpy(buffer + used, digits[n->value >> 8 * i & 255] + skip, 8 - skip);
            used += 8 - skip;
        }
        buffer[used++] = ' ';
    }
    memcpy(buffer + used, n->id, length);
    used += length;
    buffer[used++] = '\n';
}

static void set(struct net *n, uint64_t value)
{
    n->next = n->width < 64 ? value & ((UINT64_C(1) << n->width) - 1) : value;
}

static uint64_t pick(void)
{
    return bench_random(&random_state) >> 20;
}

/* In so many of 256 cycles. */
static bool now_and_then(unsigned rate)
{
    return (pick() & 255) < rate;
}

/* ---- channels ---- */

struct channel {
    struct net *valid, *ready, *data, *last, *strobe, *id, *len, *resp;
    unsigned ready_rate;
};

static struct channel open_channel(const char *bus, const char *name, unsigned ready_rate)
{
    char scope[40];

    snprintf(scope, sizeof scope, "%s_%s", bus, name);
    return (struct channel){ .valid = declare(scope, "valid", 1),
                             .ready = declare(scope, "ready", 1),
                             .ready_rate = ready_rate };
}

static bool beats(const struct channel *c)
{
    return c->valid->value && c->ready->value;
}

/* May the sender show something else after this edge? */
static bool is_free(const struct channel *c)
{
    return !c->valid->value || beats(c);
}

static void move_ready(struct channel *c)
{
    set(c->ready, now_and_then(c->ready_rate));
}

/* ---- AXI4 ---- */

enum { READS = 8, WRITES = 4 };

struct wait {
    unsigned id, left; /* beats */
    uint64_t from;     /* the answer comes in this cycle at the earliest */
};

struct bus {
    struct channel ar, r, aw, w, b;
    struct wait read[READS], write[WRITES];
    unsigned reads, writes, to_send; /* to_send: beats of write data that are due */
    unsigned burst;                  /* of these, of the present burst */
    unsigned lens[2 * WRITES], len_first, len_count;
    unsigned rate;
};

static void open_bus(struct bus *b, const char *name, unsigned rate)
{
    char scope[40];

    *b = (struct bus){ .rate = rate };
    b->ar = open_channel(name, "ar", 200);
    b->r = open_channel(name, "r", 230);
    b->aw = open_channel(name, "aw", 180);
    b->w = open_channel(name, "w", 210);
    b->b = open_channel(name, "b", 240);
    struct channel *const address[] = { &b->ar, &b->aw };
    for (unsigned i = 0; i < 2; i++) {
        snprintf(scope, sizeof scope, "%s_%s", name, i ? "aw" : "ar");
        address[i]->data = declare(scope, "addr", 32);
        address[i]->id = declare(scope, "id", 4);
        address[i]->len = declare(scope, "len", 8);
    }
    snprintf(scope, sizeof scope, "%s_", name);
    b->r.data = declare(scope, "rdata", 64);
    b->r.id = declare(scope, "rid", 4);
    b->r.resp = declare(scope, "rresp", 2);
    b->r.last = declare(scope, "rlast", 1);
    b->w.data = declare(scope, "wdata", 64);
    b->w.strobe = declare(scope, "wstrb", 8);
    b->w.last = declare(scope, "wlast", 1);
    b->b.id = declare(scope, "bid", 4);
    b->b.resp = declare(scope, "bresp", 2);
}

static void ask(struct channel *c, bool may, unsigned rate)
{
    if (!is_free(c))
        return;
    const bool more = may && now_and_then(rate);
    set(c->valid, more);
    if (!more)
        return;
    set(c->data, pick() << 3);
    set(c->id, pick());
    set(c->len, pick() & 7);
}

static void drop_first(struct wait *w, unsigned *n)
{
    memmove(w, w + 1, --*n * sizeof *w);
}

static void reads(struct bus *b)
{
    if (beats(&b->ar))
        b->read[b->reads++] =
            (struct wait){ (unsigned)b->ar.id->value, (unsigned)b->ar.len->value + 1,
                           now + 4 + pick() % 24 };
    if (beats(&b->r) && --b->read[0].left == 0)
        drop_first(b->read, &b->reads);
    ask(&b->ar, b->reads + 1 < READS, b->rate);
    if (is_free(&b->r)) {
        const bool more = b->reads > 0 && b->read[0].from <= now && now_and_then(220);
        set(b->r.valid, more);
        if (more) {
            set(b->r.data, pick() << 20 | pick());
            set(b->r.id, b->read[0].id);
            set(b->r.resp, now_and_then(2) ? 2 : 0);
            set(b->r.last, b->read[0].left == 1);
        }
    }
    move_ready(&b->ar);
    move_ready(&b->r);
}

static void writes(struct bus *b)
{
    if (beats(&b->aw)) {
        b->lens[(b->len_first + b->len_count++) % (2 * WRITES)] = (unsigned)b->aw.len->value + 1;
        b->write[b->writes++] = (struct wait){ (unsigned)b->aw.id->value, 1, UINT64_MAX };
    }
    if (beats(&b->w) && b->w.last->value) {
        for (unsigned i = 0; i < b->writes; i++)
            if (b->write[i].from == UINT64_MAX) {
                b->write[i].from = now + 3 + pick() % 12;
                break;
            }
    }
    if (beats(&b->b))
        drop_first(b->write, &b->writes);
    ask(&b->aw, b->writes + 1 < WRITES && b->len_count < WRITES, b->rate);
    if (is_free(&b->w)) {
        if (b->to_send == 0 && b->len_count > 0) {
            b->to_send = b->lens[b->len_first % (2 * WRITES)];
            b->len_first++;
            b->len_count--;
        }
        const bool more = b->to_send > 0 && now_and_then(230);
        set(b->w.valid, more);
        if (more) {
            set(b->w.data, pick() << 20 | pick());
            set(b->w.strobe, now_and_then(16) ? pick() : 255);
            set(b->w.last, --b->to_send == 0);
        }
    }
    if (is_free(&b->b)) {
        const bool more = b->writes > 0 && b->write[0].from <= now;
        set(b->b.valid, more);
        if (more)
            set(b->b.id, b->write[0].id);
    }
    move_ready(&b->aw);
    move_ready(&b->w);
    move_ready(&b->b);
}

/* ---- designs ---- */

static void put_time(uint64_t time, char level)
{
    used += (size_t)snprintf(buffer + used, ROOM - used, "#%" PRIu64 "\n%c!\n", time, level);
}

static void begin(void)
{
    printf("$upscope $end\n$enddefinitions $end\n#0\n");
    for (unsigned i = 0; i < count; i++)
        put_value(&nets[i]);
}

/* What is to change does, at the rising edge. */
static void tick(void)
{
    put_time(10 * now + 5, '1');
    for (unsigned i = 1; i < count; i++)
        if (nets[i].next != nets[i].value) {
            nets[i].value = nets[i].next;
            put_value(&nets[i]);
        }
    put_time(10 * now + 10, '0');
    if (used > ROOM - CYCLE_ROOM)
        flush();
    now++;
}

static void soc(uint64_t cycles)
{
    static const char *const names[BUSES] = { "cpu_axi", "dma_axi", "gpu_axi", "ddr_axi" };
    static const unsigned rates[BUSES] = { 12, 24, 6, 40 }, flags[] = { 120, 60, 24, 8, 2 },
                          words[] = { 64, 48, 24, 12, 8, 4, 1 };
    static struct bus bus[BUSES];
    struct channel stream[STREAMS];
    struct net *rst = declare("", "rst_n", 1), *flag[60], *word[48];
    char name[32];

    for (unsigned i = 0; i < BUSES; i++)
        open_bus(&bus[i], names[i], rates[i]);
    for (unsigned i = 0; i < STREAMS; i++) {
        snprintf(name, sizeof name, "s%u_axis_t", i);
        stream[i] = (struct channel){ declare(name, "valid", 1), declare(name, "ready", 1),
                                      declare(name, "data", 32), declare(name, "last", 1),
                                      .ready_rate = 150 };
    }
    for (unsigned i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "flag%u", i);
        flag[i] = declare("", name, 1);
    }
    for (unsigned i = 0; i < 48; i++) {
        snprintf(name, sizeof name, "word%u", i);
        word[i] = declare("", name, 32);
    }
    begin();
    for (uint64_t c = 0; c < cycles; c++) {
        set(rst, c >= 8);
        for (unsigned i = 0; i < BUSES && c >= 10; i++) {
            reads(&bus[i]);
            writes(&bus[i]);
        }
        for (unsigned i = 0; i < STREAMS && c >= 10; i++) {
            struct channel *s = &stream[i];
            if (is_free(s)) {
                set(s->valid, now_and_then(60));
                set(s->data, pick());
                set(s->last, now_and_then(32));
            }
            move_ready(s);
        }
        for (unsigned i = 0; i < 60; i++)
            set(flag[i], flag[i]->value ^ now_and_then(flags[i % 5]));
        for (unsigned i = 0; i < 48; i++)
            if (now_and_then(words[i % 7]))
                set(word[i], pick());
        tick();
    }
    flush();
}

static void fifo(uint64_t cycles)
{
    struct net *depth = declare("", "depth", 8), *slow = declare("", "slow", 8);
    struct net *req = declare("", "req", 1), *ack = declare("", "ack", 1);
    unsigned open = 0;

    begin();
    for (uint64_t c = 0; c < cycles; c++) {
        open += (unsigned)req->value;
        open -= (unsigned)ack->value;
        set(depth, depth->value + 1 + (pick() & 7));
        if (now_and_then(16))
            set(slow, pick());
        set(req, open < 16 && now_and_then(24));
        set(ack, open > ack->value && now_and_then(32));
        tick();
    }
    flush();
}

int main(int argc, char **argv)
{
    const char *kind = argc == 3 ? argv[1] : "";
    const uint64_t cycles = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

    for (unsigned i = 0; i < 256; i++)
        for (unsigned b = 0; b < 8; b++)
            digits[i][b] = (char)('0' + (i >> (7 - b) & 1));
    printf("$timescale 1ns $end\n$scope module top $end\n");
    declare("", "clk", 1);
    if (strcmp(kind, "soc") == 0) {
        soc(cycles);
    } else if (strcmp(kind, "fifo") == 0) {
        fifo(cycles);
    } else {
        fprintf(stderr, "usage: make_bus soc|fifo CYCLES\n");
        return 2;
    }
    return 0;
}
