/* SPDX-License-Identifier: MIT */
/*
 * Device tree blobs, taken apart where libfdt is there: it checks every offset once the blob as
 * a whole has passed its full check.
 */
#include "devicetree.h"

#include <stdarg.h>
#include <string.h>
#ifdef PC_HAVE_LIBFDT
#include <libfdt.h>
#endif

const char *dt_property_name(enum dt_property property)
{
    static const char *const name[] = {
        [DT_SELECTORS] = "riscv,event-to-mhpmevent",
        [DT_COUNTERS] = "riscv,event-to-mhpmcounters",
        [DT_RAW] = "riscv,raw-event-to-mhpmcounters",
    };

    return name[property];
}

unsigned dt_row_cells(enum dt_property property)
{
    return property == DT_RAW ? 5 : 3;
}

enum pc_status dt_fail(struct pc_error *err, unsigned code, uint32_t line, uint32_t column,
                       const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    cli_set_error(err, code, fmt, args);
    va_end(args);
    err->line = line;
    err->column = column;
    return err->status;
}

void dt_add_other(struct dt_pmu *pmu, const char *name, size_t length, uint32_t line)
{
    if (pmu->others < DT_MAX_OTHERS) {
        struct dt_other *o = &pmu->other[pmu->others];
        const bool fits = length < sizeof o->name;
        snprintf(o->name, sizeof o->name, "%.*s%s", (int)(fits ? length : sizeof o->name - 4), name,
                 fits ? "" : "...");
        o->line = line;
    }
    pmu->others++;
}

enum dt_property dt_old_property(const char *name, size_t length)
{
    enum { NEW_PREFIX = 6, OLD_PREFIX = 4 }; /* "riscv,", "pmu," */
    int i = 0;

    for (; i < DT_PROPERTIES; i++) {
        const char *rest = dt_property_name((enum dt_property)i) + NEW_PREFIX;
        if (length == OLD_PREFIX + strlen(rest) && memcmp(name, "pmu,", OLD_PREFIX) == 0 &&
            memcmp(name + OLD_PREFIX, rest, length - OLD_PREFIX) == 0)
            break;
    }
    return (enum dt_property)i;
}

#ifdef PC_HAVE_LIBFDT

static enum pc_status read_matrix(const void *blob, int node, enum dt_property property,
                                  struct dt_cells *cells, struct pc_error *err)
{
    const char *name = dt_property_name(property);
    int size;
    const fdt32_t *value = fdt_getprop(blob, node, name, &size);

    if (!value)
        return PC_OK;
    if (size % 4 != 0)
        return dt_fail(err, 1314, 0, 0, "%s has %d bytes, no multiple of 4", name, size);
    if (size / 4 > DT_MAX_CELLS)
        return dt_fail(err, 1312, 0, 0, "%s has more than %d cells", name, DT_MAX_CELLS);
    cells->present = true;
    cells->count = (size_t)size / 4;
    for (size_t i = 0; i < cells->count; i++)
        cells->cell[i] = fdt32_ld(value + i);
    return PC_OK;
}

static bool has_property_of_pmu(const void *blob, int node)
{
    int at, length;
    const char *name;

    fdt_for_each_property_offset(at, blob, node)
    {
        if (!fdt_getprop_by_offset(blob, at, &name, &length))
            continue;
        for (int i = 0; i < DT_PROPERTIES; i++)
            if (strcmp(name, dt_property_name((enum dt_property)i)) == 0)
                return true;
        if (dt_old_property(name, strlen(name)) != DT_PROPERTIES)
            return true;
    }
    return false;
}

static void note_others(const void *blob, int node, struct dt_pmu *pmu)
{
    int at, length;
    const char *name;

    fdt_for_each_property_offset(at, blob, node)
    {
        bool known = !fdt_getprop_by_offset(blob, at, &name, &length);
        for (int i = 0; i < DT_PROPERTIES && !known; i++)
            known = strcmp(name, dt_property_name((enum dt_property)i)) == 0;
        if (!known && strcmp(name, "compatible") != 0)
            dt_add_other(pmu, name, strlen(name), 0);
    }
}

/* The node that says so; else one that has its properties; else none. */
static enum pc_status find_node(const void *blob, int *out, bool *compatible, struct pc_error *err)
{
    int node = fdt_node_offset_by_compatible(blob, -1, "riscv,pmu");

    *compatible = node >= 0;
    if (node >= 0) {
        *out = node;
        if (fdt_node_offset_by_compatible(blob, node, "riscv,pmu") >= 0)
            return dt_fail(err, 1314, 0, 0, "there are two nodes riscv,pmu");
        return PC_OK;
    }
    for (node = fdt_next_node(blob, -1, NULL); node >= 0; node = fdt_next_node(blob, node, NULL))
        if (has_property_of_pmu(blob, node)) {
            *out = node;
            return PC_OK;
        }
    return dt_fail(err, 1313, 0, 0, "no node says compatible = \"riscv,pmu\"");
}

enum pc_status dtb_read(const void *blob, size_t size, struct dt_pmu *pmu, struct pc_error *err)
{
    int node = 0;

    memset(pmu, 0, sizeof *pmu);
    const int bad = fdt_check_full(blob, size);
    if (bad)
        return dt_fail(err, 1314, 0, 0, "the blob is damaged: %s", fdt_strerror(bad));
    enum pc_status status = find_node(blob, &node, &pmu->compatible, err);
    for (int i = 0; status == PC_OK && i < DT_PROPERTIES; i++)
        status = read_matrix(blob, node, (enum dt_property)i, &pmu->property[i], err);
    if (status == PC_OK)
        note_others(blob, node, pmu);
    return status;
}

#else

enum pc_status dtb_read(const void *blob, size_t size, struct dt_pmu *pmu, struct pc_error *err)
{
    (void)blob;
    (void)size;
    (void)pmu;
    return dt_fail(err, 1315, 0, 0, "this is a blob, and this build is without libfdt");
}

#endif
