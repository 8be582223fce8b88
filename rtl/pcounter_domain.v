// SPDX-License-Identifier: MIT
//
// One PCOUNTER domain: its signals, the import of other domains' signals, FLAG, its registers,
// and, in the two modules below, input selection and counters. Comments name the clause or the
// decision (D-xx) that a line restates.
//
// Everything has the clock `clk`. `tick` says that the domain's own clock also rises now: this is
// a cycle of the domain. Registers are read and written at any edge of `clk`; what a write does to
// the machines, it does in the domain's next cycle (D-17a). At an edge with both, the cycle comes
// first: it does not see the write.
`default_nettype none

module pcounter_domain #(
    parameter integer GEN = 4,    // variant, see pcounter.vh
    parameter integer ME = 0,     // number of this domain
    parameter integer SIZE = 256, // signals
    parameter integer BASE = 224, // where the special signals begin
    parameter integer USER_0 = -1, // GT215:GF100: places of the USER signals; -1: none
    parameter integer USER_1 = -1,
    parameter integer PM_RAW = -1 // NV10:NV20: PM_TRIGGER among the ordinary signals
) (
    input wire clk,
    input wire reset,
    input wire tick,

    input wire write,
    input wire read,
    input wire [6:0] regno,       // R_*, see pcounter.vh
    input wire [31:0] wdata,
    output reg [31:0] rdata,      // from the edge with `read` on, until the next one
    output wire [31:0] ctrl_read, // CTRL in the layout of NV40; GF100-: in its own
    output wire [3:0] status,     // GF100-: VSTATUS
    input wire periodic_reset,    // GCTRL bit 4

    input wire pm_trigger,        // a pulse of one clock is seen in exactly one cycle
    input wire wrcache_flush,
    input wire [SIZE-1:0] signals,

    // EVENT and FLAG of all domains, in the order of the trailer: EVENT of domains 7 to 0, FLAG of
    // domains 7 to 0. EVENT is that of this cycle where a domain has one.
    input wire [15:0] slots,
    input wire [15:0] slot_toggles,
    output wire event_now,
    output reg flag,
    output reg event_toggle,
    output reg flag_toggle
);

`include "pcounter.vh"

localparam integer EVENT_SLOT = 7 - ME, FLAG_SLOT = 15 - ME; // own ones, in `slots`
localparam integer SLOTS = BASE + (GEN >= GF100 ? 'h30 : 'h10);
localparam integer OWN_EVENT = SLOTS + EVENT_SLOT;
localparam [31:0] SPEC_SRC_RESET = BASE + 'h0f; // D-33
// Places of special signals; 0 where a variant has none, which never counts.
localparam integer AT_USER = GEN >= GF100 ? BASE + 'h27 : 0;
localparam integer AT_PM_GF100 = GEN >= GF100 ? BASE + 'h2c : 0;
localparam integer AT_PERIODIC = GEN >= GF100 ? BASE + 'h2e : 0;

// RW masks: sections 2 and 3 of the register reference.
localparam [20:0] M_OP = GEN >= GF100 ? 21'h1fffff : GEN >= G92 ? 21'h0fffff : 21'h03ffff;
localparam [20:0] M_OP_CHAIN = GEN >= G92 ? 21'h1fffff : GEN >= NV30 ? 21'h07ffff : 21'h03ffff;
localparam [31:0] M_CTRL =
    GEN >= GF100 ? 32'h80fdffff :
    GEN >= G92  ? 32'h40f12973 :
    GEN >= G84  ? 32'h00f12973 :
    GEN >= NV40 ? 32'h00012973 :
    GEN >= NV30 ? 32'h00000111 : // NV10:NV40 as pcounter_decode.v lays it out
    GEN >= NV15 ? 32'h00000110 : 32'h00000010;

