; SPDX-License-Identifier: MIT
;
; "Input selection" of a domain without its flops, restated from the documents for a proof:
; `now` and `before` are the signals in this cycle and the one before, by position.
(set-logic ALL)
(define-sort Word () (_ BitVec 32))
(define-sort Position () (_ BitVec 8))
(declare-const now (Array Position Bool))
(declare-const before (Array Position Bool))

(define-fun is-set ((w Word) (i Word)) Bool (= #b1 ((_ extract 0 0) (bvlshr w i))))
(define-fun s0 ((w Word)) Position ((_ extract 7 0) w))
(define-fun s1 ((w Word)) Position ((_ extract 15 8) w))
(define-fun s2 ((w Word)) Position ((_ extract 23 16) w))
(define-fun s3 ((w Word)) Position ((_ extract 31 24) w))

; Bit number ARG3 ARG2 ARG1 ARG0 of the table.
(define-fun table ((op Word) (a0 Bool) (a1 Bool) (a2 Bool) (a3 Bool)) Bool
  (is-set op (bvadd (ite a0 #x00000001 #x00000000) (ite a1 #x00000002 #x00000000)
                    (ite a2 #x00000004 #x00000000) (ite a3 #x00000008 #x00000000))))

; g92: ARG2 and ARG3 can be late; bit: where their switches begin; chained: ARG3 can be `setflag`.
(define-fun one-input ((g92 Bool) (bit Word) (chained Bool) (src Word) (op Word) (setflag Bool)) Bool
  (table op
    (ite (is-set op #x00000010) (select before (s0 src)) (select now (s0 src)))
    (ite (is-set op #x00000011) (select before (s1 src)) (select now (s1 src)))
    (ite (and g92 (is-set op bit)) (select before (s0 src)) (select now (s2 src)))
    (ite (and chained (is-set op #x00000012)) setflag
         (ite (and g92 (is-set op (bvadd bit #x00000001)))
              (select before (s1 src)) (select now (s3 src))))))

; PRE, START, CLRFLAG and, with its own sources, SETFLAG.
(define-fun plain ((g92 Bool) (gf100 Bool) (src Word) (op Word)) Bool
  (one-input g92 (ite gf100 #x00000013 #x00000012) false src op false))
; What SETFLAG and CLRFLAG look at from NV30 on.
(define-fun set-src ((pre Word) (start Word)) Word (concat (s1 pre) (s0 pre) (s3 start) (s2 start)))
(define-fun clr-src ((pre Word) (start Word)) Word (concat (s1 start) (s0 start) (s3 pre) (s2 pre)))
; EVENT and STOP.
(define-fun chained ((nv30 Bool) (g92 Bool) (src Word) (op Word) (setflag Bool)) Bool
  (one-input g92 #x00000013 nv30 src op setflag))
