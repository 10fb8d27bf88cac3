(* Relations between numbers by interval arithmetic. The tactic `interval` of coq-interval computes with Coq's primitive
   integers and floats, whose properties are axioms. The same evaluation is made here with floats over the binary
   integers Z, so that a proof assumes nothing beyond Coq's real numbers. *)

From Coq Require Import Reals List.
From Interval Require Import Interval_helper Float_full Specific_ops Specific_stdz.

Module Floats := SpecificFloat StdZRadix2.
Module Intervals := FloatIntervalFull Floats.
Module Evaluation := IntervalTacticAux Intervals.

(* No variable, so that the degree of Taylor models (10) and the depth of bisection (15) are not used. *)
Ltac enclosed_to precision :=
  let bits := eval vm_compute in (Floats.PtoP precision) in
  Evaluation.do_interval (@None R) (@nil R) bits 10%nat 15%nat false false itm_naive.

Ltac enclosed := enclosed_to 53%positive.
