// SPDX-License-Identifier: MIT
//
// The counters of one domain and their two machines: single event mode and quad event mode.
// Record mode and the stream-out of GF100- count nothing here.
`default_nettype none

module pcounter_counters #(
    parameter integer GEN = 4           // variant, see pcounter.vh
) (
    input wire clk,
    input wire reset,
    input wire tick,                    // the domain has a cycle

    input wire [1:0] mode,              // SINGLE, QUAD or another, which counts nothing
    input wire [2:0] ctr_mode,
    input wire period_all,              // EVENT_CTR_PERIOD
    input wire [39:0] threshold,
    input wire [31:0] init_pre,
    input wire [31:0] init_stop,

    // what the writes since the cycle before have done to the machines
    input wire start,                   // a counting process starts
    input wire swap,                    // SWAP, or a write that swaps
    input wire [1:0] single_before,     // SINGLE_STATE as this cycle finds it
    input wire [1:0] quad_before,       // QUAD_STATE as this cycle finds it

    input wire [15:0] src,
    input wire in_pre,
    input wire in_start,
    input wire in_event,
    input wire in_stop,

    // GF100-: software writes a running counter; STOP, PRE, START, EVENT, CYCLES
    input wire [4:0] next_write,
    input wire [31:0] wdata,

    output reg [1:0] single_state,
    output reg [1:0] quad_state,
    output reg [1:0] single_next,       // SINGLE_STATE after this cycle, before the edge
    output reg [1:0] quad_next,
    output wire [39:0] cycles,          // visible counters
    output wire [39:0] events,
    output wire [39:0] starts,
    output reg [31:0] pres,
    output reg [31:0] stops,
    output wire [31:0] q_cycles,        // running counters of quad mode
    output wire [31:0] q_events,
    output wire [31:0] q_starts,
    output reg [31:0] q_pres,
    output reg [31:0] q_stops
);

`include "pcounter.vh"

localparam integer W = GEN < NV30 ? 40 : 32; // width of CYCLES, EVENT, START

