/* SPDX-License-Identifier: MIT */
/*
 * pcounter.vpi: a running simulation as a waveform.  When the simulation starts, the module tells
 * pcounter which signals there are, and learns which it wants.  Of those it sends, at the end of
 * each time step, the values that changed: what a dump would have.
 */
#include "tap/vpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap/send.h"
#include "pcounter/tap.h"

/* As pcounter numbers them (enum pc_var_kind). */
enum { BITS, REAL, STRING, EVENT };

struct signal {
    vpiHandle object, callback;
    uint32_t number;
    int kind;
    bool changed;
    char *kept; /* its digits, where they are kept */
};

static struct {
    struct tap_send send;
    struct signal *signal; /* while it is declared all of them, then those that are wanted */
    size_t signals, capacity;
    size_t *changed; /* of this time step */
    size_t changes;
    bool is_icarus;
    /* GHDL 2 stops its time where the end of a step is awaited: values are kept when they change,
     * and sent once the time has moved on. */
    bool is_ghdl;
    uint64_t step; /* GHDL: the time of the values that are kept */
    struct alias {
        int32_t net;
        uint32_t number;
    } * alias;                      /* Icarus: a hash of the numbers of nets; net 0: free */
    size_t aliases, alias_capacity; /* the capacity is a power of two */
    unsigned turn;                  /* time steps, for what is asked now and then */
    bool synch;                     /* the end of this time step is awaited */
    bool failed;
} tap;

enum { ASK_EVERY = 64 };

/* --- callbacks --- */

static vpiHandle call_at(int32_t reason, int32_t (*function)(s_cb_data *), vpiHandle object,
                         size_t index)
{
    static s_vpi_time now; /* zero: at the end of this time step; simulators keep the pointer */
    static s_vpi_time none;
    static s_vpi_value no_value;
    s_cb_data data = { .reason = reason, .cb_rtn = function, .obj = object };

    now = (s_vpi_time){ .type = vpiSimTime };
    none = (s_vpi_time){ .type = vpiSuppressTime };
    no_value = (s_vpi_value){ .format = vpiSuppressVal };
    data.time = reason == cbReadOnlySynch ? &now : &none;
    data.value = &no_value;
    data.user_data = (char *)(uintptr_t)index;
    return vpi_register_cb(&data);
}

static uint64_t time_now(void)
{
    s_vpi_time t = { .type = vpiSimTime };

    vpi_get_time(NULL, &t);
    return (uint64_t)t.high << 32 | t.low;
}

/* --- values --- */

static void put_bits(const struct signal *s, const char *digits)
{
    const size_t width = strlen(digits);
    const bool unknown = strspn(digits, "01") != width;
    unsigned char byte = 0;

    if (width == 1) {
        tap_put_byte(&tap.send, (unsigned char)(strchr("01z", digits[0]) ? digits[0] : 'x'));
        tap_put_number(&tap.send, s->number);
        return;
    }
    tap_put_byte(&tap.send, unknown ? 'q' : 'b');
    tap_put_number(&tap.send, s->number);
    if (unknown) {
        tap_put(&tap.send, digits, width);
        return;
    }
    for (size_t i = 0; i < width; i++) {
        byte = (unsigned char)(byte | (digits[i] & 1) << (7 - i % 8));
        if (i % 8 < 7 && i + 1 < width)
            continue;
        tap_put_byte(&tap.send, byte);
        byte = 0;
    }
}

/* Returns the digits of a signal now, as the simulator has them until the next call; NULL: none. */
static const char *digits_of(const struct signal *s)
{
    s_vpi_value value = { .format = vpiBinStrVal };

    if (s->kind != BITS)
        return NULL;
    vpi_get_value(s->object, &value);
    return value.format == vpiBinStrVal && value.value.str && value.value.str[0] ? value.value.str
                                                                                 : NULL;
}

static void put_value(const struct signal *s)
{
    const char *digits = s->kept ? s->kept : digits_of(s);

    if (s->kind == BITS && digits) {
        put_bits(s, digits);
    } else if (s->kind != BITS) {
        tap_put_byte(&tap.send, 'e');
        tap_put_number(&tap.send, s->number);
    }
}

