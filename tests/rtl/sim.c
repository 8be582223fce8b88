/* SPDX-License-Identifier: MIT */
/*
 * Runs Icarus Verilog on the test bench: once per chip to compile, once per stimulus.
 */
#include "rtl.h"

#include <stdio.h>
#include <stdlib.h>

bool rtl_have_simulator(void)
{
    return system("command -v iverilog >/dev/null && command -v vvp >/dev/null") == 0;
}

static void run(const struct rtl_text *command)
{
    if (system(command->data) != 0)
        rtl_die("failed: %s", command->data);
}

/* -P passes a parameter: 16 bits a domain, the last domain first, ffff where there is none. */
static void add_parameter(struct rtl_text *command, const struct pc_chip *chip, const char *name,
                          int (*value)(const struct pc_domain_info *))
{
    rtl_add(command, " -Ppcounter_tb.%s=\"128'h", name);
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
    struct rtl_text command = { 0 };

    rtl_add(&command, "iverilog -g2005 -Wall -I '%s' -o '%s.vvp' -s pcounter_tb", PC_RTL_DIR, name);
    rtl_add(&command, " -Ppcounter_tb.GEN=%u", rtl_generation(chip));
    rtl_add(&command, " -Ppcounter_tb.DOMAINS=%u", chip->domains);
    add_parameter(&command, chip, "SIZES", size_of);
    add_parameter(&command, chip, "BASES", base_of);
    add_parameter(&command, chip, "USERS_0", user_0_of);
    add_parameter(&command, chip, "USERS_1", user_1_of);
    rtl_add(&command, " -Ppcounter_tb.PM_RAW=\"16'h%04x\"",
            (unsigned)chip->pm_trigger_raw & 0xffff);
    rtl_add(&command, " '%s/pcounter_tb.v'", PC_RTL_DIR);
    rtl_add(&command, " '%s/pcounter.v'", PC_RTL_DIR);
    rtl_add(&command, " '%s/pcounter_domain.v'", PC_RTL_DIR);
    run(&command);
    rtl_free(&command);
}

void rtl_simulate(const char *name, const struct rtl_text *stimulus, struct rtl_text *log)
{
    char path[256];
    struct rtl_text command = { 0 };

    snprintf(path, sizeof path, "%s.stimulus", name);
    rtl_save(stimulus, path);
    rtl_add(&command, "vvp -n '%s.vvp' '+stimulus=%s.stimulus' '+log=%s.log'", name, name, name);
    run(&command);
    snprintf(path, sizeof path, "%s.log", name);
    rtl_load(log, path);
    rtl_free(&command);
}
