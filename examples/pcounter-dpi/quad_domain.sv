// SPDX-License-Identifier: MIT
// One domain of PCOUNTER in quad mode, with the registers of domain 1 of an NV40 and 64 signals: an
// example of such a counter in a design.  It has no flag, no SETFLAG and no trailer signals.
// Defining PCOUNTER_BUG seeds a bug: events in the clock of a swap are not counted.
module quad_domain (
    input  logic        clk,
    input  logic        rst,
    input  logic        write,
    input  logic [11:0] address,     // the low bits of an MMIO address
    input  logic [31:0] wdata,
    output logic [31:0] rdata,       // of the register at `address`
    input  logic        pm_trigger,  // swaps the counters
    input  logic [63:0] signals,
    output logic [3:0]  inputs       // STOP, EVENT, START, PRE in this clock
);
    localparam int PRE = 0, START = 1, EVENT = 2, STOP = 3;

    logic        quad;                // CTRL.MODE
    logic [1:0]  state;               // CTRL.QUAD_STATE: 0 EMPTY, 1 VALID, 3 OVERFLOW
    logic        taken;               // QUAD_ACK_TRIGGER was written, and acts in this clock
    logic [31:0] src[4], op[4];       // *_SRC, *_OP
    logic [1:0]  late[4];             // SRC0 and SRC1 in the clock before
    logic [31:0] shadow[4], count[4]; // what counts, and what is read
    logic [31:0] shadow_cycles, cycles;
    logic        level[4][4];         // SRC0 .. SRC3

    always_comb
        for (int i = 0; i < 4; i++) begin
            for (int k = 0; k < 4; k++) level[i][k] = signals[src[i][8*k+:6]];
            inputs[i] = op[i][{level[i][3], level[i][2], op[i][17] ? late[i][1] : level[i][1],
                               op[i][16] ? late[i][0] : level[i][0]}];
        end

    // PRE, START, EVENT, STOP are 40h apart, their operations 20h after their sources.
    always_comb begin
        rdata = 0;
        for (int i = 0; i < 4; i++) begin
            if (address == 12'h404 + 12'h40 * 12'(i)) rdata = src[i];
            if (address == 12'h424 + 12'h40 * 12'(i)) rdata = op[i];
        end
        case (address)
            12'h604: rdata = cycles;
            12'h684: rdata = count[EVENT];
            12'h6c4: rdata = count[START];
            12'h704: rdata = count[PRE];
            12'h744: rdata = count[STOP];
            12'h7c4: rdata = {6'b0, state, 23'b0, quad};
            default: ;
        endcase
    end

    wire swap = quad && pm_trigger;
    // A read acts first, on one set of counters at a time.
    wire [1:0] left = !taken ? state : state == 3 ? 1 : 0;

    always_ff @(posedge clk)
        if (rst) begin
            quad <= 0;
            state <= 0;
            taken <= 0;
            shadow_cycles <= 0;
            cycles <= 0;
            for (int i = 0; i < 4; i++) begin
                src[i] <= 0;
                op[i] <= 0;
                late[i] <= 0;
                shadow[i] <= 0;
                count[i] <= 0;
            end
        end else begin
            for (int i = 0; i < 4; i++) late[i] <= {level[i][1], level[i][0]};
            if (quad) begin
                shadow_cycles <= (swap ? 0 : shadow_cycles) + 1;
                for (int i = 0; i < 4; i++)
`ifdef PCOUNTER_BUG
                    shadow[i] <= swap ? 0 : shadow[i] + 32'(inputs[i]);
`else
                    shadow[i] <= (swap ? 0 : shadow[i]) + 32'(inputs[i]);
`endif
            end
            if (swap) begin
                cycles <= shadow_cycles;
                count <= shadow;
            end
            state <= !swap ? left : left == 0 ? 1 : 3;
            taken <= write && address == 12'h7e4 && wdata[0];
            if (write) begin
                for (int i = 0; i < 4; i++) begin
                    if (address == 12'h404 + 12'h40 * 12'(i)) src[i] <= wdata;
                    if (address == 12'h424 + 12'h40 * 12'(i)) op[i] <= wdata;
                end
                if (address == 12'h7c4) quad <= wdata[0];
            end
        end
endmodule
