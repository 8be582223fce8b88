/* SPDX-License-Identifier: MIT */
/*
 * Runs a simulator on the test bench: once per chip to compile, once per stimulus. Icarus Verilog
 * compiles at once, Verilator runs twenty times as fast.
 */
#include "rtl.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const sources[] = { "pcounter.v", "pcounter_decode.v", "pcounter_domain.v",
                                       "pcounter_inputs.v", "pcounter_counters.v" };
static bool use_verilator;

bool rtl_have_simulator(void)
{
    return system("command -v iverilog >/dev/null && command -v vvp >/dev/null") == 0;
}

bool rtl_use_verilator(void)
{
    use_verilator = system("command -v verilator >/dev/null && command -v g++ >/dev/null") == 0;
    return use_verilator;
}

static void run(const struct rtl_text *command)
{
    if (system(command->data) != 0)
        rtl_die("failed: %s", command->data);
}

/* Adds the option that sets a parameter of the test bench; its value comes next. */
static void add_parameter(struct rtl_text *command, const char *name)
{
    rtl_add(command, use_verilator ? " -G%s=" : " -Ppcounter_tb.%s=", name);
}

/* Adds 16 bits a domain, the last domain first, ffff where there is none. */
static void add_list(struct rtl_text *command, const struct pc_chip *chip, const char *name,
                     int (*value)(const struct pc_domain_info *))
{
    add_parameter(command, name);
    rtl_add(command, "\"128'h");
    for (unsigned d = PC_MAX_DOMAINS; d-- > 0;)
        rtl_add(command, "%04x",
                d < chip->domains ? (unsigned)value(&chip->domain[d]) & 0xffffu : 0xffffu);
    rtl_add(command, "\"");
}

static int size_of(const struct pc_domain_info *d)
{
    return d->size;
}

static int base_of(const struct pc_domain_info *d)
{
    return d->trailer_base;
}

static int user_0_of(const struct pc_domain_info *d)
{
    return d->user[0];
}

static int user_1_of(const struct pc_domain_info *d)
{
    return d->user[1];
}

void rtl_compile(const struct pc_chip *chip, const char *name)
{
    static const char *const layouts[] = { "NV10", "NV15", "NV20",  "NV30",  "NV40",
                                           "G84",  "G92",  "GT215", "GF100", "GK104" };
    struct rtl_text command = { 0 };

    if (use_verilator)
        rtl_add(&command,
                "verilator --binary -j 1 -O3 --x-assign 0 --x-initial 0 -Wno-lint -Wno-style"
                " -CFLAGS -O1 --top-module pcounter_tb --Mdir '%s.dir'",
                name);
    else
        rtl_add(&command, "iverilog -g2005 -Wall -s pcounter_tb -o '%s.vvp'", name);
    rtl_add(&command, " -I'%s'", PC_RTL_DIR);
    add_parameter(&command, "LAYOUT");
    rtl_add(&command, "'\"%s\"'", layouts[rtl_generation(chip)]);
    add_parameter(&command, "DOMAINS");
    rtl_add(&command, "%u", chip->domains);
    add_list(&command, chip, "SIZES", size_of);
    add_list(&command, chip, "BASES", base_of);
    add_list(&command, chip, "USERS_0", user_0_of);
    add_list(&command, chip, "USERS_1", user_1_of);
    add_parameter(&command, "PM_RAW");
    rtl_add(&command, "\"16'h%04x\"", (unsigned)chip->pm_trigger_raw & 0xffff);
    rtl_add(&command, " '%s/pcounter_tb.v'", PC_BENCH_DIR);
    for (unsigned i = 0; i < sizeof sources / sizeof sources[0]; i++)
        rtl_add(&command, " '%s/%s'", PC_RTL_DIR, sources[i]);
    if (use_verilator)
        rtl_add(&command, " > '%s.compiled' 2>&1", name);
    run(&command);
    rtl_free(&command);
}

void rtl_simulate(const char *name, const struct rtl_text *stimulus, struct rtl_text *log)
{
    char path[256];
    struct rtl_text command = { 0 };

    snprintf(path, sizeof path, "%s.stimulus", name);
    rtl_save(stimulus, path);
    if (use_verilator)
        rtl_add(&command, "'%s.dir/Vpcounter_tb'", name);
    else
        rtl_add(&command, "vvp -n '%s.vvp'", name);
    rtl_add(&command, " '+stimulus=%s.stimulus' '+log=%s.log'", name, name);
    if (use_verilator)
        rtl_add(&command, " > '%s.said'", name);
    run(&command);
    snprintf(path, sizeof path, "%s.log", name);
    rtl_load(log, path);
    rtl_free(&command);
}
