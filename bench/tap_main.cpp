// SPDX-License-Identifier: MIT
// Clocks tap_cores.sv so many times; with +trace into the file of TRACE_FILE.
#include "Vtap_cores.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#if VM_TRACE_FST
#include "verilated_fst_c.h"
typedef VerilatedFstC Trace;
#elif VM_TRACE
#include "verilated_vcd_c.h"
typedef VerilatedVcdC Trace;
#endif
int main(int argc, char **argv)
{
    VerilatedContext context;
    Vtap_cores top(&context);
    const long cycles = argc > 1 ? atol(argv[1]) : 1000000;
    unsigned sum = 0;
#if VM_TRACE
    Trace trace;
    context.traceEverOn(true);
    top.trace(&trace, 99);
    trace.open(getenv("TRACE_FILE"));
#endif
    for (long i = 0; i < 2 * cycles && !context.gotFinish(); i++) {
        top.clk = i & 1;
        top.eval();
#if VM_TRACE
        trace.dump(context.time());
#endif
        sum += top.sum;
        context.timeInc(1);
    }
    top.final();
#if VM_TRACE
    trace.close();
#endif
    return sum == 12345 ? 1 : 0; // so that nothing is left out
}
