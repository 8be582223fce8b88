/* SPDX-License-Identifier: MIT */
/* Conformance, "The USER signals" and "The PERIODIC signal". */
#include "support.h"

enum { PERIODIC_RESET = 0x10 };

static unsigned user(const struct rig *rig, unsigned dom, unsigned i)
{
    return (unsigned)rig->chip->domain[dom].user[i];
}

/* Both USER signals after each of the next cycles, as "0 1 3 0"; bit i is USER_i. */
static void expect_users(struct rig *rig, const char *values)
{
    for (; *values; values++) {
        if (*values == ' ')
            continue;
        rig_step(rig, 1);
        unsigned got = (unsigned)rig_signal(rig, rig->dom, user(rig, rig->dom, 0)) |
                       (unsigned)rig_signal(rig, rig->dom, user(rig, rig->dom, 1)) << 1;
        assert_int_equal(got, *values - '0');
    }
}

/* Verifies that a written value appears in the next cycle and stays.  PC.USER.1, PC.REG.8, D-32 */
static void user_value_stays(struct rig *rig)
{
    expect_users(rig, "0");
    rig_write(rig, USER_TRIGGER, 1);
    expect_users(rig, "1 1 1 1");
    rig_write(rig, USER_TRIGGER, 2);
    expect_users(rig, "2 2");
    rig_write(rig, USER_TRIGGER, 3);
    expect_users(rig, "3 3 3");
    rig_write(rig, USER_TRIGGER, 0);
    expect_users(rig, "0 0");
}

/* Verifies that a pulse bit returns its own signal to 0 after one cycle, and only that.  PC.USER.2,
 * D-32 */
static void user_pulse_is_one_cycle(struct rig *rig)
{
    rig_write(rig, USER_TRIGGER, 1 | 4);
    expect_users(rig, "1 0 0");
    rig_write(rig, USER_TRIGGER, 2 | 8);
    expect_users(rig, "2 0 0");
    rig_write(rig, USER_TRIGGER, 3 | 4);
    expect_users(rig, "3 2 2");
    rig_write(rig, USER_TRIGGER, 3 | 8);
    expect_users(rig, "3 1 1");
    rig_write(rig, USER_TRIGGER, 3 | 12);
    expect_users(rig, "3 0 0");
}

/* Verifies that a pulse bit with value 0 is just a 0.  PC.USER.2 */
static void user_pulse_of_zero(struct rig *rig)
{
    rig_write(rig, USER_TRIGGER, 3);
    expect_users(rig, "3");
    rig_write(rig, USER_TRIGGER, 4 | 8);
    expect_users(rig, "0 0");
}

/* Verifies that a write right after a pulse holds its own value.  PC.USER.2 */
static void user_value_after_a_pulse(struct rig *rig)
{
    rig_write(rig, USER_TRIGGER, 1 | 4);
    expect_users(rig, "1");
    rig_write(rig, USER_TRIGGER, 1);
    expect_users(rig, "1 1 1");
}

/* Verifies that the register reads 0 whatever the signals do.  PC.USER.3, PC.REG.11, D-51 */
static void user_trigger_reads_zero(struct rig *rig)
{
    rig_write(rig, USER_TRIGGER, 0xffffffff);
    assert_int_equal(rig_read(rig, USER_TRIGGER), 0);
    rig_step(rig, 1);
    assert_int_equal(rig_read(rig, USER_TRIGGER), 0);
}

/* Verifies that other domains do not see the write.  PC.USER.4, D-32 */
static void user_signals_are_per_domain(struct rig *rig)
{
    for (unsigned d = 0; d < rig->chip->domains; d++) {
        rig_restart(rig);
        rig_write_dom(rig, d, USER_TRIGGER, 3);
        rig_step_all(rig, 2);
        for (unsigned other = 0; other < rig->chip->domains; other++)
            for (unsigned i = 0; i < 2; i++)
                assert_int_equal(rig_signal(rig, other, user(rig, other, i)), other == d);
    }
}

/* Verifies that a USER signal can be selected and counted.  PC.USER.1 */
static void user_signal_is_counted(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_select(rig, EVENT_SRC, user(rig, rig->dom, 0), 0, 0, 0);
    rig_write(rig, USER_TRIGGER, 1 | 4);
    rig_play(rig, ". . .");
    rig_write(rig, USER_TRIGGER, 1 | 4);
    rig_play(rig, ". . w");
    assert_int_equal(rig_count(rig, CTR_EVENT), 2);
}

static bool periodic(const struct rig *rig)
{
    return rig_signal(rig, rig->dom, rig->chip->domain[rig->dom].trailer_base + 0x0du);
}

/* Cycles up to and including the next pulse; fails after `most`. */
static unsigned cycles_to_pulse(struct rig *rig, unsigned most)
{
    for (unsigned n = 1; n <= most; n++) {
        rig_step(rig, 1);
        if (periodic(rig))
            return n;
    }
    fail_msg("no PERIODIC pulse in %u cycles", most);
    return 0;
}

/* Verifies all seven periods: first pulse in the X-th cycle, one cycle long, then every X.
 * PC.PERIODIC.1, PC.PERIODIC.3, PC.TRAIL.7, D-31 */
static void periodic_comes_every_x_clocks(struct rig *rig)
{
    for (unsigned n = 1; n <= 7; n++) {
        unsigned x = 0x200u << n;
        rig_write(rig, CTRL, n * CTRL_PERIODIC);
        rig_write(rig, GCTRL, PERIODIC_RESET);
        rig_step(rig, 3);
        rig_write(rig, GCTRL, 0);
        assert_int_equal(cycles_to_pulse(rig, x), x);
        if (n < 7) /* the longest once, for the sake of time */
            assert_int_equal(cycles_to_pulse(rig, x), x);
    }
}

