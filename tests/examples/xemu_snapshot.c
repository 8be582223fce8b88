/* SPDX-License-Identifier: MIT */
/* The counters of examples/emulator/xemu_pcounter.c in a snapshot: what is loaded counts on as what
 * was saved, in the same device and in a new one, at the guest's time of the snapshot; what is no
 * state is refused. */
#include "pcounter-model.h"
#include "qemu_names.h"
#include <stdio.h>
#include <stdlib.h>

static int64_t now;
static int reports;

int64_t qemu_clock_get_ns(int type)
{
    (void)type;
    return now;
}

void error_report(const char *fmt, ...)
{
    (void)fmt;
    reports++;
}

Error *error_fatal;
void set_error(Error **errp, const char *fmt, ...)
{
    (void)errp;
    (void)fmt;
    abort();
}

void nv2a_reg_log_read(int block, hwaddr addr, unsigned size, uint64_t value)
{
    (void)block, (void)addr, (void)size, (void)value;
}

void nv2a_reg_log_write(int block, hwaddr addr, unsigned size, uint64_t value)
{
    nv2a_reg_log_read(block, addr, size, value);
}

void *g_malloc(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

void g_free(void *memory)
{
    free(memory);
}

static size_t saved(NV2AState *d, uint8_t *out)
{
    size_t at = 0;
    vmstate_nv2a_pcounter.pre_save(d);
    for (const VMStateField *f = vmstate_nv2a_pcounter.fields; f->name; f++) {
        uint8_t *field = (uint8_t *)d + f->offset;
        uint32_t size = (uint32_t)f->size;
        if (f->is_buffer)
            memcpy(&size, (uint8_t *)d + f->size_offset, sizeof size);
        memcpy(out + at, f->is_buffer ? *(uint8_t **)field : field, size);
        at += size;
    }
    vmstate_nv2a_pcounter.post_save(d);
    return at;
}

static int loaded(NV2AState *d, const uint8_t *in)
{
    size_t at = 0;
    for (const VMStateField *f = vmstate_nv2a_pcounter.fields; f->name; f++) {
        uint8_t *field = (uint8_t *)d + f->offset;
        uint32_t size = (uint32_t)f->size;
        if (f->is_buffer) {
            memcpy(&size, (uint8_t *)d + f->size_offset, sizeof size);
            *(uint8_t **)field = (uint8_t *)g_malloc(size);
            field = *(uint8_t **)field;
        }
        memcpy(field, in + at, size);
        at += size;
    }
    return vmstate_nv2a_pcounter.post_load(d, 1);
}

/* The cycles that were counted, so many ns later. */
static uint64_t later(NV2AState *d, int64_t ns)
{
    now += ns;
    return pcounter_read(d, 0x600, 4);
}

static void begin(NV2AState *d)
{
    *d = (NV2AState){ .pramdac.core_clock_freq = 233000000 };
    pcounter_init(d);
    pcounter_reset(d);
}

static int bad, passed;

static void check(bool good, const char *what)
{
    passed += good;
    bad += !good;
    if (!good)
        fprintf(stderr, "FAILED: %s\n", what);
}

int main(void)
{
    static uint8_t snapshot[1 << 20];
    NV2AState one, two;

    now = 5000;
    begin(&one);
    pcounter_write(&one, 0x40c, 0xffff, 4); /* START_OP: at once; STOP_OP is 0: for ever */
    pcounter_write(&one, 0x404, 0xffff, 4); /* PRE_OP: from now on */
    const uint64_t before = later(&one, 1700);
    const int64_t then = now;
    const size_t size = saved(&one, snapshot);
    const uint64_t wanted = later(&one, 100000), again = later(&one, 1234);
    check(before > 390 && before < 397 && wanted - before == 23300 && again > wanted,
          "cycles are counted");

    now = then;
    check(loaded(&one, snapshot) == 0, "back in the same machine");
    check(later(&one, 100000) == wanted && later(&one, 1234) == again, "it counts on");

    now = 77; /* a new machine, whose time is the snapshot's when it runs */
    begin(&two);
    check(loaded(&two, snapshot) == 0, "in a new machine");
    now = then;
    check(later(&two, 100000) == wanted && later(&two, 1234) == again, "the new one counts on");

    check(reports == 0, "nothing was reported");
    memset(snapshot + 12, 0xff, size - 12); /* after the time and the size */
    check(loaded(&two, snapshot) == -EINVAL && reports == 1, "what is no state is refused");
    check(!one.counters_saved && !two.counters_saved, "nothing is left");
    pcounter_exit(&one);
    pcounter_exit(&two);
    printf("%d passed, %d failed\n", passed, bad);
    return bad != 0;
}