/* Keeps the digits as they are now. */
static void keep_value(struct signal *s)
{
    const char *digits = digits_of(s);

    if (!digits)
        return;
    if (!s->kept)
        s->kept = malloc(strlen(digits) + 1);
    if (s->kept)
        memcpy(s->kept, digits, strlen(digits) + 1);
}

/* Nothing more is wanted: the simulation goes on as without the module. */
static void leave(void)
{
    for (size_t i = 0; i < tap.signals; i++) {
        if (tap.signal[i].callback)
            vpi_remove_cb(tap.signal[i].callback);
        free(tap.signal[i].kept);
    }
    free(tap.signal);
    free(tap.changed);
    tap.signal = NULL;
    tap.changed = NULL;
    tap.signals = tap.changes = 0;
}

/* Sends all that changed at `time`. */
static void send_step(uint64_t time)
{
    tap_put_byte(&tap.send, '@');
    tap_put_time(&tap.send, time);
    for (size_t i = 0; i < tap.changes; i++) {
        tap.signal[tap.changed[i]].changed = false;
        put_value(&tap.signal[tap.changed[i]]);
    }
    tap.changes = 0;
    tap_put_byte(&tap.send, '.');
    if (tap_turn(&tap.send) && ++tap.turn % ASK_EVERY == 0 && tap_stopped(&tap.send))
        vpi_control(vpiFinish, 0);
    if (!tap_alive(&tap.send))
        leave();
}

static int32_t at_end_of_step(s_cb_data *data)
{
    (void)data;
    tap.synch = false;
    if (tap.changes > 0)
        send_step(time_now());
    return 0;
}

/* Notes that a signal changes, or has its first value. */
static void mark(size_t index)
{
    struct signal *s = &tap.signal[index];

    if (tap.is_ghdl)
        keep_value(s);
    if (s->changed)
        return;
    s->changed = true;
    tap.changed[tap.changes++] = index;
    if (tap.synch || tap.is_ghdl)
        return;
    tap.synch = true;
    (void)call_at(cbReadOnlySynch, at_end_of_step, NULL, 0);
}

static int32_t at_change(s_cb_data *data)
{
    const size_t index = (size_t)(uintptr_t)data->user_data;

    if (tap.is_ghdl && tap.changes > 0 && time_now() != tap.step)
        send_step(tap.step);
    if (index < tap.signals)
        mark(index);
    if (tap.is_ghdl)
        tap.step = time_now();
    return 0;
}

/* --- which signals there are --- */

/* Types of variables as a VCD calls them. */
static const struct type {
    int32_t type;
    int kind;
    const char *name;
} types[] = {
    { vpiNamedEvent, EVENT, "event" },
    { vpiNet, BITS, "wire" },
    { vpiReg, BITS, "reg" },
    { vpiIntegerVar, BITS, "integer" },
    { vpiIntVar, BITS, "int" },
    { vpiByteVar, BITS, "byte" },
    { vpiShortIntVar, BITS, "shortint" },
    { vpiLongIntVar, BITS, "longint" },
    { vpiBitVar, BITS, "reg" },
    { vpiEnumVar, BITS, "reg" },
    { vpiRealVar, REAL, "real" },
};
enum { TYPES = sizeof types / sizeof types[0] };

static bool keep(vpiHandle object, int kind)
{
    if (tap.signals == tap.capacity) {
        const size_t more = tap.capacity ? 2 * tap.capacity : 256;
        struct signal *grown = realloc(tap.signal, more * sizeof *grown);
        if (!grown)
            return false;
        tap.signal = grown;
        tap.capacity = more;
    }
    tap.signal[tap.signals] =
        (struct signal){ .object = object, .kind = kind, .number = (uint32_t)tap.signals };
    tap.signals++;
    return true;
}

/* Reads a bound of a range; false: there is none. */
static bool bound_of(vpiHandle object, int32_t which, int64_t *out)
{
    s_vpi_value value = { .format = vpiIntVal };
    const vpiHandle bound = vpi_handle(which, object);

    if (!bound)
        return false;
    vpi_get_value(bound, &value);
    *out = value.value.integer;
    return value.format == vpiIntVal;
}

