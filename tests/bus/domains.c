/* SPDX-License-Identifier: MIT */
/*
 * Clocks and resets by names alone: those of the nearest scope that has some; of several the one of
 * the bus's domain, else one without a domain.
 */
#include "test.h"
#include "pcounter/unstable/bus.h"

#include <string.h>

enum { SIGNALS = 12 };

/* One bit each; the bus that is asked for is the one of this name. */
static const struct {
    const char *signal[SIGNALS], *bus, *clock, *reset;
} cases[] = {
    { { "t.s_axis_aclk", "t.m_axis_aclk", "t.m_axis_tvalid", "t.m_axis_tready" },
      "t.m_axis",
      "t.m_axis_aclk",
      NULL },
    { { "t.s_axis_aclk", "t.m_axis_aclk", "t.s_axis_tvalid", "t.s_axis_tready" },
      "t.s_axis",
      "t.s_axis_aclk",
      NULL },
    { { "t.m_axis_aclk", "t.s_axis_aclk", "t.s_axis_tvalid", "t.s_axis_tready" },
      "t.s_axis",
      "t.s_axis_aclk",
      NULL },
    /* no domain is better than another one */
    { { "t.s_axis_aclk", "t.clk", "t.in_valid", "t.in_ready" }, "t.in", "t.clk", NULL },
    { { "t.clk", "t.s_axis_aclk", "t.in_valid", "t.in_ready" }, "t.in", "t.clk", NULL },
    /* ... and the bus's own is better than none */
    { { "t.clk", "t.eth_rx_clk", "t.eth_rx_valid", "t.eth_rx_ready" },
      "t.eth_rx",
      "t.eth_rx_clk",
      NULL },
    /* the name of the bus may go on */
    { { "t.eth_clk", "t.eth_rx_clk", "t.eth_rx_fifo_valid", "t.eth_rx_fifo_ready" },
      "t.eth_rx_fifo",
      "t.eth_clk",
      NULL },
    { { "t.eth_rx_clk", "t.clk", "t.eth_valid", "t.eth_ready" }, "t.eth", "t.clk", NULL },
    /* separators do not count */
    { { "t.clk", "t.ethrx_clk", "t.eth_rx_valid", "t.eth_rx_ready" },
      "t.eth_rx",
      "t.ethrx_clk",
      NULL },
    /* the nearest scope, whatever the domains are */
    { { "clk", "t.s_axis_aclk", "t.u.in_valid", "t.u.in_ready", "t.u.v.clk" },
      "t.u.in",
      "t.s_axis_aclk",
      NULL },
    { { "clk", "t.u.x_clk", "t.clk", "t.u.in_valid", "t.u.in_ready" },
      "t.u.in",
      "t.u.x_clk",
      NULL },
    { { "t2.clk", "t.v.clk", "t.u.in_valid", "t.u.in_ready" }, "t.u.in", NULL, NULL },
    { { "t.w.clk", "t.a.clk", "t.x.clk", "t.k.clk", "t.b.clk", "t.v.clk", "t.c.clk", "t.j.clk",
        "t.k.in_valid", "t.k.in_ready" },
      "t.k.in",
      "t.k.clk",
      NULL },
    /* of equal ones the first */
    { { "t.w_clk", "t.u_clk", "t.in_valid", "t.in_ready" }, "t.in", "t.w_clk", NULL },
    { { "t.u_clk", "t.w_clk", "t.in_valid", "t.in_ready" }, "t.in", "t.u_clk", NULL },
    /* resets as clocks */
    { { "t.clk", "t.s_axis_aresetn", "t.m_axis_aresetn", "t.rst", "t.m_axis_tvalid",
        "t.m_axis_tready" },
      "t.m_axis",
      "t.clk",
      "t.m_axis_aresetn" },
    { { "t.clk", "t.s_axis_aresetn", "t.rst", "t.in_valid", "t.in_ready" },
      "t.in",
      "t.clk",
      "t.rst" },
};

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void clocks_of_domains(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pc_bus_signal signal[SIGNALS];
        struct pc_bus_list *list;
        struct pc_bus_found found;
        struct pc_error err;
        uint32_t n = 0;

        for (; n < SIGNALS && cases[i].signal[n]; n++)
            signal[n] = (struct pc_bus_signal){ .name = cases[i].signal[n], .width = 1, .net = n };
        test_ok(pc_bus_find(NULL, signal, n, &list, &err), &err);
        if (pc_bus_list_at(list, 0, &found) != PC_OK || !same(found.name, cases[i].bus) ||
            !same(found.clock, cases[i].clock) || !same(found.reset, cases[i].reset))
            fail_msg("case %zu: %s, clock %s, reset %s", i, found.name,
                     found.clock ? found.clock : "-", found.reset ? found.reset : "-");
        assert_int_equal(pc_bus_list_at(list, 1, &found), PC_END);
        pc_bus_list_destroy(list);
    }
}

/* Of several signals for one role: the one whose word fits best, else the first. */
static void first_of_several(void **state)
{
    static const struct {
        const char *signal[SIGNALS], *valid;
    } several[] = {
        { { "t.x_valid", "t.x_vld", "t.x_ready" }, "t.x_valid" },
        { { "t.x_vld", "t.x_valid", "t.x_ready" }, "t.x_vld" },
        { { "t.x_pvld", "t.x_ready", "t.x_vld", "t.x_valid" }, "t.x_pvld" },
        { { "t.x_req", "t.x_ready", "t.x_valid" }, "t.x_valid" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof several / sizeof *several; i++) {
        struct pc_bus_signal signal[SIGNALS];
        struct pc_bus_list *list;
        struct pc_bus_found found;
        struct pc_error err;
        uint32_t n = 0;
        size_t role;

        for (; n < SIGNALS && several[i].signal[n]; n++)
            signal[n] =
                (struct pc_bus_signal){ .name = several[i].signal[n], .width = 1, .net = n };
        test_ok(pc_bus_find(NULL, signal, n, &list, &err), &err);
        assert_int_equal(pc_bus_list_at(list, 0, &found), PC_OK);
        test_ok(pc_bus_role_find(found.protocol, "valid", &role, &err), &err);
        if (!same(found.role[role], several[i].valid))
            fail_msg("case %zu: %s", i, found.role[role] ? found.role[role] : "-");
        pc_bus_list_destroy(list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(clocks_of_domains),
                                        cmocka_unit_test(first_of_several) };

    return cmocka_run_group_tests_name("bus_domains", tests, NULL, NULL);
}