reg [W-1:0] c_cycles, c_events, c_starts;
reg [31:0] r_cycles, r_events, r_starts;     // quad mode is of NV30-, so 32 bits do
generate
    if (W == 40) begin : wide
        assign {cycles, events, starts} = {c_cycles, c_events, c_starts};
    end else begin : narrow
        assign {cycles, events, starts} = {8'b0, c_cycles, 8'b0, c_events, 8'b0, c_starts};
    end
endgenerate
assign q_cycles = r_cycles;
assign q_events = r_events;
assign q_starts = r_starts;

// "Counters": 40 bits with a sticky top bit (D-36), or 32 bits that saturate (D-37).
function [31:0] plus32(input [31:0] old, input [5:0] n);
    reg [32:0] sum;
    begin
        sum = {1'b0, old} + {27'b0, n};
        plus32 = sum[32] ? 32'hffffffff : sum[31:0];
    end
endfunction
function [39:0] plus(input [39:0] old, input [5:0] n);
    reg [39:0] low;
    begin
        low = {1'b0, old[38:0]} + {34'b0, n};
        plus = GEN < NV30 ? {old[39] | low[39], low[38:0]} : {8'b0, plus32(old[31:0], n)};
    end
endfunction

// "Special counter modes": what CTR_EVENT gains in a cycle that counts, and the sum of the EXTRA
// modes. 5 to 7 count as SIMPLE (D-40), but on GK104- as traced (D-64).
wire traced = GEN >= GK104 && ctr_mode >= 5;
wire extra = (ctr_mode == 3 || ctr_mode == 4) && (GEN < GF100 || in_start); // D-39, D-63
reg [5:0] add_event, add_extra, add_pre;
always @* begin
    add_event = {5'b0, in_event};
    add_extra = ctr_mode == 4 ? {src[11:10], src[7:4]} : {2'b0, src[7:4]};
    add_pre = {5'b0, in_pre};
    case (ctr_mode)
    1: add_event = in_event ? {2'b0, src[7:4]} : 6'd0;
    2: add_event = in_event ? {src[11:10], src[7:4]} : 6'd0;
    4: add_event = GEN < GF100 || in_event ? {4'b0, src[9:8]} : 6'd0; // D-63
    5: if (traced) begin
        add_pre = in_pre ? {src[3:1], src[15:13]} : 6'd0;
        add_event = in_event ? {src[5:4], src[11:8]} : 6'd0;
    end
    6: if (traced) add_pre = in_pre ? {src[5:4], src[3:0]} : 6'd0;
    7: if (traced) add_event = in_start ? {2'b0, src[11:8]} : 6'd0;
    default: ;
    endcase
end

reg [39:0] n_cycles, n_events, n_starts;
reg [31:0] n_pres, n_stops, m_cycles, m_events, m_starts, m_pres, m_stops;
always @* begin
    single_next = single_before;
    quad_next = quad_before;
    n_cycles = start ? 40'b0 : cycles;
    n_events = start ? 40'b0 : events;
    n_starts = start ? 40'b0 : starts;
    n_pres = start ? init_pre : pres;
    n_stops = start ? init_stop : stops;
    {m_cycles, m_events, m_starts, m_pres, m_stops} =
        {r_cycles, r_events, r_starts, q_pres, q_stops};

    if (mode == SINGLE)
        // the case statement of the document; the cycle of a start does nothing else (D-17a)
        case (single_before)
        WAIT_PRE:
            if (!start && in_pre) begin
                if (pres != 0)
                    n_pres = pres - 1;
                else
                    single_next = WAIT_START;
            end
        WAIT_START:
            if (in_start) begin
                n_cycles = 0;
                if (GEN < NV15 || !period_all)
                    n_events = 0;
                single_next = COUNTING;
            end
        COUNTING: begin
            n_cycles = plus(cycles, 1); // D-11
            n_events = plus(events, add_event);
            if (extra)
                n_pres = plus32(pres, add_extra);
            if (in_stop) begin
                if (n_events >= threshold) // D-47
                    n_starts = plus(starts, 1);
                if (stops != 0) begin
                    n_stops = stops - 1;
                    single_next = WAIT_START;
                end else
                    single_next = INACTIVE; // D-48
            end
        end
        default: ;
        endcase
    else if (mode == QUAD && GEN >= NV30) begin
        if (swap) begin // first swap, then count (D-53, D-54)
            n_cycles = {8'b0, r_cycles};
            n_events = {8'b0, r_events};
            n_starts = {8'b0, r_starts};
            n_pres = q_pres;
            n_stops = q_stops;
            {m_cycles, m_events, m_starts, m_pres, m_stops} = 0;
            quad_next = quad_before == EMPTY ? VALID : OVERFLOW;
        end
        m_cycles = plus32(m_cycles, 1);
        m_events = plus32(m_events, add_event);
        if (extra)
            m_starts = plus32(m_starts, add_extra);
        else if (in_start && !traced)
            m_starts = plus32(m_starts, 1);
        if (in_pre)
            m_pres = plus32(m_pres, traced ? add_pre : 6'd1);
        if (in_stop && !(traced && ctr_mode == 5))
            m_stops = plus32(m_stops, 1);
    end
end

always @(posedge clk)
    if (reset) begin
        single_state <= INACTIVE;
        quad_state <= EMPTY;
        c_cycles <= 0;
        c_events <= 0;
        c_starts <= 0;
        pres <= 0;
        stops <= 0;
        r_cycles <= 0;
        r_events <= 0;
        r_starts <= 0;
        q_pres <= 0;
        q_stops <= 0;
    end else begin
        if (tick) begin
            single_state <= single_next;
            quad_state <= quad_next;
            c_cycles <= n_cycles[W-1:0];
            c_events <= n_events[W-1:0];
            c_starts <= n_starts[W-1:0];
            pres <= n_pres;
            stops <= n_stops;
            r_cycles <= m_cycles;
            r_events <= m_events;
            r_starts <= m_starts;
            q_pres <= m_pres;
            q_stops <= m_stops;
        end
        if (next_write[0])
            r_cycles <= wdata;
        if (next_write[1])
            r_events <= wdata;
        if (next_write[2])
            r_starts <= wdata;
        if (next_write[3])
            q_pres <= wdata;
        if (next_write[4])
            q_stops <= wdata;
    end

endmodule
`default_nettype wire
