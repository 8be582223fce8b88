/* SPDX-License-Identifier: MIT */
/*
 * The part of VPI that the module uses: names, numbers and layouts of IEEE 1364-2005, annex G, and
 * IEEE 1800-2017, annexes K and M.  Simulators ship the whole header; it need not be installed.
 */
#ifndef PC_TAP_VPI_H
#define PC_TAP_VPI_H

#include <stdint.h>

typedef uint32_t *vpiHandle;

enum {
    vpiName = 2,
    vpiSize = 4,
    vpiType = 1,
    vpiTimePrecision = 12,
    vpiSigned = 65,
    vpiAutomatic = 50,
    icarusNexusId = 0x1000000,
    /* objects */
    vpiIntegerVar = 25,
    vpiModule = 32,
    vpiNamedEvent = 34,
    vpiNet = 36,
    vpiRealVar = 47,
    vpiVariables = 100,
    vpiFunction = 20,
    vpiNamedBegin = 33,
    vpiNamedFork = 35,
    vpiTask = 59,
    vpiGenScope = 134,
    vpiReg = 48,
    vpiLongIntVar = 610,
    vpiShortIntVar = 611,
    vpiIntVar = 612,
    vpiByteVar = 614,
    vpiEnumVar = 617,
    vpiBitVar = 620,
    /* relations */
    vpiLeftRange = 79,
    vpiRightRange = 83,
    vpiInternalScope = 92,
    /* values and times */
    vpiBinStrVal = 1,
    vpiIntVal = 6,
    vpiRealVal = 7,
    vpiSuppressVal = 13,
    vpiSimTime = 2,
    vpiSuppressTime = 3,
    /* callbacks */
    cbValueChange = 1,
    cbReadOnlySynch = 7,
    cbStartOfSimulation = 11,
    cbEndOfSimulation = 12,
    vpiFinish = 67
};

typedef struct t_vpi_time {
    int32_t type;
    uint32_t high, low;
    double real;
} s_vpi_time;

typedef struct t_vpi_value {
    int32_t format;
    union {
        char *str;
        int32_t scalar, integer;
        double real;
        void *other;
    } value;
} s_vpi_value;

typedef struct t_cb_data {
    int32_t reason;
    int32_t (*cb_rtn)(struct t_cb_data *data);
    vpiHandle obj;
    s_vpi_time *time;
    s_vpi_value *value;
    int32_t index;
    char *user_data;
} s_cb_data;

typedef struct t_vpi_vlog_info {
    int32_t argc;
    char **argv;
    char *product, *version;
} s_vpi_vlog_info;

vpiHandle vpi_register_cb(s_cb_data *data);
int32_t vpi_remove_cb(vpiHandle callback);
vpiHandle vpi_handle(int32_t type, vpiHandle object);
vpiHandle vpi_iterate(int32_t type, vpiHandle object);
vpiHandle vpi_scan(vpiHandle iterator);
int32_t vpi_get(int32_t property, vpiHandle object);
char *vpi_get_str(int32_t property, vpiHandle object);
void vpi_get_value(vpiHandle object, s_vpi_value *value);
void vpi_get_time(vpiHandle object, s_vpi_time *time);
int32_t vpi_get_vlog_info(s_vpi_vlog_info *info);
int32_t vpi_free_object(vpiHandle object);
int32_t vpi_control(int32_t operation, ...);

#endif
