(* An expectation as far as the regret theorems need it: a linear, monotone functional on real functions that maps 1 to
   1. Nothing else of probability is used in this development. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record expectation (R : realFieldType) (Omega : Type) := Expectation {
  mean :> (Omega -> R) -> R;
  mean_add : forall f g, mean (fun x => f x + g x) = mean f + mean g;
  mean_scale : forall c f, mean (fun x => c * f x) = c * mean f;
  mean_le : forall f g, (forall x, f x <= g x) -> mean f <= mean g;
  mean_one : mean (fun=> 1) = 1
}.

Section Expectation.

Variables (R : realFieldType) (Omega : Type) (E : expectation R Omega).
Implicit Types f g : Omega -> R.

Lemma mean_eq f g : (forall x, f x = g x) -> E f = E g.
Proof. by move=> fg; apply/le_anti/andP; split; apply: mean_le => x; rewrite fg. Qed.

Lemma mean_const c : E (fun=> c) = c.
Proof. by rewrite -[RHS]mulr1 -(mean_one E) -mean_scale; apply: mean_eq => x; rewrite mulr1. Qed.

Lemma mean_ge0 f : (forall x, 0 <= f x) -> 0 <= E f.
Proof. by move=> f0; rewrite -(mean_const 0); exact: mean_le. Qed.

Lemma mean_le_const c f : (forall x, f x <= c) -> E f <= c.
Proof. by move=> fc; rewrite -[X in _ <= X](mean_const c); exact: mean_le. Qed.

Lemma mean_sub f g : E (fun x => f x - g x) = E f - E g.
Proof. by rewrite -[- E g]mulN1r -mean_scale -mean_add; apply: mean_eq => x; rewrite mulN1r. Qed.

Lemma mean_sum (F : nat -> Omega -> R) a b :
  E (fun x => \sum_(a <= t < b) F t x) = \sum_(a <= t < b) E (F t).
Proof.
elim: b => [|b IH]; first by rewrite big_geq // -[RHS](mean_const 0); apply: mean_eq => x; rewrite big_geq.
case: (leqP a b) => ab; last by rewrite big_geq // -[RHS](mean_const 0); apply: mean_eq => x; rewrite big_geq.
by rewrite big_nat_recr //= -IH -mean_add; apply: mean_eq => x; rewrite big_nat_recr.
Qed.

Lemma mean_sum_arms K (F : 'I_K -> Omega -> R) : E (fun x => \sum_k F k x) = \sum_k E (F k).
Proof.
elim: K F => [|K IH] F; first by rewrite big_ord0 -[RHS](mean_const 0); apply: mean_eq => x; rewrite big_ord0.
by rewrite big_ord_recr /= -IH -mean_add; apply: mean_eq => x; rewrite big_ord_recr.
Qed.

End Expectation.
