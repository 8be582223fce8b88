// SPDX-License-Identifier: MIT
// The functions of include/pcounter/pcounter_dpi.h that have a PCOUNTER unit beside a design.
package pcounter_dpi;
    import "DPI-C" function chandle pcounter_dpi_unit_open(input string chip);
    import "DPI-C" function void pcounter_dpi_unit_close(input chandle unit);
    import "DPI-C" function void pcounter_dpi_unit_reset(input chandle unit);
    import "DPI-C" function void pcounter_dpi_unit_write(input chandle unit, input int unsigned address,
                                                         input int unsigned value);
    import "DPI-C" function int unsigned pcounter_dpi_unit_read(input chandle unit, input int unsigned address);
    import "DPI-C" function void pcounter_dpi_unit_pulse(input chandle unit, input int unsigned pulse);
    import "DPI-C" function void pcounter_dpi_unit_signals(input chandle unit, input int unsigned domain,
                                                           input bit [255:0] signals);
    import "DPI-C" function void pcounter_dpi_unit_step(input chandle unit, input int unsigned edges);
    import "DPI-C" function int unsigned pcounter_dpi_unit_inputs(input chandle unit, input int unsigned domain);
endpackage
