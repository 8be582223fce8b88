// SPDX-License-Identifier: MIT
// Drives the clock until the test bench ends; Verilator's $fatal ends the process by itself.
#include "Vtb.h"
#include "verilated.h"

int main(int argc, char **argv)
{
    VerilatedContext context;
    context.commandArgs(argc, argv);
    Vtb top{&context};
    while (!context.gotFinish()) {
        top.clk = !top.clk;
        top.eval();
        context.timeInc(1);
    }
    top.final();
    return 0;
}
