(* Weights of the arms and sums of them, for every number of arms K.

   K arms; arm i was pulled n i times (n i is any nonnegative number of the field); s = sigma^2 is the variance of a
   reward, s0 = sigma_0^2 that of the arm means. Names of lemmas: the thing, then what is said of it. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* a <= b and a < b from the difference in a form whose sign can be read off. *)
Lemma le_from_sub (R : realFieldType) (a b d : R) : b - a = d -> 0 <= d -> a <= b.
Proof. by move=> <-; rewrite subr_ge0. Qed.

Lemma lt_from_sub (R : realFieldType) (a b d : R) : b - a = d -> 0 < d -> a < b.
Proof. by move=> <-; rewrite subr_gt0. Qed.

(* Signs that can be read off an expression: sums, products, quotients and powers of what is known to be positive or
   nonnegative, from hypotheses and from the lemmas in the hint database `sign`. *)
Create HintDb sign.

Ltac sign :=
  lazymatch goal with
  | |- is_true (_ && _) => apply/andP; split; sign
  | |- is_true (_ != 0) => first [ done | apply: lt0r_neq0; sign ]
  | |- is_true (0 < _) =>
      first [ done | solve [auto with sign] | exact: ltr01 | by rewrite subr_gt0 | by rewrite ltr0n
            | apply: addr_gt0; sign | apply: ltr_paddr; sign | apply: ltr_paddl; sign
            | apply: mulr_gt0; sign | rewrite invr_gt0; sign | apply: exprn_gt0; sign ]
  | |- is_true (0 <= _) =>
      first [ done | solve [auto with sign] | exact: ler0n | by rewrite subr_ge0 | exact: sqr_ge0
            | apply: addr_ge0; sign | apply: mulr_ge0; sign | rewrite invr_ge0; sign | apply: exprn_ge0; sign
            | apply: ltW; sign ]
  end.

Section Weights.

Variable R : realFieldType.
Variables s s0 : R.
Hypotheses (s_gt0 : 0 < s) (s0_gt0 : 0 < s0).

Definition rho := s / s0.
Definition weight (x : R) := x / (x + rho).

Lemma rho_gt0 : 0 < rho. Proof. exact: divr_gt0. Qed.
Hint Resolve rho_gt0 : sign.

Lemma count_rho_gt0 x : 0 <= x -> 0 < x + rho.
Proof. by move=> x0; sign. Qed.
Hint Resolve count_rho_gt0 : sign.

(* Eq. w-def as printed: w_k = sigma_0^2 / (sigma_0^2 + sigma^2 / n_k). *)
Lemma weight_printed x : 0 < x -> weight x = s0 / (s0 + s / x).
Proof.
by move=> x0; rewrite /weight /rho; field; sign.
Qed.

Lemma weight_ge0 x : 0 <= x -> 0 <= weight x.
Proof. by move=> x0; rewrite /weight; sign. Qed.

Lemma weight_gt0 x : 0 < x -> 0 < weight x.
Proof. by move=> x0; rewrite /weight; sign. Qed.

(* 1 - w_k = rho / (n_k + rho). *)
Lemma weight_compl x : 0 <= x -> 1 - weight x = rho / (x + rho).
Proof. by move=> x0; rewrite /weight; field; sign. Qed.

Lemma weight_compl_gt0 x : 0 <= x -> 0 < 1 - weight x.
Proof. by move=> x0; rewrite weight_compl //; sign. Qed.

Lemma weight_lt1 x : 0 <= x -> weight x < 1.
Proof. by move=> x0; rewrite -subr_gt0 weight_compl_gt0. Qed.

Lemma weight_le x y : 0 <= x -> x <= y -> weight x <= weight y.
Proof.
move=> x0 xy; have y0 := le_trans x0 xy.
apply: (@le_from_sub _ _ _ (rho * (y - x) / ((x + rho) * (y + rho)))).
  by rewrite /weight; field; sign.
by sign.
Qed.

