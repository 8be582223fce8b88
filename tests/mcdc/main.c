/* SPDX-License-Identifier: MIT */
/* Prints the pairs of all rules (src/model/rules) and of the machine of single event mode. */
#include "test.h"

#include "pairs.h"

static void rules_of_units(void **state)
{
    (void)state;
    mcdc_check(&mcdc_counter);
    mcdc_check(&mcdc_ctr_modes);
    mcdc_check(&mcdc_flag);
    mcdc_check(&mcdc_lut);
    mcdc_check(&mcdc_period);
    mcdc_check(&mcdc_sources);
    mcdc_check(&mcdc_table);
}

static void single_event_mode(void **state)
{
    (void)state;
    mcdc_check(&mcdc_single);
    mcdc_check(&mcdc_unit_single);
}

static void rules_of_cva6(void **state)
{
    (void)state;
    mcdc_check(&mcdc_hpm_csr);
    mcdc_check(&mcdc_hpm_events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_of_units),
        cmocka_unit_test(single_event_mode),
        cmocka_unit_test(rules_of_cva6),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
