(* Claim ours/good-pull (a good pull, pathwise), as algebra. Units: sigma_0 = 1, so sigma^2 = rho.

   An arm k was pulled N times; the best arm l has mean y; v is the sum of the weights of the arms other than k and l, wl
   the weight of l. The round is good: y <= muhat_k + s_n tau_k, which times N + rt reads
       N (y - rbar) <= C sqrt(N + rt) + rho (A - v y)/(1 + v + wl),   rt = rho (v + wl)/(1 + v + wl),
   with A = M + wl ebar_l. If A is at most S (2 + v) + zeta (v - v0), then N (y - rbar) is at most f_N(y, S). *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section GoodPull.

Variable R : rcfType.
Variables (K rho C N y S zeta v wl A : R).
Hypotheses (rho_gt0 : 0 < rho) (C_ge0 : 0 <= C) (N_ge0 : 0 <= N).

Definition w1 := (1 + rho)^-1.
Definition v0 := (K - 2%:R) * w1.
Definition c0 := 2%:R + v0.
Definition k2 := c0 / (c0 - 1 + w1).
Definition slope := 2%:R * y - zeta * c0.
Definition bracket := zeta + S - y + Num.max (slope / K) (slope / c0).

(* f_N(y, S) in its two cases; x is the worst place in [1/K, 1/c0]. *)
Definition f_large := C * Num.sqrt (N + rho * (1 - K^-1)) + rho * (k2 * bracket).
Definition f_at x := C * Num.sqrt (N + rho * (1 - x)) + rho * (zeta + S - y + x * slope).

Hypotheses (K_ge2 : 2%:R <= K) (v_ge : v0 <= v) (v_le : v <= K - 2%:R) (wl_ge : w1 <= wl) (wl_le : wl <= 1).
Hypothesis A_le : A <= S * (2%:R + v) + zeta * (v - v0).

Definition rt := rho * (v + wl) / (1 + v + wl).

Let w1_gt0 : 0 < w1. Proof. by rewrite /w1; sign. Qed.
Let w1_le1 : w1 <= 1. Proof. by rewrite invf_le1 ?ler_addl; sign. Qed.
Let v0_ge0 : 0 <= v0. Proof. by rewrite /v0 mulr_ge0 ?subr_ge0 // ltW. Qed.
Let v_ge0 : 0 <= v. Proof. exact: le_trans v_ge. Qed.
Let wl_gt0 : 0 < wl. Proof. exact: lt_le_trans wl_ge. Qed.
Let K_gt0 : 0 < K. Proof. by apply: lt_le_trans K_ge2; rewrite ltr0n. Qed.
Let two_gt0 : 0 < 2%:R :> R. Proof. by rewrite ltr0n. Qed.
Let v2_gt0 : 0 < 2%:R + v. Proof. by sign. Qed.
Let c0_gt0 : 0 < c0. Proof. by rewrite /c0; sign. Qed.
Let d_gt0 : 0 < 1 + v + wl. Proof. by sign. Qed.

Notation x := ((2%:R + v)^-1).
Notation q := (zeta + S - y + x * slope).

Lemma place_ge : K^-1 <= x.
Proof. by rewrite lef_pinv ?posrE // -ler_subr_addl. Qed.

Lemma place_le : x <= c0^-1.
Proof. by rewrite lef_pinv ?posrE // /c0 ler_add2l. Qed.

Lemma rt_le : rt <= rho * (1 - x).
Proof.
have d0 := d_gt0; have v2 := v2_gt0; have r0 := rho_gt0.
apply: (@le_from_sub _ _ _ (rho * (1 - wl) / ((1 + v + wl) * (2%:R + v)))); last by sign.
by rewrite /rt; field; sign.
Qed.

Lemma root_le : Num.sqrt (N + rt) <= Num.sqrt (N + rho * (1 - x)).
Proof. by apply: ler_wsqrtr; rewrite ler_add2l rt_le. Qed.

Lemma root_le_K : Num.sqrt (N + rho * (1 - x)) <= Num.sqrt (N + rho * (1 - K^-1)).
Proof. by apply: ler_wsqrtr; rewrite ler_add2l ler_pmul2l // ler_add2l ler_opp2 place_ge. Qed.

(* The largest numerator, in terms of x. *)
Lemma numerator_eq : S * (2%:R + v) + zeta * (v - v0) - v * y = (2%:R + v) * q.
Proof. by rewrite /slope /c0; have v2 := v2_gt0; field; sign. Qed.

Lemma linear_le : q <= bracket.
Proof.
rewrite /bracket ler_add2l; case: (lerP 0 slope) => s0.
  by rewrite le_maxr [slope / c0]mulrC (ler_wpmul2r s0 place_le) orbT.
by rewrite le_maxr [slope / K]mulrC (ler_wnmul2r (ltW s0) place_ge).
Qed.

Lemma k2_ge1 : 1 <= k2.
Proof.
have b0 : 0 < c0 - 1 + w1 by rewrite /c0 (_ : _ - 1 + w1 = 1 + v0 + w1); [have u := v0_ge0; have u1 := w1_gt0; sign | ring].
rewrite /k2 ler_pdivl_mulr // mul1r; apply: (@le_from_sub _ _ _ (1 - w1)); first by ring.
by rewrite subr_ge0.
Qed.

Theorem good_pull r : N * (y - r) <= C * Num.sqrt (N + rt) + rho * ((A - v * y) / (1 + v + wl)) ->
  (0 < bracket -> N * (y - r) <= f_large) /\
  (bracket <= 0 -> exists2 p, K^-1 <= p <= c0^-1 & N * (y - r) <= f_at p).
Proof.
move=> good; have d0 := d_gt0; have v2 := v2_gt0; have r0 := rho_gt0; have k1 := k2_ge1.
have top : A - v * y <= (2%:R + v) * q by rewrite -numerator_eq ler_add2r.
have k0 : 0 < k2 by apply: lt_le_trans k1; exact: ltr01.
have step1 : (A - v * y) / (1 + v + wl) <= (2%:R + v) * q / (1 + v + wl) by rewrite ler_pmul2r // invr_gt0.
case: (lerP q 0) => q0.
  have step2 : (2%:R + v) * q / (1 + v + wl) <= q.
    apply: (@le_from_sub _ _ _ ((1 - wl) * - q / (1 + v + wl))); first by field; sign.
    by rewrite !mulr_ge0 ?subr_ge0 ?oppr_ge0 // invr_ge0 ltW.
  have at_x : N * (y - r) <= f_at x.
    apply: (le_trans good); rewrite /f_at ler_add //; first by rewrite ler_wpmul2l // root_le.
    by rewrite ler_pmul2l // (le_trans step1).
  split=> b0; last by exists x; rewrite ?place_ge ?place_le.
  apply: (le_trans at_x); rewrite /f_at /f_large ler_add //; first by rewrite ler_wpmul2l // root_le_K.
  by rewrite ler_pmul2l // (le_trans linear_le) // ler_pemull // ltW.
have b0 : 0 < bracket by apply: lt_le_trans linear_le.
split=> [_|]; last by rewrite leNgt b0.
apply: (le_trans good); rewrite /f_large ler_add //.
  by rewrite ler_wpmul2l // (le_trans root_le) // root_le_K.
rewrite ler_pmul2l // (le_trans step1) //; apply: le_trans (_ : k2 * q <= _); last by rewrite ler_pmul2l // linear_le.
rewrite mulrAC ler_pmul2r //.
have w0 := w1_gt0; have e0 : 0 < c0 - 1 + w1.
  by rewrite /c0 (_ : _ - 1 + w1 = 1 + v0 + w1); [have u := v0_ge0; sign | ring].
apply: (@le_from_sub _ _ _ (((v - v0) * (1 - w1) + (2%:R + v0) * (wl - w1)) / ((c0 - 1 + w1) * (1 + v + wl)))).
  by rewrite /k2 /c0 in e0 *; field; sign.
have a1 : 0 <= v - v0 by rewrite subr_ge0.
have a2 : 0 <= 1 - w1 by rewrite subr_ge0.
have a3 : 0 <= wl - w1 by rewrite subr_ge0.
by have u := v0_ge0; sign.
Qed.

End GoodPull.
