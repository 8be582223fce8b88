/* SPDX-License-Identifier: MIT */
/*
 * The named switches of the model, one for each decision that the documents leave
 * disputable (D-94).  The default is always the decision; the switch is the other reading.
 */
#include "model/unit/option.h"
#include "model/unit/pdaemon.h"
#include "model/unit/state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"

#define OF(owner, type, member)                                                                    \
    owner, (uint8_t)sizeof(((struct type *)NULL)->member), offsetof(struct type, member)
#define UNIT(member)   OF(PC_OPTION_UNIT, pc_options, member)
#define DEVICE(member) OF(PC_OPTION_DEVICE, pc_device_options, member)
#define IDLE(member)   OF(PC_OPTION_IDLE, pc_idle, member)

static const struct pc_option_row options[] = {
    { DEVICE(no_pair),
      { "igp-pair", "stored|off", "stored", "D-09",
        "00a7f4 and 00a7f8 of C51 and MCP73 keep what is written, or are not separate "
        "registers" } },
    { UNIT(import_register),
      { "flag-import", "signal|register", "signal", "D-26",
        "other domains see the FLAG signal of two own clocks ago, or the FLAG register, which is a "
        "cycle ahead" } },
    { UNIT(periodic_restart),
      { "periodic-restart", "off|on", "off", "D-31",
        "a write of CTRL restarts the PERIODIC generator of the domain" } },
    { UNIT(reserved_ctr_none),
      { "ctr-mode-reserved", "simple|none", "simple", "D-40",
        "what CTR_MODE 5 to 7 count: as SIMPLE, or nothing on EVENT" } },
    { UNIT(reserved_mode_quad),
      { "mode-reserved", "frozen|quad", "frozen", "D-41",
        "a MODE the chip does not have: nothing counts, or an odd one is "
        "QUAD" } },
    { UNIT(ctr_write_writable),
      { "ctr-write-abort", "any|writable", "any", "D-45a",
        "a write of any counter ends a single mode process, also where "
        "nothing of it is kept, or of CTR_PRE and CTR_STOP alone" } },
    { UNIT(quad_entry_clears),
      { "quad-entry", "keep|clear", "keep", "D-49",
        "entering quad mode keeps or clears the shadow counters" } },
    { UNIT(quad_leave_empties),
      { "quad-exit", "keep|empty", "keep", "D-56",
        "leaving quad mode keeps QUAD_STATE or makes it EMPTY" } },
    { UNIT(record_latency),
      { "record-latency", "0..4294967295", "0", "D-66",
        "cycles that the outgoing slot stays busy after a packet" } },
    { UNIT(no_bogus_packet),
      { "record-bogus-packet", "on|off", "on", "D-68",
        "the bogus packet after RECORD_START was written in another mode" } },
    { UNIT(record_invalid_holds),
      { "record-invalid", "clear|hold", "clear", "D-69",
        "a trigger without a valid buffer clears the counters, or leaves "
        "them" } },
    { UNIT(record_fault),
      { "record-fault", "hang|wedge|drop", "hang", "D-70a",
        "a VM fault hangs the domain until a reset, wedges its record mode "
        "alone, or loses the packet only" } },
    { DEVICE(pm_latency),
      { "pm-trigger-latency", "1..63", "4", "D-34",
        "cycles from a write of the PGRAPH trigger register to its pulse" } },
    { DEVICE(host_bus),
      { "host-bus", "auto|always|off", "auto", "D-34",
        "accesses pulse the bus signals of the host domain and then take a cycle: "
        "only "
        "while a counter selects one of them, always, never" } },
    { UNIT(ctr_modes_5_to_7),
      { "gf100-ctr-modes", "traced|on|off", "traced", "D-64",
        "CTR_MODE 5 to 7 of GF100+ count as traced: from GK104 on, where "
        "they "
        "were traced, always, never" } },
    { UNIT(halted_flag_follows),
      { "gf100-halted-flag", "frozen|follows", "frozen", "D-25",
        "FLAG of GF100+ is frozen in the modes that count nothing, or "
        "also follows SETFLAG and CLRFLAG there" } },
    { UNIT(stream_stored),
      { "gf100-stream-out", "on|off", "on", "D-75",
        "MODE 5 of GF100+ sends packets as documented for GK20A, or is stored "
        "only" } },
    { DEVICE(gctrl_trigger),
      { "gctrl-trigger", "off|on", "off", "D-90",
        "a 1 written to GCTRL bit 8 pulses PM_TRIGGER and WRCACHE_FLUSH, "
        "pm-trigger-latency cycles later" } },
    { IDLE(cleared_rule),
      { "idle-not-all", "any|cleared", "any", "D-76a",
        "INCR_IF_NOT_ALL counts while any selected engine is busy, or only "
        "while all are" } },
    { IDLE(saturate),
      { "idle-overflow", "wrap|saturate", "wrap", "D-80",
        "a 31-bit idle counter wraps or stops at its end" } },
    { IDLE(absent_high),
      { "idle-absent", "busy|idle", "busy", "D-84",
        "what the wires of engines read that the chip does not have" } },
};
#define OPTION_COUNT (sizeof options / sizeof options[0])