/* Verifies that the generator starts with the chip: X cycles from power-up.  PC.PERIODIC.1, D-31,
 * D-50 */
static void periodic_starts_at_power_up(struct rig *rig)
{
    rig_write(rig, CTRL, CTRL_PERIODIC);
    assert_int_equal(cycles_to_pulse(rig, 0x400), 0x400);
}

/* Verifies that setting 0 is a constant 0.  PC.PERIODIC.2 */
static void periodic_off_is_zero(struct rig *rig)
{
    for (unsigned i = 0; i < 0x401; i++) {
        rig_step(rig, 1);
        assert_false(periodic(rig));
    }
}

/* Verifies that the reset bit holds the signal at 0 and restarts the cycle.  PC.PERIODIC.3, D-31 */
static void periodic_reset_holds_and_restarts(struct rig *rig)
{
    rig_write(rig, CTRL, CTRL_PERIODIC);
    rig_step(rig, 0x3ff);
    rig_write(rig, GCTRL, PERIODIC_RESET); /* just before the pulse */
    for (unsigned i = 0; i < 0x800; i++) {
        rig_step(rig, 1);
        assert_false(periodic(rig));
    }
    rig_write(rig, GCTRL, 0);
    assert_int_equal(cycles_to_pulse(rig, 0x400), 0x400);
}

/* Verifies that a change of the setting goes on with the running generator.  PC.PERIODIC.5, D-31 */
static void periodic_setting_does_not_restart(struct rig *rig)
{
    rig_write(rig, CTRL, CTRL_PERIODIC);
    rig_step(rig, 0x300);
    rig_write(rig, CTRL, 2 * CTRL_PERIODIC);
    assert_int_equal(cycles_to_pulse(rig, 0x800), 0x500);
    rig_write(rig, CTRL, 0);
    rig_step(rig, 0x200);
    rig_write(rig, CTRL, CTRL_PERIODIC);
    assert_int_equal(cycles_to_pulse(rig, 0x400), 0x200);
}

/* Verifies that one release starts the generators of all domains together.  PC.PERIODIC.4, D-31 */
static void periodic_reset_serves_all_domains(struct rig *rig)
{
    for (unsigned d = 0; d < rig->chip->domains; d++)
        rig_write_dom(rig, d, CTRL, CTRL_PERIODIC);
    for (unsigned d = 0; d < rig->chip->domains; d++) /* out of step */
        for (unsigned i = 0; i < 7 * d; i++)
            rig_edges(rig, 1u << d);
    rig_write(rig, GCTRL, PERIODIC_RESET);
    rig_step_all(rig, 1);
    rig_write(rig, GCTRL, 0);
    rig_step_all(rig, 0x3ff);
    for (unsigned turn = 0; turn < 3; turn++) {
        for (unsigned d = 0; d < rig->chip->domains; d++) {
            unsigned slot = rig->chip->domain[d].trailer_base + 0x0du;
            assert_int_equal(rig_signal(rig, d, slot), turn == 1);
        }
        rig_step_all(rig, 1);
    }
}

/* Verifies that the generator keeps its pace through all modes.  PC.PERIODIC.6, D-31 */
static void periodic_runs_in_every_mode(struct rig *rig)
{
    for (unsigned mode = 0; mode < 4; mode++) {
        rig_write(rig, CTRL, CTRL_PERIODIC | mode);
        assert_int_equal(cycles_to_pulse(rig, 0x400), 0x400);
    }
}

/* Verifies that PERIODIC can be selected and counted as any signal.  PC.TRAIL.7 */
static void periodic_is_counted(struct rig *rig)
{
    rig_start_quad(rig, SIMPLE);
    rig_select(rig, EVENT_SRC, rig->chip->domain[rig->dom].trailer_base + 0x0du, 0, 0, 0);
    rig_write(rig, CTRL, MODE_QUAD | CTRL_PERIODIC);
    rig_step(rig, 0x400 * 4);
    rig_play(rig, "w");
    assert_int_equal(rig_count(rig, CTR_EVENT), 4);
}

int main(void)
{
    static const struct conform_case cases[] = {
        CASE_ON(user_value_stays, PC_F_USER),
        CASE_ON(user_pulse_is_one_cycle, PC_F_USER),
        CASE_ON(user_pulse_of_zero, PC_F_USER),
        CASE_ON(user_value_after_a_pulse, PC_F_USER),
        CASE_ON(user_trigger_reads_zero, PC_F_USER),
        { .name = "user_signals_are_per_domain",
          .run = user_signals_are_per_domain,
          .need = PC_F_USER,
          .flags = CASE_UNIT | CASE_EVERY_CHIP },
        CASE_ON(user_signal_is_counted, PC_F_USER),
        { .name = "periodic_comes_every_x_clocks",
          .run = periodic_comes_every_x_clocks,
          .need = PC_F_PERIODIC,
          .flags = CASE_UNIT },
        CASE_ON(periodic_starts_at_power_up, PC_F_PERIODIC),
        CASE_ON(periodic_off_is_zero, PC_F_PERIODIC),
        CASE_ON(periodic_reset_holds_and_restarts, PC_F_PERIODIC),
        CASE_ON(periodic_setting_does_not_restart, PC_F_PERIODIC),
        { .name = "periodic_reset_serves_all_domains",
          .run = periodic_reset_serves_all_domains,
          .need = PC_F_PERIODIC,
          .flags = CASE_UNIT },
        CASE_ON(periodic_runs_in_every_mode, PC_F_PERIODIC),
        CASE_ON(periodic_is_counted, PC_F_PERIODIC),
    };

    return conform_run("generators", cases, sizeof cases / sizeof cases[0]);
}
