// SPDX-License-Identifier: MIT
// Random signals, writes, reads and triggers for 20,000 clocks; in each the model is asked for the register that is
// read and for the inputs.  The first difference ends the simulation.
module tb
    import pcounter_dpi::*;
(
    input logic clk
);
    localparam int Clocks = 20000;
    localparam int Domain = 1;

    chandle       unit;
    int unsigned  edges = 0;  // rising edges
    logic         rst = 1;
    logic [63:0]  a = 64'h0123_4567_89ab_cdef, b = 64'h0f1e_2d3c_4b5a_6978;
    logic         write, trigger;
    logic [11:0]  address;
    logic [31:0]  wdata, rdata;
    logic [3:0]   inputs;
    int unsigned  expected, got;

    // Three steps of xorshift: plenty for wires.
    function automatic logic [63:0] stir(input logic [63:0] x);
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        return x;
    endfunction

    // One clock in eight writes sources, an operation or QUAD_ACK_TRIGGER; others read.  The first one sets the mode.
    always_comb begin
        write = edges == 4 || (edges > 4 && a[2:0] == 0 && a[6:3] < 9);
        address = edges == 4 ? 12'h7c4 : a[6:3] < 8 ? 12'h404 + 12'h20 * 12'(a[5:3]) : 12'h7e4;
        wdata = edges == 4 ? 1 : a[6:3] == 8 ? 1 : a[3] ? {14'b0, b[17:0]} : b[31:0] & 32'h1f1f1f1f;
        if (!write)
            case (a[9:7])
                0: address = 12'h604;
                1: address = 12'h684;
                2: address = 12'h6c4;
                3: address = 12'h704;
                4: address = 12'h744;
                5: address = 12'h7c4;
                default: ;
            endcase
        trigger = edges > 4 && a[14:10] == 0;
    end

    quad_domain dut (
        .clk, .rst, .write, .address, .wdata, .rdata, .pm_trigger(trigger), .signals(b), .inputs
    );

    initial begin
        unit = pcounter_dpi_unit_open("NV40");
        if (unit == null) $fatal(1, "NV40 is not known");
    end
    final pcounter_dpi_unit_close(unit);

    task automatic differ(input string what);
        $display("clock %0d: %s is %h, the model has %h", edges, what, got, expected);
        $fatal(1);
    endtask

    always @(posedge clk) begin
        if (!rst) begin
            if (!write) begin
                got = rdata;
                expected = pcounter_dpi_unit_read(unit, 32'ha000 + 32'(address));
                if (got != expected) differ($sformatf("register %h", 16'ha000 + 16'(address)));
            end
            pcounter_dpi_unit_signals(unit, Domain, 256'(b));
            if (trigger) pcounter_dpi_unit_pulse(unit, 0);
            pcounter_dpi_unit_step(unit, 1 << Domain);
            got = 32'(inputs);
            expected = pcounter_dpi_unit_inputs(unit, Domain) & 15;
            if (got != expected) differ("STOP, EVENT, START, PRE");
            if (write) pcounter_dpi_unit_write(unit, 32'ha000 + 32'(address), wdata);
        end
        a <= stir(a);
        b <= stir(b);
        rst <= edges < 2;
        edges <= edges + 1;
        if (edges == Clocks) begin
            $display("%0d clocks, no difference", edges);
            $finish;
        end
    end
endmodule