/* Returns the entry of a net, or where it belongs. */
static struct alias *find_alias(struct alias *table, size_t capacity, int32_t net)
{
    size_t at = (uint32_t)net * UINT32_C(2654435769) & (capacity - 1);

    while (table[at].net && table[at].net != net)
        at = (at + 1) & (capacity - 1);
    return &table[at];
}

static bool grow_aliases(void)
{
    const size_t more = tap.alias_capacity ? 2 * tap.alias_capacity : 1024;
    struct alias *grown = calloc(more, sizeof *grown);

    if (!grown)
        return false;
    for (size_t i = 0; i < tap.alias_capacity; i++)
        if (tap.alias[i].net)
            *find_alias(grown, more, tap.alias[i].net) = tap.alias[i];
    free(tap.alias);
    tap.alias = grown;
    tap.alias_capacity = more;
    return true;
}

/*
 * Icarus tells by a property of its own which nets are one, as ports are; its VCD has them as
 * one value.  NULL: it is the only one, or there is no memory.
 */
static const struct alias *alias_of(vpiHandle object, int kind)
{
    const int32_t net = tap.is_icarus && kind == BITS ? vpi_get(icarusNexusId, object) : 0;

    if (net == 0 || (2 * tap.aliases >= tap.alias_capacity && !grow_aliases()))
        return NULL;
    struct alias *a = find_alias(tap.alias, tap.alias_capacity, net);
    if (a->net)
        return a;
    *a = (struct alias){ net, (uint32_t)tap.signals };
    tap.aliases++;
    return NULL;
}

/* Spells a name; an escaped name has its backslash, as in a dump. */
static const char *spell(const char *name, char *space, size_t size)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$";

    if (!name || tap.is_ghdl || name[0] == '\\' ||
        (name[strspn(name, word)] == '\0' && !strchr("0123456789$", name[0])))
        return name;
    snprintf(space, size, "\\%s", name);
    return space;
}

static bool declare(vpiHandle object, const struct type *type)
{
    char space[4096];
    const char *name = spell(vpi_get_str(vpiName, object), space, sizeof space);
    const int32_t size = type->kind == BITS ? vpi_get(vpiSize, object) : 1;
    struct tap_var var = { .kind = type->kind,
                           .type = type->name,
                           .name = name,
                           .width = (uint64_t)(size > 0 ? size : 0) };

    if (!name || size <= 0)
        return true;
    /* a variable that comes and goes with its function has no values to follow */
    if (!tap.is_ghdl && vpi_get(vpiAutomatic, object) == 1)
        return true;
    if (type->kind == BITS && !tap.is_ghdl && vpi_get(vpiSigned, object) == 1)
        var.flags |= PC_TAP_SIGNED;
    if (size > 1 && bound_of(object, vpiLeftRange, &var.left) &&
        bound_of(object, vpiRightRange, &var.right) &&
        (var.left < var.right ? var.right - var.left : var.left - var.right) + 1 == size)
        var.flags |= PC_TAP_RANGE;
    const struct alias *same = alias_of(object, type->kind);
    if (same) {
        var.flags |= PC_TAP_ALIAS;
        var.alias = same->number;
    }
    tap_put_var(&tap.send, &var);
    return same || keep(object, type->kind);
}

/* The kinds of objects, for Icarus in the order of its dumps. */
static const int32_t all_types[] = { vpiNamedEvent, vpiNet,     vpiReg,         vpiIntegerVar,
                                     vpiIntVar,     vpiByteVar, vpiShortIntVar, vpiLongIntVar,
                                     vpiBitVar,     vpiEnumVar, vpiRealVar,     0 };
static const int32_t icarus_types[] = { vpiNamedEvent, vpiNet, vpiReg, vpiVariables, 0 };
static const int32_t all_scopes[] = { vpiInternalScope, 0 };
static const int32_t icarus_scopes[] = { vpiFunction,  vpiGenScope, vpiModule, vpiNamedBegin,
                                         vpiNamedFork, vpiTask,     0 };