(* A pulled arm has at least the weight of one pull. *)
Lemma weight_one : weight 1 = s0 / (s0 + s).
Proof. by rewrite weight_printed ?ltr01 // divr1. Qed.

Lemma weight_ge_one x : 1 <= x -> weight 1 <= weight x.
Proof. exact: weight_le ler01. Qed.

(* The exchange used all over the paper: n_k (1 - w_k) = rho w_k. *)
Lemma weight_exchange x : 0 <= x -> x * (1 - weight x) = rho * weight x.
Proof. by move=> x0; rewrite /weight; field; sign. Qed.

Section Arms.

Variable K : nat.
Variable n : 'I_K -> R.
Hypothesis n_ge0 : forall i, 0 <= n i.

Definition w i := weight (n i).
Definition W := \sum_i w i.
Definition Wo k := \sum_(i | i != k) w i.

Lemma w_ge0 i : 0 <= w i. Proof. exact: weight_ge0. Qed.
Lemma w_lt1 i : w i < 1. Proof. exact: weight_lt1. Qed.
Lemma w_compl_gt0 i : 0 < 1 - w i. Proof. exact: weight_compl_gt0. Qed.

(* The sum over all arms seen from arm k. *)
Lemma W_split k : W = w k + Wo k.
Proof. by rewrite /W /Wo (bigD1 k). Qed.

Lemma Wo_ge0 k : 0 <= Wo k.
Proof. by apply: sumr_ge0 => i _; exact: w_ge0. Qed.

Lemma sum_others_const (k : 'I_K) (c : R) : \sum_(i | i != k) c = c *+ K.-1.
Proof. by rewrite sumr_const; have := cardC1 k; rewrite card_ord => <-. Qed.

(* The other arms together weigh at most K - 1 ... *)
Lemma Wo_le k : Wo k <= K.-1%:R.
Proof. by rewrite -(sum_others_const k); apply: ler_sum => i _; rewrite ltW // w_lt1. Qed.

Lemma W_le : W <= K%:R.
Proof. by rewrite -[K in K%:R]card_ord -sumr_const; apply: ler_sum => i _; rewrite ltW // w_lt1. Qed.

Lemma W_gt0 k : 0 < n k -> 0 < W.
Proof. by move=> nk; rewrite (W_split k) ltr_paddr ?Wo_ge0 // weight_gt0. Qed.

Lemma sum_gt0 (f : 'I_K -> R) (P : pred 'I_K) j :
  (forall i, P i -> 0 <= f i) -> P j -> 0 < f j -> 0 < \sum_(i | P i) f i.
Proof.
move=> f0 Pj fj; rewrite (bigD1 j) //= ltr_paddr //.
by apply: sumr_ge0 => i /andP[Pi _]; exact: f0.
Qed.

(* ... and more than nothing as soon as one of them was pulled. *)
Lemma Wo_gt0 k j : j != k -> 0 < n j -> 0 < Wo k.
Proof. by move=> jk nj; apply: (@sum_gt0 _ _ j) => // [i _|]; [exact: w_ge0|exact: weight_gt0]. Qed.

(* Bounds when every arm was pulled: the hypothesis `J s0/(s0+s) <= Wo <= J` of the ledger's goals. *)
Lemma Wo_ge k : (forall i, 1 <= n i) -> K.-1%:R * weight 1 <= Wo k.
Proof.
move=> n1; rewrite mulr_natl -(sum_others_const k).
by apply: ler_sum => i _; exact: weight_ge_one.
Qed.

Lemma W_ge : (forall i, 1 <= n i) -> K%:R * weight 1 <= W.
Proof.
move=> n1; rewrite mulr_natl -[K in _ *+ K]card_ord -sumr_const.
by apply: ler_sum => i _; exact: weight_ge_one.
Qed.

(* The sum in the denominator of Eq. MSE, in the weights: sum of n_i (1 - w_i) = rho W. *)
Lemma precision_W : \sum_i n i * (1 - w i) = rho * W.
Proof. by rewrite /W mulr_sumr; apply: eq_bigr => i _; exact: weight_exchange. Qed.

End Arms.

End Weights.