// ---------------------------------------------------------------------------
// State
// ---------------------------------------------------------------------------
reg [31:0] pre_src, start_src, event_src, stop_src, setflag_src, clrflag_src;
reg [20:0] pre_op, start_op, event_op, stop_op, setflag_op, clrflag_op;
reg [15:0] spec_src;
reg [31:0] init_pre, init_stop, ctrl;
reg [39:0] threshold;
reg [7:0] record_high;
reg [31:0] record_limit, record_start, record_position;
reg [31:0] unk74, unkcc, unkd0, unkd4, unkd8, unkdc, filter; // GF100-, as what follows
reg report;              // VSTATUS bit 8
reg [7:0] next_high;     // CTR_CYCLES_NEXT_HIGH, CTR_RECORD_STOP_NEXT: for stream-out only
reg [11:0] next_record;

// What the writes since the last cycle will do in the next one (D-17a).
reg gap;                 // there was one
reg [1:0] gap_single;    // SINGLE_STATE after them
reg [1:0] gap_quad;      // QUAD_STATE after them
reg gap_start;           // a counting process was started, perhaps aborted again
reg gap_undone;          // one that was aborted again
reg gap_swap;            // PRE_OP was written in quad mode
reg gap_record;          // RECORD_START was written

reg [255:0] vec;         // the signals of the last cycle, and what followed from them
reg [23:0] src;
reg pre_q, start_q, event_q, stop_q, swap_q;
reg flag_reg;            // first of FLAG's two flops; `flag` is the second
reg flag_before;         // FLAG a cycle ago
reg [15:0] level_1, level_2;             // CONTINUOUS synchronisers
reg [15:0] toggle_1, toggle_2, toggle_3; // PULSE synchronisers
reg [3:0] user, user_pulse;
reg [15:0] periodic_count;
reg pm_waits, wf_waits;  // pulses that no cycle has seen

// GF100-: its MODE 0 is HALTED, 1 SINGLE, 2 QUAD.
wire [1:0] mode = GEN < GF100 ? ctrl[1:0] :
                  ctrl[2:0] == 1 ? SINGLE : ctrl[2:0] == 2 ? QUAD : NOTHING;
wire [15:0] pulse_import = GEN < GF100 ? {{8{ctrl[13]}}, {8{ctrl[11]}}} // FLAG_, EVENT_IMPORT_MODE
                                       : {{8{ctrl[8]}}, {8{ctrl[7]}}};
wire [2:0] periodic_period = ctrl[23:21];

