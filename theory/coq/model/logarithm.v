(* A logarithm as far as Theorem 2 needs it: it turns products into sums and lies below x - 1. Both properties are
   hypotheses, so that what follows holds for the natural logarithm and uses nothing else of it. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record logarithm (R : realFieldType) := Logarithm {
  lg :> R -> R;
  lgM : forall x y, 0 < x -> 0 < y -> lg (x * y) = lg x + lg y;
  lg_le : forall x, 0 < x -> lg x <= x - 1
}.

Section Logarithm.

Variables (R : realFieldType) (L : logarithm R).
Implicit Types x y m : R.

Lemma lg1 : L 1 = 0.
Proof. by apply: (addrI (L 1)); rewrite addr0 -lgM ?ltr01 // mulr1. Qed.

Lemma lgV x : 0 < x -> L x^-1 = - L x.
Proof. by move=> x0; apply/eqP; rewrite -addr_eq0 -lgM ?invr_gt0 // mulVf ?lg1 // gt_eqF. Qed.

Lemma lg_div x y : 0 < x -> 0 < y -> L (x / y) = L x - L y.
Proof. by move=> x0 y0; rewrite lgM ?invr_gt0 // lgV. Qed.

(* It lies below its tangents. *)
Lemma lg_tangent x y : 0 < x -> 0 < y -> L y <= L x + (y - x) / x.
Proof.
move=> x0 y0; have := lg_le L (divr_gt0 y0 x0); rewrite lg_div // ler_subl_addl => le.
by apply: (le_trans le); rewrite le_eqVlt; apply/orP; left; apply/eqP; field; sign.
Qed.

Lemma lg_mono x y : 0 < x -> x <= y -> L x <= L y.
Proof.
move=> x0 xy; have y0 := lt_le_trans x0 xy; apply: le_trans (lg_tangent y0 x0) _.
have d : 0 <= y - x by rewrite subr_ge0.
by rewrite ger_addl -oppr_ge0 -mulNr opprB; sign.
Qed.

Lemma lg_ge0 x : 1 <= x -> 0 <= L x.
Proof. by move=> x1; rewrite -lg1; apply: lg_mono => //; exact: ltr01. Qed.

Lemma lg_gt0 x : 1 < x -> 0 < L x.
Proof.
move=> x1; have x0 := lt_trans (@ltr01 R) x1; have := lg_tangent x0 (@ltr01 R); rewrite lg1.
rewrite -ler_subl_addr sub0r; apply: lt_le_trans.
have d : 0 < x - 1 by rewrite subr_gt0.
by rewrite -mulNr opprB; sign.
Qed.

(* log(1 + x)/x falls: the step `sec:proof/x-over-log`. *)
Lemma lg_ratio x m : 0 < x -> x <= m -> x / m * L (1 + m) <= L (1 + x).
Proof.
move=> x0 xm; have m0 := lt_le_trans x0 xm.
have c0 : 0 < 1 + x by sign.
have d0 : 0 < 1 + m by sign.
have t1 := lg_tangent c0 d0; have t0 := lg_tangent c0 (@ltr01 R); rewrite lg1 in t0.
have q0 : 0 <= x / m by sign.
have q1 : 0 <= 1 - x / m by rewrite subr_ge0 ler_pdivr_mulr // mul1r.
have := ler_add (ler_wpmul2l q0 t1) (ler_wpmul2l q1 t0); rewrite mulr0 addr0 => le.
apply: (le_trans le); rewrite le_eqVlt; apply/orP; left; apply/eqP.
by field; sign.
Qed.

End Logarithm.
