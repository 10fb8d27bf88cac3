(* The leave-one-out form of tau_k^2 and of the prediction: the other arms are worth rt_k pulls of arm k, with
   alpha <= rt_k < rho once every arm was pulled. So tau_k^2 <= g_sq (n_k) = sigma^2/(n_k + alpha), and widths of two arms
   are in a bounded ratio. For every number of arms K. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights mse.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Widths.

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

Let rho_gt0 : 0 < rho. Proof. exact: rho_gt0. Qed.
Let count_gt0 i : 0 < n i + rho. Proof. exact: count_rho_gt0. Qed.
Let Wo_ge0 k : 0 <= Wo k. Proof. exact: Wo_ge0. Qed.
Hint Resolve rho_gt0 count_gt0 Wo_ge0 : sign.

(* The pulls of arm k that the rewards of the other arms are worth. *)
Definition rt k := rho * Wo k / (1 + Wo k).
Definition alpha := K.-1%:R * rho / (K%:R + rho).
Definition g_sq (x : R) := s / (x + alpha).

Lemma rt_ge0 k : 0 <= rt k. Proof. by rewrite /rt; sign. Qed.
Lemma alpha_ge0 : 0 <= alpha. Proof. by rewrite /alpha; sign. Qed.
Hint Resolve rt_ge0 alpha_ge0 : sign.

Lemma rt_lt_rho k : rt k < rho.
Proof. by apply: (@lt_from_sub _ _ _ (rho / (1 + Wo k))); [rewrite /rt; field; sign | sign]. Qed.

(* tau_k^2 = sigma^2 / (n_k + rt_k). *)
Theorem tau_sq_leave_one_out k : 0 < n k -> tau_sq k = s / (n k + rt k).
Proof.
move=> nk; have vk := Wo_ge0 k; have nr := count_gt0 k; have rh := rho_gt0.
have wW : W = n k / (n k + rho) + Wo k by rewrite (W_split s s0 n k).
have W0 : 0 < n k / (n k + rho) + Wo k by sign.
have -> : s / (n k + rt k) = s0 * rho / (n k + rt k) by rewrite [s0 * rho]mulrC -s_rho.
rewrite /mse.tau_sq tau_tilde_sq_weight // w_compl // wW /rt; move: (Wo k) (n k) rho vk nk nr rh {W0 wW} => v x r v0 x0 xr r0.
by field; sign.
Qed.

(* The prediction: arm k's own mean counts n_k times, the weighted mean of the others rt_k times. *)
Theorem blup_leave_one_out k (rbar : 'I_K -> R) : 0 < n k -> 0 < Wo k ->
  \sum_i blup s s0 n k i * rbar i
  = (n k * rbar k + rt k * (\sum_(i | i != k) w i * rbar i / Wo k)) / (n k + rt k).
Proof.
move=> nk vk; have nr := count_gt0 k; have rh := rho_gt0.
have W0 : 0 < W by exact: (W_gt0 s_gt0 s0_gt0 n_ge0 nk).
rewrite (bigD1 k) //= (eq_bigr (fun i => (1 - w k) / W * (w i * rbar i))) => [|i ik]; last first.
  by rewrite /blup /at_arm (negPf ik) mulr0n; ring.
rewrite -mulr_sumr -mulr_suml /blup /at_arm eqxx mulr1n w_compl // /rt.
move: (\sum_(i | i != k) w i * rbar i) => M.
have wW : W = n k / (n k + rho) + Wo k by rewrite (W_split s s0 n k).
rewrite wW in W0 *; rewrite /weights.w /weight.
move: (Wo k) (n k) rho (rbar k) vk nk nr rh W0 {wW} => v x r y v0 x0 xr r0 W0.
by field; sign.
Qed.

Section EveryArmPulled.

Hypothesis n_ge1 : forall i, 1 <= n i.

Let K_gt0 (k : 'I_K) : 0 < K%:R :> R. Proof. by rewrite ltr0n (leq_trans _ (ltn_ord k)). Qed.
Let n_gt0 i : 0 < n i. Proof. by apply: lt_le_trans (n_ge1 i); exact: ltr01. Qed.

Lemma K_pred (k : 'I_K) : K%:R = K.-1%:R + 1 :> R.
Proof. by rewrite -[1]/(1%:R) -natrD addn1 prednK // (leq_trans _ (ltn_ord k)). Qed.

Theorem alpha_le_rt k : alpha <= rt k.
Proof.
have v1 := Wo_ge s_gt0 s0_gt0 k n_ge1; have v0 := Wo_ge0 k; have J0 : 0 <= K.-1%:R :> R by exact: ler0n.
have rh := rho_gt0; have r1 : 0 < 1 + rho by sign.
have vr : 0 <= Wo k * (1 + rho) - K.-1%:R.
  rewrite subr_ge0 -ler_pdivr_mulr //; move: v1; rewrite /weight.
  by rewrite (_ : _ * (1 / (1 + rho)) = K.-1%:R / (1 + rho)) //; field; sign.
apply: (@le_from_sub _ _ _ (rho * (Wo k * (1 + rho) - K.-1%:R) / ((1 + Wo k) * (K.-1%:R + 1 + rho)))).
  by rewrite /rt /alpha (K_pred k); field; sign.
by sign.
Qed.

Theorem tau_sq_le_g_sq k : tau_sq k <= g_sq (n k).
Proof.
rewrite tau_sq_leave_one_out // /g_sq ler_pmul2l // lef_pinv ?posrE ?ler_add2l ?alpha_le_rt //; have := n_gt0 k => nk.
  by sign.
by sign.
Qed.

Lemma g_sq_le x y : 0 < x -> x <= y -> g_sq y <= g_sq x.
Proof.
move=> x0 xy; have y0 := lt_le_trans x0 xy.
by rewrite /g_sq ler_pmul2l // lef_pinv ?posrE ?ler_add2r //; sign.
Qed.

Lemma rt_le k l : n k <= n l -> rt l <= rt k.
Proof.
move=> kl; have v0 := Wo_ge0 k; have u0 := Wo_ge0 l.
have wkl : w k <= w l by exact: weight_le.
have vu : 0 <= Wo k - Wo l.
  have Wo_eq i : Wo i = W - w i by rewrite (W_split s s0 n i) addrAC subrr add0r.
  by rewrite !Wo_eq (_ : _ - _ = w l - w k) ?subr_ge0 //; ring.
apply: (@le_from_sub _ _ _ (rho * (Wo k - Wo l) / ((1 + Wo k) * (1 + Wo l)))).
  by rewrite /rt; field; sign.
by sign.
Qed.

(* Widths of the pulled arm I and of any other arm k: tau_I^2 / tau_k^2 >= g_sq (n_I) / g_sq 1. *)
Theorem tau_sq_ratio i k : g_sq (n i) / g_sq 1 <= tau_sq i / tau_sq k.
Proof.
rewrite !tau_sq_leave_one_out // /g_sq.
have a0 := alpha_ge0; have ri := rt_ge0 i; have rk := rt_ge0 k; have ni := n_gt0 i; have nk := n_gt0 k.
have ai := alpha_le_rt i; have i1 := n_ge1 i; have k1 := n_ge1 k.
have -> : s / (n i + alpha) / (s / (1 + alpha)) = (1 + alpha) / (n i + alpha) by field; sign.
have -> : s / (n i + rt i) / (s / (n k + rt k)) = (n k + rt k) / (n i + rt i) by field; sign.
apply: le_trans (_ : (1 + rt i) / (n i + rt i) <= _).
  apply: (@le_from_sub _ _ _ ((n i - 1) * (rt i - alpha) / ((n i + alpha) * (n i + rt i)))).
    by field; sign.
  by sign.
rewrite ler_pmul2r ?invr_gt0; last by sign.
case: (lerP (n k) (n i)) => ki; first by rewrite ler_add // rt_le.
have wki : 0 <= w k - w i by rewrite subr_ge0; apply: weight_le => //; exact: ltW.
have rd : rt i - rt k = rho * (w k - w i) / ((1 + Wo k) * (1 + Wo i)).
  have v0 := Wo_ge0 k; have u0 := Wo_ge0 i.
  have -> : w k = w i + Wo i - Wo k by rewrite -W_split (W_split s s0 n k) addrK.
  by rewrite /rt; field; sign.
have wd : w k - w i = rho * (n k - n i) / ((n k + rho) * (n i + rho)).
  by rewrite /weights.w /weight; field; sign.
have small : rt i - rt k <= n k - n i.
  rewrite rd wd ler_pdivr_mulr; last by have v0 := Wo_ge0 k; have u0 := Wo_ge0 i; sign.
  have d0 : 0 < n k - n i by rewrite subr_gt0.
  apply: (@le_trans _ _ (n k - n i)); last first.
    rewrite ler_pmulr //; have v0 := Wo_ge0 k; have u0 := Wo_ge0 i.
    by apply: (@le_from_sub _ _ _ (Wo k + Wo i + Wo k * Wo i)); [ring | sign].
  have rh := rho_gt0.
  apply: (@le_from_sub _ _ _ ((n k - n i) * (n k * n i + rho * n k + rho * n i) / ((n k + rho) * (n i + rho)))).
    by field; sign.
  by sign.
apply: (@le_from_sub _ _ _ ((n i - 1) + ((n k - n i) - (rt i - rt k)))); first by ring.
by apply: addr_ge0; rewrite subr_ge0.
Qed.

End EveryArmPulled.

End Widths.