static bool declare_all(int32_t type, vpiHandle scope)
{
    const vpiHandle all = vpi_iterate(type, scope);

    for (vpiHandle object; all && (object = vpi_scan(all)) != NULL;) {
        const int32_t is = vpi_get(vpiType, object);
        for (size_t i = 0; i < TYPES; i++)
            if (types[i].type == is && (is == type || type == vpiVariables) &&
                !declare(object, &types[i]))
                return false;
    }
    return true;
}

static bool declare_scope(vpiHandle scope);

static bool declare_scopes(int32_t type, vpiHandle scope)
{
    const vpiHandle all = vpi_iterate(type, scope);

    for (vpiHandle inner; all && (inner = vpi_scan(all)) != NULL;)
        if (!declare_scope(inner))
            return false;
    return true;
}

static bool declare_scope(vpiHandle scope)
{
    const char *name = vpi_get_str(vpiName, scope);

    if (!name)
        return true;
    tap_put_byte(&tap.send, 'S');
    tap_put_text(&tap.send, name);
    const int32_t *type = tap.is_icarus ? icarus_types : all_types;
    for (; *type; type++)
        if (!declare_all(*type, scope))
            return false;
    for (type = tap.is_icarus ? icarus_scopes : all_scopes; *type; type++)
        if (!declare_scopes(*type, scope))
            return false;
    tap_put_byte(&tap.send, 'U');
    return tap_alive(&tap.send);
}

/* --- the simulation --- */

/* Drops the signals that are not wanted. */
static bool choose(const unsigned char *wanted)
{
    size_t kept = 0;

    for (size_t i = 0; i < tap.signals; i++)
        if (wanted[i])
            tap.signal[kept++] = tap.signal[i];
    tap.signals = kept;
    tap.changed = malloc((kept + 1) * sizeof *tap.changed);
    return tap.changed != NULL;
}

static bool ask(void)
{
    free(tap.alias);
    tap.alias = NULL;
    unsigned char *wanted = calloc(tap.signals + 1, 1);
    const bool ok = wanted && tap_wanted(&tap.send, wanted, tap.signals) && choose(wanted);

    free(wanted);
    return ok;
}

static int32_t at_start(s_cb_data *data)
{
    s_vpi_vlog_info info = { .product = NULL };
    char why[400], name[200];

    (void)data;
    if (!tap_connect(&tap.send, why, sizeof why)) {
        if (why[0])
            fprintf(stderr, "pcounter.vpi: not counted: %s\n", why);
        return 0;
    }
    (void)vpi_get_vlog_info(&info);
    snprintf(name, sizeof name, "%s %s", info.product ? info.product : "a simulator",
             info.version ? info.version : "");
    tap.is_icarus = info.product && strcmp(info.product, "Icarus Verilog") == 0;
    tap.is_ghdl = info.product && strncmp(info.product, "GHDL", 4) == 0;
    const int32_t precision = vpi_get(vpiTimePrecision, NULL);
    tap_put_head(&tap.send,
                 precision <= 0 && precision >= -15 ? (unsigned)-precision : PC_TAP_NO_PRECISION,
                 name);
    if (!declare_scopes(vpiModule, NULL) || !ask()) {
        leave();
        if (!tap_alive(&tap.send)) /* whoever asked for counts cannot have them */
            vpi_control(vpiFinish, 1);
        return 0;
    }
    for (size_t i = 0; i < tap.signals; i++) {
        tap.signal[i].callback = call_at(cbValueChange, at_change, tap.signal[i].object, i);
        if (tap.signal[i].kind != EVENT)
            mark(i);
    }
    return 0;
}

static int32_t at_end(s_cb_data *data)
{
    (void)data;
    if (tap.changes > 0)
        send_step(tap.is_ghdl ? tap.step : time_now());
    const uint64_t end = time_now(); /* GHDL: the last of all times, if nothing more can happen */
    tap_end(&tap.send, end < INT64_MAX ? end : tap.send.time);
    return 0;
}

static void begin(void)
{
    tap.send.fd = -1;
    (void)call_at(cbStartOfSimulation, at_start, NULL, 0);
    (void)call_at(cbEndOfSimulation, at_end, NULL, 0);
}

#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
void (*vlog_startup_routines[])(void) = { begin, NULL };