// ---------------------------------------------------------------------------
// The signals of a cycle
// ---------------------------------------------------------------------------
wire pm_now = pm_waits | pm_trigger, wf_now = wf_waits | wrcache_flush;
wire [16:0] periodic_mask = (17'd512 << periodic_period) - 17'd1;
wire periodic = periodic_period != 0 && !periodic_reset && // D-31
                ({1'b0, ~periodic_count} & periodic_mask) == 0;

// "The EVENT and FLAG signals", D-26 to D-28. Own ones are direct; the own EVENT is last cycle's
// until the new one is known.
reg [15:0] imported;
reg [255:0] seen;
always @* begin
    imported = level_2;
    if (GEN >= NV40)
        imported = (level_2 & ~pulse_import) | ((toggle_2 ^ toggle_3) & pulse_import);
    imported[FLAG_SLOT] = flag;
    imported[EVENT_SLOT] = event_q;

    // "Trailer signals", "The USER signals"
    seen = 0;
    seen[SIZE-1:0] = signals;
    if (GEN >= GF100) begin // D-13
        seen[SLOTS +: 16] = imported;
        seen[AT_USER +: 4] = user;
        seen[AT_PM_GF100 +: 4] = {2'b0, pm_now, 1'b0};
        if (periodic_period != 0 && !periodic_reset)
            seen[AT_PERIODIC] = periodic;
    end else if (GEN >= NV40) begin
        seen[SLOTS +: 16] = imported;
        seen[BASE + 'h0e +: 2] = {pm_now, GEN >= G84 && wf_now};
        if (GEN >= G84)
            seen[BASE + 'h0c +: 2] = {periodic, 1'b0};
    end else if (GEN >= NV20)
        seen[BASE + 'h1d +: 3] = {imported[15:14], pm_now};
    else begin
        seen[BASE + 'h1f] = flag;
        if (PM_RAW >= 0)
            seen[PM_RAW < 0 ? 0 : PM_RAW] = pm_now;
    end
    if (GEN >= GT215 && GEN < GF100) begin
        if (USER_0 >= 0)
            seen[USER_0 < 0 ? 0 : USER_0] = user[0];
        if (USER_1 >= 0)
            seen[USER_1 < 0 ? 0 : USER_1] = user[1];
    end
end

wire [23:0] src_now;
wire in_pre, in_start, in_event, in_stop, in_setflag, in_clrflag;
pcounter_inputs #(.GEN(GEN), .OWN_EVENT(OWN_EVENT[7:0])) inputs (
    .seen(seen),
    .sources({clrflag_src, setflag_src, stop_src, event_src, start_src, pre_src}),
    .operations({clrflag_op, setflag_op, stop_op, event_op, start_op, pre_op}),
    .src_before(src), .src(src_now),
    .in_pre(in_pre), .in_start(in_start), .in_event(in_event), .in_stop(in_stop),
    .in_setflag(in_setflag), .in_clrflag(in_clrflag)
);
assign event_now = tick ? in_event : event_q;

reg [255:0] vec_now;
always @* begin
    vec_now = seen;
    if (GEN >= NV40)
        vec_now[OWN_EVENT] = in_event;
end
wire in_swap = GEN >= G84 ? vec_now[spec_src[7:0]] : pm_now;

// ---------------------------------------------------------------------------
// Machines and counters
// ---------------------------------------------------------------------------

// GF100-: CTRL left SINGLE after the start, so nothing obeys it (U-019).
wire refused = GEN >= GF100 && gap_start && gap_single == WAIT_PRE && mode != SINGLE;
wire start = refused ? gap_undone : gap_start;
wire [1:0] single_state, quad_state, single_next, quad_next;
wire [1:0] single_before = !gap ? single_state : refused ? INACTIVE : gap_single;
wire [1:0] quad_before = gap ? gap_quad : quad_state;

wire [39:0] cycles, events, starts;
wire [31:0] pres, stops, q_cycles, q_events, q_starts, q_pres, q_stops;
wire [4:0] next_write = GEN >= GF100 && write ?
    {regno == R_NEXT_STOP, regno == R_NEXT_PRE, regno == R_NEXT_START, regno == R_NEXT_EVENT,
     regno == R_NEXT_CYCLES} : 5'b0;
pcounter_counters #(.GEN(GEN)) counters (
    .clk(clk), .reset(reset), .tick(tick), .mode(mode),
    .ctr_mode(GEN < GF100 ? ctrl[6:4] : ctrl[5:3]),
    .period_all(GEN < GF100 ? ctrl[8] : ctrl[6]),
    .threshold(threshold), .init_pre(init_pre), .init_stop(init_stop),
    .start(start), .swap(in_swap | gap_swap),
    .single_before(single_before), .quad_before(quad_before),
    .src(src_now[15:0]),
    .in_pre(in_pre), .in_start(in_start), .in_event(in_event), .in_stop(in_stop),
    .next_write(next_write), .wdata(wdata),
    .single_state(single_state), .quad_state(quad_state),
    .single_next(single_next), .quad_next(quad_next),
    .cycles(cycles), .events(events), .starts(starts), .pres(pres), .stops(stops),
    .q_cycles(q_cycles), .q_events(q_events), .q_starts(q_starts), .q_pres(q_pres),
    .q_stops(q_stops)
);

// "The flag": frozen in single mode while INACTIVE and in the cycle of a start, which clears it
// (D-23 to D-25); GF100-: also in the modes that count nothing.
wire flag_moves = mode == SINGLE ? single_before != INACTIVE && !start
                                 : GEN < GF100 || mode != NOTHING;

always @(posedge clk)
    if (reset) begin
        vec <= 0;
        src <= 0;
        {pre_q, start_q, event_q, stop_q, swap_q} <= 0;
        {flag, flag_reg, flag_before, event_toggle, flag_toggle} <= 0;
        {level_1, level_2, toggle_1, toggle_2, toggle_3} <= 0;
        {periodic_count, pm_waits, wf_waits} <= 0;
    end else begin
        pm_waits <= pm_now && !tick;
        wf_waits <= wf_now && !tick;
        if (tick) begin
            vec <= vec_now;
            src <= src_now;
            {pre_q, start_q, event_q, stop_q, swap_q} <=
                {in_pre, in_start, in_event, in_stop, in_swap};
            flag <= flag_reg;
            if (flag_moves && in_clrflag)
                flag_reg <= 0;
            else if (flag_moves && in_setflag)
                flag_reg <= 1;
            else if (start)
                flag_reg <= 0;

            // Imports (D-26), and toggles for the domains that import in PULSE mode (D-27)
            if (GEN >= NV20) begin
                level_2 <= level_1;
                level_1 <= slots;
            end
            if (GEN >= NV40) begin
                event_toggle <= event_toggle ^ (in_event & ~event_q);
                flag_toggle <= flag_toggle ^ (flag & ~flag_before);
                flag_before <= flag;
                toggle_3 <= toggle_2;
                toggle_2 <= toggle_1;
                toggle_1 <= slot_toggles;
            end
            if (GEN >= G84)
                periodic_count <= periodic_reset ? 16'd0 : periodic_count + 16'd1;
        end
    end

// ---------------------------------------------------------------------------
// Writes
// ---------------------------------------------------------------------------

// D-45: which writes abort single mode. Registers the variant lacks drop the write.
function aborts(input [6:0] r);
    if (GEN >= GF100)
        aborts = r == R_ABORT; // D-62
    else
    case (r)
    R_PRE_SRC, R_START_SRC, R_EVENT_SRC, R_STOP_SRC, R_START_OP, R_EVENT_OP, R_STOP_OP,
    R_SETFLAG_OP, R_CLRFLAG_OP, R_PRE, R_STOP, R_THRESHOLD, R_CTRL,
    R_CYCLES, R_CYCLES_ALT, R_EVENT, R_START: aborts = 1; // D-45a: any CTR register
    R_SETFLAG_SRC, R_CLRFLAG_SRC, R_THRESHOLD_HI,
    R_CYCLES_HI, R_EVENT_HI, R_START_HI: aborts = GEN < NV30;
    R_SPEC_SRC: aborts = GEN >= G84;
    default: aborts = 0;
    endcase
endfunction

// The machines as this write finds them: after the writes before it and after this edge's cycle.
wire more = gap && !tick;
wire [1:0] single_found = more ? gap_single : tick ? single_next : single_state;
wire [1:0] quad_found = more ? gap_quad : tick ? quad_next : quad_state;
wire start_found = more && gap_start;
wire starting = write && regno == (GEN < GF100 ? R_PRE_OP : R_BEGIN) && mode == SINGLE &&
                single_found == INACTIVE; // D-44, D-62
wire aborting = write && aborts(regno);
wire swapping = write && regno == R_PRE_OP && mode == QUAD && GEN >= G84 && GEN < GF100;
wire acking = write && regno == R_QUAD_ACK && GEN >= NV30 && wdata[0];
wire recording = write && regno == R_RECORD_START && GEN >= G84;

always @(posedge clk)
    if (reset)
        {gap, gap_single, gap_quad, gap_start, gap_undone, gap_swap, gap_record} <= 0;
    else if (write || tick) begin
        gap <= write;
        gap_single <= aborting ? INACTIVE : starting ? WAIT_PRE : single_found;
        gap_quad <= !acking ? quad_found : quad_found == OVERFLOW ? VALID : EMPTY;
        gap_start <= start_found || starting;
        gap_undone <= (more && gap_undone) ||
                      (aborting && start_found && single_found == WAIT_PRE);
        gap_swap <= (more && gap_swap) || swapping;
        gap_record <= (more && gap_record) || recording;
    end

always @(posedge clk)
    if (reset) begin // D-50
        {pre_src, start_src, event_src, stop_src, setflag_src, clrflag_src} <= 0;
        {pre_op, start_op, event_op, stop_op, setflag_op, clrflag_op} <= 0;
        spec_src <= GEN >= G84 && GEN < GF100 ? SPEC_SRC_RESET[15:0] : 16'b0;
        {init_pre, init_stop, threshold, ctrl} <= 0;
        {record_high, record_limit, record_start, record_position} <= 0;
        {unk74, unkcc, unkd0, unkd4, unkd8, unkdc, filter} <= 0;
        {report, next_high, next_record, user, user_pulse} <= 0;
    end else begin
        if (tick && gap_record)
            record_position <= record_start;
        if (tick && GEN >= GT215) begin // D-32
            user <= user & ~user_pulse;
            if (GEN < GF100)
                user_pulse <= 0;
        end
        if (write)
            case (regno)
            R_PRE_SRC: pre_src <= wdata;
            R_START_SRC: start_src <= wdata;
            R_EVENT_SRC: event_src <= wdata;
            R_STOP_SRC: stop_src <= wdata;
            R_SETFLAG_SRC: setflag_src <= GEN < NV30 ? wdata : 0;
            R_CLRFLAG_SRC: clrflag_src <= GEN < NV30 ? wdata : 0;
            R_SPEC_SRC:
                spec_src <= GEN >= GF100 ? {8'b0, wdata[7:0]} : GEN >= G84 ? wdata[15:0] : 16'b0;
            R_PRE_OP: pre_op <= wdata[20:0] & M_OP;
            R_START_OP: start_op <= wdata[20:0] & M_OP;
            R_EVENT_OP: event_op <= wdata[20:0] & M_OP_CHAIN;
            R_STOP_OP: stop_op <= wdata[20:0] & M_OP_CHAIN;
            R_SETFLAG_OP: setflag_op <= wdata[20:0] & M_OP;
            R_CLRFLAG_OP: clrflag_op <= wdata[20:0] & M_OP;
            R_PRE: init_pre <= wdata; // D-46
            R_STOP: init_stop <= wdata;
            R_THRESHOLD: threshold[31:0] <= wdata;
            R_THRESHOLD_HI: threshold[39:32] <= GEN < NV30 ? wdata[7:0] : 8'b0;
            R_CTRL: ctrl <= wdata & M_CTRL;
            R_USER_TRIGGER:
                if (GEN >= GF100)
                    {user_pulse, user} <= wdata[7:0];
                else if (GEN >= GT215)
                    {user_pulse, user} <= {2'b0, wdata[3:2], 2'b0, wdata[1:0]};
            R_RECORD_HIGH: record_high <= GEN >= G92 ? wdata[7:0] : 8'b0;
            R_RECORD_LIMIT: record_limit <= GEN >= G84 ? {wdata[31:4], 4'b0} : 0;
            R_RECORD_START: record_start <= GEN >= G84 ? {wdata[31:4], 4'b0} : 0;
            default:
                if (GEN >= GF100)
                    case (regno)
                    R_NEXT_HIGH: next_high <= wdata[7:0];
                    R_NEXT_RECORD: next_record <= wdata[11:0];
                    R_VSTATUS: report <= wdata[8];
                    R_UNK74: unk74 <= wdata & 32'hffff0000;
                    R_UNKCC: unkcc <= wdata & 32'h77777777;
                    R_UNKD0: unkd0 <= wdata & 32'h77777777;
                    R_UNKD4: unkd4 <= wdata & 32'h80000007;
                    R_UNKD8: unkd8 <= wdata;
                    R_UNKDC: unkdc <= wdata;
                    R_FILTER: filter <= wdata;
                    default: ;
                    endcase
            endcase
    end

// ---------------------------------------------------------------------------
// Reads
// ---------------------------------------------------------------------------
assign ctrl_read = ctrl | {2'b0, single_state, 2'b0, quad_state, 24'b0};

// 0 idle, 1 busy, 3 waiting, 7 halted (U-014)
assign status = GEN < GF100       ? 4'd0 :
                mode == NOTHING   ? 4'd7 :
                mode == QUAD      ? 4'd1 :
                single_state == INACTIVE ? 4'd0 : single_state == COUNTING ? 4'd1 : 4'd3;

wire [31:0] state_read = {4'b0, stop_q, start_q, pre_q, event_q, src[7:6], src[3:2], src[15:12],
                          3'b0, swap_q, src[11:8], event_toggle, 1'b0, flag, flag_reg,
                          quad_state, single_state};

always @(posedge clk)
    if (reset)
        rdata <= 0;
    else if (read) begin
        rdata <= 0; // D-51
        case (regno)
        R_PRE_SRC: rdata <= pre_src;
        R_START_SRC: rdata <= start_src;
        R_EVENT_SRC: rdata <= event_src;
        R_STOP_SRC: rdata <= stop_src;
        R_SETFLAG_SRC: rdata <= setflag_src;
        R_CLRFLAG_SRC: rdata <= clrflag_src;
        R_SPEC_SRC: rdata <= {16'b0, spec_src};
        R_PRE_OP: rdata <= {11'b0, pre_op};
        R_START_OP: rdata <= {11'b0, start_op};
        R_EVENT_OP: rdata <= {11'b0, event_op};
        R_STOP_OP: rdata <= {11'b0, stop_op};
        R_SETFLAG_OP: rdata <= {11'b0, setflag_op};
        R_CLRFLAG_OP: rdata <= {11'b0, clrflag_op};
        R_SRC_STATUS: rdata <= {8'b0, GEN >= GF100 ? src[23:16] : 8'b0, src[15:0]}; // D-61
        R_CYCLES, R_CYCLES_ALT: rdata <= cycles[31:0]; // D-42
        R_CYCLES_HI: rdata <= {24'b0, cycles[39:32]};
        R_EVENT: rdata <= events[31:0];
        R_EVENT_HI: rdata <= {24'b0, events[39:32]};
        R_START: rdata <= starts[31:0];
        R_START_HI: rdata <= {24'b0, starts[39:32]};
        R_PRE: rdata <= pres;
        R_STOP: rdata <= stops;
        R_THRESHOLD: rdata <= threshold[31:0];
        R_THRESHOLD_HI: rdata <= {24'b0, threshold[39:32]};
        R_CTRL: rdata <= ctrl_read;
        R_RECORD_HIGH: rdata <= {24'b0, record_high};
        R_RECORD_LIMIT: rdata <= record_limit;
        R_RECORD_START: rdata <= record_start;
        R_RECORD_STATE: rdata <= record_position;
        default:
            if (regno[6:3] == R_SIG_STATUS[6:3])
                rdata <= vec[{regno[2:0], 5'd0} +: 32]; // D-61
            else if (GEN >= GF100)
                case (regno)
                R_STATE: rdata <= state_read;
                R_NEXT_CYCLES, R_NEXT_RO: rdata <= q_cycles;
                R_NEXT_EVENT: rdata <= q_events;
                R_NEXT_START: rdata <= q_starts;
                R_NEXT_PRE: rdata <= q_pres;
                R_NEXT_STOP: rdata <= q_stops;
                R_NEXT_HIGH: rdata <= {24'b0, next_high};
                R_NEXT_RECORD: rdata <= {20'b0, next_record};
                R_USER_TRIGGER: rdata <= {24'b0, user_pulse, user}; // D-32
                R_VSTATUS: rdata <= {23'b0, report, 4'b0, status};
                R_UNK74: rdata <= unk74;
                R_UNKCC: rdata <= unkcc;
                R_UNKD0: rdata <= unkd0;
                R_UNKD4: rdata <= unkd4;
                R_UNKD8: rdata <= unkd8;
                R_UNKDC: rdata <= unkdc;
                R_FILTER: rdata <= filter;
                default: ;
                endcase
        endcase
    end

endmodule
`default_nettype wire
