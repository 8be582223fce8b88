// SPDX-License-Identifier: MIT
//
// Decodes an address of the register port into a domain and one of its registers, in the layouts of
// NV10, NV40 and GF100. It has no flops.
`default_nettype none

module pcounter_decode #(
    parameter integer GEN = 4  // variant, see pcounter.vh
) (
    input wire [15:0] addr,
    input wire write,
    input wire [31:0] wdata,
    output reg [7:0] sel,      // the domain; 0: no register of a domain; two of NV10's are of both
    output reg [6:0] regno,    // R_*
    output reg [31:0] wdata_0, // what domain 0, 1 gets; all others as domain 0
    output reg [31:0] wdata_1
);

`include "pcounter.vh"

localparam [11:0] A_NV10_ACK = 12'h738, A_NV10_CTRL = 12'h73c;

generate
    // "GF100": a block of 200h a domain.
    if (GEN >= GF100) begin : gf100
        always @* begin
            regno = 0;
            wdata_0 = wdata;
            wdata_1 = wdata;
            sel = addr[15:12] != 0 ? 8'd0 : 8'd1 << addr[11:9];
            case ({addr[8:2], 2'b00})
            9'h000, 9'h004, 9'h008, 9'h00c, 9'h010, 9'h014, 9'h018, 9'h01c:
                regno = R_SIG_STATUS + {4'b0, addr[4:2]};
            9'h040: regno = R_PRE_SRC;
            9'h044: regno = R_PRE_OP;
            9'h048: regno = R_START_SRC;
            9'h04c: regno = R_START_OP;
            9'h050: regno = R_EVENT_SRC;
            9'h054: regno = R_EVENT_OP;
            9'h058: regno = R_STOP_SRC;
            9'h05c: regno = R_STOP_OP;
            9'h060: regno = R_SETFLAG_OP;
            9'h064: regno = R_CLRFLAG_OP;
            9'h068: regno = R_SRC_STATUS;
            9'h06c: regno = R_SPEC_SRC; // SWAP_SRC
            9'h070: regno = R_CYCLES;
            9'h074: regno = R_UNK74;
            9'h078: regno = R_NEXT_RO;
            9'h080: regno = R_EVENT;
            9'h088: regno = R_START;
            9'h08c: regno = R_PRE;
            9'h090: regno = R_STOP;
            9'h094: regno = R_ABORT;
            9'h098: regno = R_THRESHOLD;
            9'h09c: regno = R_CTRL;
            9'h0a0: regno = R_QUAD_ACK;
            9'h0a4: regno = R_NEXT_EVENT;
            9'h0a8: regno = R_NEXT_PRE;
            9'h0ac: regno = R_NEXT_START;
            9'h0b0: regno = R_NEXT_STOP;
            9'h0bc: regno = R_NEXT_CYCLES;
            9'h0c0: regno = R_NEXT_HIGH;
            9'h0c4: regno = R_NEXT_RECORD;
            9'h0c8: regno = R_VSTATUS;
            9'h0cc: regno = R_UNKCC;
            9'h0d0: regno = R_UNKD0;
            9'h0d4: regno = R_UNKD4;
            9'h0d8: regno = R_UNKD8;
            9'h0dc: regno = R_UNKDC;
            9'h0e0: regno = R_BEGIN;
            9'h0e4: regno = R_STATE;
            9'h0ec: regno = R_USER_TRIGGER;
            9'h100: regno = R_FILTER;
            default: sel = 0;
            endcase
        end
    end else if (GEN >= NV40) begin : nv40
        // "NV40": 20h a register, 4 a domain. CTR_CYCLES_HI and the like do not exist here.
        always @* begin
            regno = 0;
            wdata_0 = wdata;
            wdata_1 = wdata;
            sel = 8'd1 << addr[4:2];
            regno = addr[11:5];
            case (regno)
            R_PRE_SRC, R_PRE_OP, R_START_SRC, R_START_OP, R_EVENT_SRC, R_EVENT_OP, R_STOP_SRC,
            R_STOP_OP, R_SETFLAG_OP, R_CLRFLAG_OP, R_SRC_STATUS, R_SPEC_SRC, R_USER_TRIGGER,
            R_CYCLES, R_CYCLES_ALT, R_EVENT, R_RECORD_HIGH, R_START, R_RECORD_STATE, R_PRE,
            R_RECORD_LIMIT, R_STOP, R_RECORD_START, R_THRESHOLD, R_CTRL, R_QUAD_ACK: ;
            default: sel = 0;
            endcase
            if (addr[11:8] == 4'h8) begin
                sel = 8'd1 << addr[7:5];
                regno = R_SIG_STATUS + {4'b0, addr[4:2]};
            end
        end
    end else begin : nv10
        // "NV10": two blocks of 100h a domain.
        always @* begin
            regno = 0;
            wdata_0 = wdata;
            wdata_1 = wdata;
            sel = 8'd1 << addr[8];
            case ({addr[11:9], addr[7:2], 2'b00})
            11'h200: regno = R_PRE_SRC;
            11'h204: regno = R_PRE_OP;
            11'h208: regno = R_START_SRC;
            11'h20c: regno = R_START_OP;
            11'h210: regno = R_EVENT_SRC;
            11'h214: regno = R_EVENT_OP;
            11'h218: regno = R_STOP_SRC;
            11'h21c: regno = R_STOP_OP;
            11'h220: regno = R_SETFLAG_SRC;
            11'h224: regno = R_SETFLAG_OP;
            11'h228: regno = R_CLRFLAG_SRC;
            11'h22c: regno = R_CLRFLAG_OP;
            11'h230, 11'h234, 11'h238, 11'h23c: regno = R_SIG_STATUS + {5'b0, addr[3:2]};
            11'h300: regno = R_CYCLES;
            11'h304: regno = R_CYCLES_HI;
            11'h308: regno = R_CYCLES_ALT;
            11'h30c: regno = R_CYCLES_HI;
            11'h310: regno = R_EVENT;
            11'h314: regno = R_EVENT_HI;
            11'h318: regno = R_START;
            11'h31c: regno = R_START_HI;
            11'h320: regno = R_PRE;
            11'h324: regno = R_STOP;
            11'h328: regno = R_THRESHOLD;
            11'h32c: regno = R_THRESHOLD_HI;
            11'h330, 11'h334, 11'h338, 11'h33c: regno = R_SIG_STATUS + 7'd4 + {5'b0, addr[3:2]};
            default: sel = 0;
            endcase
            if (addr[11:0] == A_NV10_ACK) begin // D-02, D-04
                sel = write ? 8'h03 : 8'h00;
                regno = R_QUAD_ACK;
                wdata_0 = {31'b0, wdata[0]};
                wdata_1 = {31'b0, wdata[8]};
            end
            if (addr[11:0] == A_NV10_CTRL) begin // D-58
                sel = write ? 8'h03 : 8'h00;
                regno = R_CTRL;
                wdata_0 = {23'b0, wdata[8], 3'b0, wdata[2], 3'b0, wdata[16]};
                wdata_1 = {23'b0, wdata[9], 3'b0, wdata[2], 3'b0, wdata[18]};
            end
        end
    end
endgenerate

endmodule
`default_nettype wire