const struct pc_option_info *pc_option_at(size_t i)
{
    return i < OPTION_COUNT ? &options[i].info : NULL;
}

/* Returns the index of `value` in "a|b|c", or -1. */
static int choice(const char *list, const char *value)
{
    size_t length = strlen(value);

    for (int i = 0; length > 0; i++) {
        size_t n = strcspn(list, "|");
        if (n == length && strncmp(list, value, n) == 0)
            return i;
        if (list[n] == '\0')
            break;
        list += n + 1;
    }
    return -1;
}

/* Returns true for a decimal number in "LOW..HIGH". */
static bool number_in_range(const char *range, const char *value, uint32_t *out)
{
    char *end;
    unsigned long long low = strtoull(range, &end, 10), high = strtoull(end + 2, NULL, 10);

    if (*value < '0' || *value > '9')
        return false;
    unsigned long long n = strtoull(value, &end, 10);
    if (*end || n < low || n > high)
        return false;
    *out = (uint32_t)n;
    return true;
}

static enum pc_status unknown(const char *name, struct pc_error *err)
{
    struct pc_near near;
    char names[200];
    enum pc_status status = pc_fail(err, 403, "unknown option \"%s\"", name);

    pc_near_begin(&near, name);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        pc_near_offer(&near, options[i].info.name);
    pc_near_text(&near, names, sizeof names);
    if (names[0])
        pc_hint(err, "did you mean %s? `pcounter list options` shows all", names);
    return status;
}

enum pc_status pc_option_look_up(const char *name, const char *value,
                                 const struct pc_option_row **row, uint32_t *number,
                                 struct pc_error *err)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct pc_option_info *info = &options[i].info;
        if (strcmp(info->name, name) != 0)
            continue;
        int index = choice(info->values, value);
        *row = &options[i];
        if (strstr(info->values, "..") && number_in_range(info->values, value, number))
            return PC_OK;
        if (!strstr(info->values, "..") && index >= 0) {
            *number = (uint32_t)index;
            return PC_OK;
        }
        return pc_fail(err, 404, "option %s cannot be \"%s\"; it takes %s", name, value,
                       info->values);
    }
    return unknown(name, err);
}

void pc_option_set(const struct pc_option_row *row, void *owner, uint32_t number)
{
    const uint8_t small = (uint8_t)number;

    memcpy((char *)owner + row->at, row->bytes == 1 ? (const void *)&small : &number, row->bytes);
}

enum pc_status pc_unit_option(struct pc_unit *u, const char *name, const char *value,
                              struct pc_error *err)
{
    const struct pc_option_row *row;
    uint32_t n;
    enum pc_status status = pc_option_look_up(name, value, &row, &n, err);

    if (status != PC_OK)
        return status;
    if (row->owner != PC_OPTION_UNIT)
        return pc_fail(err, 405, "option %s belongs to the device, not to the unit", name);
    pc_awake(u);
    pc_option_set(row, &u->options, n);
    pc_control_update(u); /* CTRL as it stands may mean something else now */
    return PC_OK;
}

enum pc_status pc_device_option(const char *name, const char *value, struct pc_device_options *out,
                                struct pc_unit *u, struct pc_error *err)
{
    const struct pc_option_row *row;
    uint32_t n;
    enum pc_status status = pc_option_look_up(name, value, &row, &n, err);

    if (status != PC_OK)
        return status;
    if (row->owner == PC_OPTION_DEVICE)
        pc_option_set(row, out, n);
    else if (u)
        return pc_unit_option(u, name, value, err);
    return PC_OK;
}
