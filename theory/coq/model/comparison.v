(* Comparisons of tau_k^2: with the sample mean (Proposition compare-tauANDmab, repaired), from above (Lemma sec:tau)
   and from below (Lemma sec:tau2, repaired); for every number of arms K. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights mse.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Comparison.

Variable R : realFieldType.
Variables s s0 : R.
Hypotheses (s_gt0 : 0 < s) (s0_gt0 : 0 < s0).
Variable K : nat.
Variable n : 'I_K -> R.
Hypothesis n_ge0 : forall i, 0 <= n i.

Notation rho := (rho s s0).
Notation w := (w s s0 n).
Notation W := (W s s0 n).
Notation Wo := (Wo s s0 n).
Notation tau_sq := (tau_sq s s0 n).
Notation tau_tilde_sq := (tau_tilde_sq s s0 n).

Let rho_gt0 : 0 < rho. Proof. exact: rho_gt0. Qed.
Let w_compl_gt0 i : 0 < 1 - w i. Proof. exact: w_compl_gt0. Qed.
Let Wo_ge0 k : 0 <= Wo k. Proof. exact: Wo_ge0. Qed.
Let tau_tilde_sq_gt0 k : 0 < tau_tilde_sq k. Proof. exact: tau_tilde_sq_gt0. Qed.
Hint Resolve rho_gt0 w_compl_gt0 Wo_ge0 tau_tilde_sq_gt0 : sign.

(* Proposition compare-tauANDmab, repaired. The gain over the sample mean, exactly: *)
Theorem gain_eq k : 0 < n k -> s / n k - tau_sq k = (1 - w k) * (s / n k) * (Wo k / W).
Proof.
move=> nk; have wk : 0 < w k by exact: weight_gt0.
have Wk : 0 < w k + Wo k by sign.
rewrite (noise_weight s_gt0 s0_gt0 n_ge0 nk) /mse.tau_sq tau_tilde_sq_weight // (W_split s s0 n k).
by field; sign.
Qed.

Theorem tau_sq_le_sample_mean k : 0 < n k -> tau_sq k <= s / n k.
Proof.
move=> nk; have W0 := W_gt0 s_gt0 s0_gt0 n_ge0 nk.
by apply: (le_from_sub (gain_eq nk)); sign.
Qed.

(* The prediction is strictly better as soon as another arm was pulled ... *)
Theorem tau_sq_lt_sample_mean k j : j != k -> 0 < n k -> 0 < n j -> tau_sq k < s / n k.
Proof.
move=> jk nk nj; have W0 := W_gt0 s_gt0 s0_gt0 n_ge0 nk.
have Wok := Wo_gt0 s_gt0 s0_gt0 n_ge0 jk nj.
by apply: (lt_from_sub (gain_eq nk)); sign.
Qed.

(* ... and the same number if no other arm was: the printed proposition fails there. *)
Theorem tau_sq_eq_sample_mean k : 0 < n k -> (forall i, i != k -> n i = 0) -> tau_sq k = s / n k.
Proof.
move=> nk alone; apply/eqP; rewrite eq_sym -subr_eq0 gain_eq //.
suff -> : Wo k = 0 by rewrite mul0r mulr0.
by apply: big1 => i ik; rewrite /weights.w /weight alone // mul0r.
Qed.

(* beta = 1 + sigma^2 / (K sigma_0^2), the price of not knowing mu_0. *)
Definition beta := 1 + rho / K%:R.

(* Lemma sec:tau: tau_k^2 <= beta tilde-tau_k^2 when every arm was pulled. *)
Theorem tau_sq_le_beta k : (forall i, 1 <= n i) -> tau_sq k <= beta * tau_tilde_sq k.
Proof.
move=> n1; have nk : 0 < n k by apply: lt_le_trans (n1 k); exact: ltr01.
have W0 := W_gt0 s_gt0 s0_gt0 n_ge0 nk.
have K0 : 0 < K%:R :> R by rewrite ltr0n (leq_trans _ (ltn_ord k)).
rewrite tau_sq_factor // mulrC ler_pmul2r // ler_add2l ler_pdivr_mulr //.
apply: le_trans (_ : rho / K%:R * (K%:R * weight s s0 1) <= _); last first.
  by rewrite ler_pmul2l ?W_ge //; sign.
rewrite mulrA divfK ?gt_eqF //.
have -> : rho * weight s s0 1 = rho / (1 + rho) by rewrite /weight; field; sign.
rewrite w_compl //.
by rewrite ler_pmul2l // lef_pinv ?posrE ?ler_add2r //; apply: count_rho_gt0 => //; exact: ler01.
Qed.

(* Equality when every arm was pulled exactly once. *)
Theorem tau_sq_beta_tight k : (forall i, n i = 1) -> tau_sq k = beta * tau_tilde_sq k.
Proof.
move=> n1; have nk : 0 < n k by rewrite n1 ltr01.
have K0 : 0 < K%:R :> R by rewrite ltr0n (leq_trans _ (ltn_ord k)).
have W0 := W_gt0 s_gt0 s0_gt0 n_ge0 nk.
have WK : W = K%:R * weight s s0 1.
  by rewrite /weights.W (eq_bigr (fun=> weight s s0 1)) => [|i _]; rewrite ?sumr_const ?card_ord ?mulr_natl // /weights.w n1.
rewrite tau_sq_factor // mulrC WK /beta /weights.w n1; congr ((1 + _) * _).
by rewrite weight_compl ?ler01 // /weight; field; sign.
Qed.

(* Lemma sec:tau2, repaired: tau_k^2 >= tilde-tau_k^2 (1 + (1 - w_k)/K). *)
Theorem tau_sq_ge k : 0 < W -> tau_tilde_sq k * (1 + (1 - w k) / K%:R) <= tau_sq k.
Proof.
move=> W0; have K0 : 0 < K%:R :> R by rewrite ltr0n (leq_trans _ (ltn_ord k)).
rewrite tau_sq_factor // ler_pmul2l // ler_add2l ler_pmul2l // lef_pinv ?posrE //.
exact: W_le.
Qed.

(* The sharp form: W <= w_k + K - 1. *)
Theorem tau_sq_ge_sharp k : 0 < W -> tau_tilde_sq k * (1 + (1 - w k) / (w k + K.-1%:R)) <= tau_sq k.
Proof.
move=> W0; have WW : W <= w k + K.-1%:R by rewrite (W_split s s0 n k) ler_add2l Wo_le.
by rewrite tau_sq_factor // ler_pmul2l // ler_add2l ler_pmul2l // lef_pinv ?posrE // (lt_le_trans W0 WW).
Qed.

(* The printed Lemma sec:tau2 has 1/(K (1 + rho)) in place of (1 - w_k)/K; it fails exactly here. *)
Theorem tau_sq_ge_printed_iff k : 0 < W ->
  (tau_tilde_sq k * (1 + (K%:R * (1 + rho))^-1) <= tau_sq k) = (W <= K%:R * (1 + rho) * (1 - w k)).
Proof.
move=> W0; have K0 : 0 < K%:R :> R by rewrite ltr0n (leq_trans _ (ltn_ord k)).
have Kr : 0 < K%:R * (1 + rho) by sign.
by rewrite tau_sq_factor // ler_pmul2l // ler_add2l ler_pdivl_mulr // mulrC ler_pdivr_mulr // mulrC.
Qed.

End Comparison.
