(* Theorem 2 (them-R-Bayes), both parts, repaired: the printed bounds for every number of arms and every horizon n > K,
   from four probabilistic facts that are their hypotheses. Rounds are numbered from 0. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights mse comparison widths counting expectation regret logarithm.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sums.

Variable R : rcfType.

Lemma le_by_squares (x y : R) : 0 <= y -> x ^+ 2 <= y ^+ 2 -> x <= y.
Proof.
move=> y0 xy; case: (lerP 0 x) => x0; last exact: le_trans (ltW x0) y0.
by rewrite -(@ler_pexpn2r _ 2%N).
Qed.

(* Cauchy-Schwarz: (sum of m terms)^2 <= m times the sum of their squares. *)
Lemma cauchy_schwarz (y : nat -> R) a m :
  (\sum_(a <= t < a + m) y t) ^+ 2 <= m%:R * \sum_(a <= t < a + m) y t ^+ 2.
Proof.
elim: m => [|m IH]; first by rewrite addn0 !big_geq // mulr0 expr0n.
rewrite addnS !big_nat_recr ?leq_addr //=.
case: m IH => [|m] IH; first by rewrite addn0 !big_geq // !add0r mul1r.
move: (\sum_(a <= t < a + m.+1) y t) (\sum_(a <= t < a + m.+1) y t ^+ 2) (y _) IH => S Q z IH.
have m0 : 0 < m.+1%:R :> R by rewrite ltr0n.
apply: (@le_from_sub _ _ _ ((m.+1%:R * Q - S ^+ 2) * (1 + m.+1%:R^-1) + (S - m.+1%:R * z) ^+ 2 / m.+1%:R)).
  by rewrite [m.+2%:R]mulrS; field; sign.
by have d : 0 <= m.+1%:R * Q - S ^+ 2 by [rewrite subr_ge0]; sign.
Qed.

(* sum of 1/sqrt(t) over the rounds up to n is at most 2 sqrt(n). *)
Lemma sum_inverse_roots a n : (a <= n)%N ->
  \sum_(a <= t < n) (Num.sqrt t.+1%:R)^-1 <= 2%:R * Num.sqrt n%:R :> R.
Proof.
elim: n => [|n IH] an; first by rewrite big_geq // mulr_ge0 ?ler0n ?sqrtr_ge0.
move: an; rewrite leq_eqVlt => /orP[/eqP -> | an]; first by rewrite big_geq // mulr_ge0 ?ler0n ?sqrtr_ge0.
rewrite big_nat_recr //=; pose q : R := Num.sqrt n.+1%:R; pose p : R := Num.sqrt n%:R.
rewrite -/q.
have q0 : 0 < q by rewrite sqrtr_gt0 ltr0n.
have p0 : 0 <= p by exact: sqrtr_ge0.
have qp : q ^+ 2 = p ^+ 2 + 1 by rewrite !sqr_sqrtr ?ler0n // mulrS addrC.
apply: le_trans (_ : 2%:R * p + q^-1 <= _); first by rewrite ler_add2r; exact: IH.
have pq : p <= q by apply: le_by_squares; [exact: ltW | rewrite qp ler_addl ler01].
have E : q^-1 = (q ^+ 2 - p ^+ 2) / q by rewrite qp addrAC subrr add0r mul1r.
apply: (@le_from_sub _ _ _ ((q - p) ^+ 2 / q)); last by sign.
by rewrite {1}E; field; sign.
Qed.

(* sqrt((n - K) K (G - 1)) <= sqrt(n K G) - K for n >= K > 0 and G >= 1. *)
Lemma am_gm (n K G : R) : 0 < K -> K <= n -> 1 <= G ->
  Num.sqrt ((n - K) * (K * (G - 1))) <= Num.sqrt (n * K * G) - K.
Proof.
move=> K0 Kn G1; have n0 := lt_le_trans K0 Kn; have G0 : 0 < G by apply: lt_le_trans G1; exact: ltr01.
have nK : 0 <= n - K by rewrite subr_ge0.
have g1 : 0 <= G - 1 by rewrite subr_ge0.
set q := Num.sqrt (n * K * G).
have q2 : q ^+ 2 = n * K * G by rewrite sqr_sqrtr //; sign.
have qK : K <= q.
  apply: le_by_squares; first exact: sqrtr_ge0.
  rewrite q2; apply: (@le_from_sub _ _ _ (K * ((n - K) * G + K * (G - 1)))); first by ring.
  by sign.
have half : 2%:R * q <= n + K * G.
  apply: le_by_squares; first by sign.
  rewrite exprMn q2; apply: (@le_from_sub _ _ _ ((n - K * G) ^+ 2)); first by ring.
  exact: sqr_ge0.
apply: le_by_squares; first by rewrite subr_ge0.
rewrite sqr_sqrtr; last by sign.
apply: (@le_from_sub _ _ _ (K * (n + K * G - 2%:R * q))).
  have -> : (q - K) ^+ 2 = q ^+ 2 - 2%:R * K * q + K ^+ 2 by ring.
  by rewrite q2; ring.
by have d : 0 <= n + K * G - 2%:R * q by [rewrite subr_ge0]; sign.
Qed.

End Sums.

Section Theorem1.

Variables (R : rcfType) (L : logarithm R).
Variables s s0 : R.
Hypotheses (s_gt0 : 0 < s) (s0_gt0 : 0 < s0).
Variable K' : nat.
Notation K := K'.+1.
Variables (Omega : Type) (E : expectation R Omega).
Variables (arm : Omega -> nat -> 'I_K) (gap : Omega -> 'I_K -> R).
Hypothesis first_rounds : forall x k, pulls (arm x) K k = 1%N.

Notation rho := (rho s s0).
Notation beta := (beta s s0 K).
Notation tau := (tau s s0 arm).
Notation ell := (L (1 + rho^-1)).

(* G = log(1 + n/rho) / log(1 + 1/rho) *)
Definition G (n : nat) := L (1 + n%:R / rho) / ell.

Let rho_gt0 : 0 < rho. Proof. exact: rho_gt0. Qed.
Let ell_gt0 : 0 < ell. Proof. by apply: lg_gt0; rewrite ltr_addl invr_gt0. Qed.
Let K_gt0 : 0 < K%:R :> R. Proof. by rewrite ltr0n. Qed.
Let beta_ge1 : 1 <= beta. Proof. by rewrite ler_addl; have r := rho_gt0; have k := K_gt0; sign. Qed.
Let beta_gt0 : 0 < beta. Proof. by apply: lt_le_trans beta_ge1; exact: ltr01. Qed.
Hint Resolve rho_gt0 ell_gt0 K_gt0 beta_gt0 : sign.

Lemma shifted_log (j : nat) : (0 < j)%N -> L (j%:R + rho) = L rho + L (1 + j%:R / rho).
Proof.
move=> j0; rewrite -lgM //; last by sign.
by congr (L _); have r := rho_gt0; field; sign.
Qed.

(* The sum of 1/t over the rounds after the a-th is at most log n. *)
Lemma sum_inverses a n : (0 < a)%N -> (a <= n)%N -> \sum_(a <= t < n) t.+1%:R^-1 <= L n%:R.
Proof.
move=> a0; elim: n => [|n IH] an; first by have := leq_trans a0 an.
move: an; rewrite leq_eqVlt => /orP[/eqP <- | an]; first by rewrite big_geq // lg_ge0 // (ler_nat R 1).
have n0 : 0 < n%:R :> R by rewrite ltr0n (leq_trans a0).
have m0 : 0 < n.+1%:R :> R by rewrite ltr0n.
rewrite big_nat_recr //=; apply: le_trans (_ : L n%:R + n.+1%:R^-1 <= _); first by rewrite ler_add2r; exact: IH.
have := lg_tangent L m0 n0; rewrite -ler_subl_addr; apply: le_trans.
rewrite ler_add2l le_eqVlt; apply/orP; left; apply/eqP; rewrite [n.+1%:R]mulrS in m0 *.
by field; sign.
Qed.

(* The gamma step of the paper: one pull at count j. *)
Lemma gamma_step (j : nat) : s / (j%:R + rho) <= s0 / ell * (L (j.+1%:R + rho) - L (j%:R + rho)).
Proof.
have r := rho_gt0; have l := ell_gt0; have j0 : 0 <= j%:R :> R by exact: ler0n.
have z0 : 0 < (j%:R + rho)^-1 by sign.
have zm : (j%:R + rho)^-1 <= rho^-1 by rewrite lef_pinv ?posrE ?ler_addr //; sign.
have := lg_ratio L z0 zm; rewrite (_ : 1 + (j%:R + rho)^-1 = (j.+1%:R + rho) / (j%:R + rho)); last first.
  by rewrite mulrS; field; sign.
rewrite lg_div; [| by have j1 : 0 < j.+1%:R :> R by [rewrite ltr0n]; sign | by sign].
move: (L (j.+1%:R + rho) - L (j%:R + rho)) => d le.
have -> : s / (j%:R + rho) = s0 / ell * ((j%:R + rho)^-1 / rho^-1 * ell) by rewrite /weights.rho; field; sign.
by rewrite ler_pmul2l //; sign.
Qed.

Lemma arm_sum (N n : nat) : (0 < N)%N -> (N <= n)%N -> \sum_(1 <= j < N) s / (j%:R + rho) <= s0 * (G n - 1).
Proof.
move=> N0 Nn; have l := ell_gt0; have r := rho_gt0.
apply: le_trans (_ : s0 / ell * (L (N%:R + rho) - L (1 + rho)) <= _).
  elim: N N0 {Nn} => // N IH _; case: N IH => [|N] IH; first by rewrite big_geq // subrr mulr0.
  rewrite big_nat_recr //=; apply: le_trans (ler_add (IH isT) (gamma_step N.+1)) _.
  by rewrite -mulrDr le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _); ring.
rewrite shifted_log // -[1 + rho]/(1%:R + rho) shifted_log // opprD addrACA subrr add0r.
rewrite (_ : 1%:R / rho = rho^-1); last by rewrite mul1r.
have -> : s0 / ell * (L (1 + N%:R / rho) - ell) = s0 * (L (1 + N%:R / rho) / ell - 1) by field; sign.
rewrite ler_pmul2l // ler_add2r /G ler_pmul2r ?invr_gt0 //.
apply: lg_mono; first by sign.
by rewrite ler_add2l ler_pmul2r ?invr_gt0 // ler_nat.
Qed.

Lemma tau_sq_round x t k : (K <= t)%N -> tau x t k ^+ 2 <= beta * (s / ((pulls (arm x) t k)%:R + rho)).
Proof.
move=> Kt; have n1 i : 1 <= (pulls (arm x) t i)%:R :> R by rewrite (ler_nat R 1) pulls_gt0.
have n0 i : 0 <= (pulls (arm x) t i)%:R :> R by exact: ler0n.
rewrite /regret.tau sqr_sqrtr; first exact: (tau_sq_le_beta s_gt0 s0_gt0 n0 k n1).
rewrite addr_ge0 //; first by rewrite ltW // tau_tilde_sq_gt0.
have W0 : 0 < W s s0 (fun i => (pulls (arm x) t i)%:R).
  by apply: (W_gt0 s_gt0 s0_gt0 n0 (k := k)); apply: lt_le_trans (n1 k); exact: ltr01.
by sign.
Qed.

(* The squared widths met in the rounds after the K-th: K sigma_0^2 beta (G - 1). *)
Lemma sum_tau_sq x n : (K <= n)%N -> \sum_(K <= t < n) tau x t (arm x t) ^+ 2 <= beta * (K%:R * (s0 * (G n - 1))).
Proof.
move=> Kn; apply: le_trans (_ : \sum_(K <= t < n) beta * (s / ((pulls (arm x) t (arm x t))%:R + rho)) <= _).
  by rewrite !big_nat; apply: ler_sum => t /andP[Kt _]; exact: tau_sq_round.
rewrite -mulr_sumr ler_pmul2l // (rounds_by_arm (arm x) (fun _ j => s / (j%:R + rho)) Kn).
rewrite mulr_natl -[K in _ *+ K]card_ord -sumr_const; apply: ler_sum => k _; rewrite first_rounds.
by apply: arm_sum; rewrite ?pulls_gt0 // (leq_trans (pulls_share_le first_rounds x k Kn)) // subSS leq_subr.
Qed.

Variables (a pi first : R) (psi : nat -> R).
Hypotheses (a_ge1 : 1 <= a) (pi_gt0 : 0 < pi).

Definition c t := Num.sqrt (a * L t.+1%:R).
Definition h n := Num.sqrt (a * beta * L n%:R * s0).

(* The sum of the widths, bounded as in the paper. *)
Lemma sum_widths x n : (K < n)%N ->
  \sum_(K <= t < n) c t * tau x t (arm x t) <= h n * (Num.sqrt (n%:R * K%:R * G n) - K%:R).
Proof.
move=> Kn; have Kn' := ltnW Kn; have k0 := K_gt0; have b0 := beta_gt0.
have a0 : 0 <= a by apply: le_trans a_ge1; exact: ler01.
have ln0 : 0 <= L n%:R by apply: lg_ge0; rewrite (ler_nat R 1) (leq_trans _ Kn).
have nK : K%:R <= n%:R :> R by rewrite ler_nat.
have G1 : 1 <= G n.
  rewrite /G ler_pdivl_mulr // mul1r; apply: lg_mono; first by have r := rho_gt0; sign.
  by rewrite ler_add2l -[X in X <= _]mul1r ler_pmul2r ?invr_gt0 // (ler_nat R 1) (leq_trans _ Kn).
apply: le_trans (_ : h n * Num.sqrt ((n%:R - K%:R) * (K%:R * (G n - 1))) <= _); last first.
  by rewrite ler_wpmul2l ?sqrtr_ge0 // am_gm.
apply: le_trans (_ : \sum_(K <= t < n) Num.sqrt (a * L n%:R) * tau x t (arm x t) <= _).
  rewrite !big_nat; apply: ler_sum => t /andP[_ tn]; rewrite ler_wpmul2r ?sqrtr_ge0 //.
  by apply: ler_wsqrtr; rewrite ler_wpmul2l // lg_mono ?ltr0n ?ler_nat.
rewrite -mulr_sumr; set T := \sum_(K <= t < n) _.
have nKd : 0 <= n%:R - K%:R :> R by rewrite subr_ge0.
have G1d : 0 <= G n - 1 by rewrite subr_ge0.
have T2 : T ^+ 2 <= (n%:R - K%:R) * (beta * (K%:R * (s0 * (G n - 1)))).
  have := cauchy_schwarz (fun t => tau x t (arm x t)) K (n - K); rewrite subnKC // natrB // => cs.
  by apply: (le_trans cs); rewrite ler_wpmul2l // sum_tau_sq.
apply: le_by_squares; first by rewrite mulr_ge0 ?sqrtr_ge0.
rewrite !exprMn /h !sqr_sqrtr; try by sign.
apply: le_trans (ler_wpmul2l _ T2) _; first by sign.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* The sum of all widths of one round. *)
Lemma sum_tau x t : (K <= t)%N -> \sum_k tau x t k <= K%:R * Num.sqrt (beta * (s / (1 + rho))).
Proof.
move=> Kt; have r := rho_gt0; have b0 := beta_gt0.
rewrite mulr_natl -[K in _ *+ K]card_ord -sumr_const; apply: ler_sum => k _.
apply: le_by_squares; first exact: sqrtr_ge0.
rewrite [X in _ <= X]sqr_sqrtr; last by sign.
apply: le_trans (tau_sq_round x k Kt) _; rewrite ler_pmul2l // ler_pmul2l // lef_pinv ?posrE; try by sign.
by rewrite ler_add2r (ler_nat R 1) pulls_gt0.
Qed.

(* Both parts, before the sum of the tails is bounded. Probabilistic facts:
   first_cost   a round-robin round costs `first` = sigma_0 e_K (sec:analysis/round-robin);
   first_le     e_K <= 2 sqrt(log(K + 1)) (ours/e_K);
   one_round    ours/round, with psi_t = Psi(sqrt(a log t)). *)
Theorem theorem1_tails n : (K < n)%N ->
  regret E arm gap K = K%:R * first ->
  first <= 2%:R * Num.sqrt (s0 * L K.+1%:R) ->
  (forall t, 0 <= psi t) ->
  (forall t, (K <= t < n)%N ->
    E (fun x => gap x (arm x t)) <= E (fun x => c t * tau x t (arm x t)) + psi t * E (fun x => \sum_k tau x t k)) ->
  regret E arm gap n <= 2%:R * Num.sqrt (a * G n * beta * s0 * K%:R * n%:R * L n%:R)
    + (\sum_(K <= t < n) psi t) * (K%:R * Num.sqrt (beta * (s / (1 + rho)))).
Proof.
move=> Kn first_cost first_le psi0 one_round; have Kn' := ltnW Kn.
have r := rho_gt0; have k0 := K_gt0; have b0 := beta_gt0; have b1 := beta_ge1.
have a0 : 0 < a by apply: lt_le_trans a_ge1; exact: ltr01.
have n0 : 0 < n%:R :> R by rewrite ltr0n (leq_trans _ Kn).
have ln1 : L K.+1%:R <= L n%:R by rewrite lg_mono ?ltr0n ?ler_nat.
have ln0 : 0 <= L K.+1%:R by apply: lg_ge0; rewrite (ler_nat R 1).
have ln : 0 <= L n%:R by exact: le_trans ln1.
have h0 : 0 <= h n by exact: sqrtr_ge0.
have G0 : 0 <= G n.
  by apply: divr_ge0; [apply: lg_ge0; rewrite ler_addl; sign | have l := ell_gt0; sign].
have first_h : first <= 2%:R * h n.
  apply: (le_trans first_le); rewrite ler_wpmul2l ?ler0n //; apply: ler_wsqrtr.
  rewrite [X in X <= _]mulrC; apply: ler_wpmul2r; first exact: ltW.
  apply: (le_trans ln1); rewrite -[X in X <= _]mul1r; apply: ler_wpmul2r => //.
  by rewrite -[X in X <= _]mul1r; apply: ler_pmul => //; exact: ler01.
set q := Num.sqrt (n%:R * K%:R * G n).
have big : 2%:R * Num.sqrt (a * G n * beta * s0 * K%:R * n%:R * L n%:R) = 2%:R * (h n * q).
  congr (_ * _); rewrite /h /q -sqrtrM; last by sign.
  by congr Num.sqrt; ring.
have G1 : 1 <= G n.
  rewrite /G ler_pdivl_mulr // mul1r; apply: lg_mono; first by sign.
  by rewrite ler_add2l -[X in X <= _]mul1r ler_pmul2r ?invr_gt0 // (ler_nat R 1) (leq_trans _ Kn).
have qK : K%:R <= q.
  apply: le_by_squares; first exact: sqrtr_ge0.
  rewrite sqr_sqrtr; last by sign.
  rewrite expr2 -mulrA [n%:R * _]mulrC -mulrA; apply: ler_wpmul2l; first exact: ltW.
  by rewrite -[X in X <= _]mul1r; apply: ler_pmul; rewrite ?ler01 ?ler_nat // ltW.
rewrite regret_split // first_cost.
apply: le_trans (_ : K%:R * first + (h n * (q - K%:R)
    + \sum_(K <= t < n) psi t * (K%:R * Num.sqrt (beta * (s / (1 + rho))))) <= _).
  rewrite ler_add2l.
  apply: le_trans (_ : \sum_(K <= t < n) (E (fun x => c t * tau x t (arm x t)) + psi t * E (fun x => \sum_k tau x t k)) <= _).
    by rewrite !big_nat; apply: ler_sum => t; exact: one_round.
  rewrite big_split /=; apply: ler_add.
    rewrite -(mean_sum E (fun t x => c t * tau x t (arm x t))); apply: mean_le_const => x.
    exact: sum_widths.
  rewrite !big_nat; apply: ler_sum => t /andP[Kt _]; rewrite ler_wpmul2l //; apply: mean_le_const => x.
  exact: sum_tau.
rewrite addrA -mulr_suml ler_add2r.
rewrite big; apply: (@le_from_sub _ _ _ (K%:R * (2%:R * h n - first) + h n * (q - K%:R))); first by ring.
by have d1 : 0 <= 2%:R * h n - first by [rewrite subr_ge0]; have d2 : 0 <= q - K%:R by [rewrite subr_ge0]; sign.
Qed.

(* Theorem 2, part (1). Beside those of `theorem1_tails` one probabilistic fact:
   psi_le       Psi(sqrt(a log t)) <= 1/sqrt(2 pi t) for a >= 1 (ours/psi, ours/psi/round). *)
Theorem theorem1_part1 n : (K < n)%N ->
  regret E arm gap K = K%:R * first ->
  first <= 2%:R * Num.sqrt (s0 * L K.+1%:R) ->
  (forall t, 0 <= psi t) -> (forall t, psi t <= (Num.sqrt (2%:R * pi))^-1 * (Num.sqrt t.+1%:R)^-1) ->
  (forall t, (K <= t < n)%N ->
    E (fun x => gap x (arm x t)) <= E (fun x => c t * tau x t (arm x t)) + psi t * E (fun x => \sum_k tau x t k)) ->
  regret E arm gap n <= 2%:R * Num.sqrt (a * G n * beta * s0 * K%:R * n%:R * L n%:R)
    + (K%:R + rho) * Num.sqrt (8%:R * n%:R * (s0 * s) / (pi * (s0 + s))).
Proof.
move=> Kn first_cost first_le psi0 psi_le one_round.
apply: (le_trans (theorem1_tails Kn first_cost first_le psi0 one_round)); rewrite ler_add2l.
have r := rho_gt0; have k0 := K_gt0; have b0 := beta_gt0; have b1 := beta_ge1.
have n0 : 0 < n%:R :> R by rewrite ltr0n (leq_trans _ Kn).
set P := Num.sqrt (2%:R * pi).
have P0 : 0 < P by rewrite sqrtr_gt0; have p0 := pi_gt0; have t0 : 0 < 2%:R :> R by [rewrite ltr0n]; sign.
have tails : \sum_(K <= t < n) psi t <= P^-1 * (2%:R * Num.sqrt n%:R).
  apply: le_trans (_ : \sum_(K <= t < n) P^-1 * (Num.sqrt t.+1%:R)^-1 <= _); first by apply: ler_sum.
  by rewrite -mulr_sumr ler_pmul2l ?invr_gt0 // sum_inverse_roots // ltnW.
apply: le_trans (ler_wpmul2r _ tails) _; first by rewrite mulr_ge0 ?ler0n ?sqrtr_ge0.
have p0 := pi_gt0; have two : 0 < 2%:R :> R by rewrite ltr0n.
apply: le_by_squares; first by rewrite mulr_ge0 ?sqrtr_ge0 //; sign.
rewrite !exprMn exprVn !sqr_sqrtr; try by sign.
have vv : s / (1 + rho) = s0 * s / (s0 + s) by rewrite /weights.rho; field; sign.
have Kb : K%:R + rho = K%:R * beta by rewrite /comparison.beta; field; sign.
rewrite Kb vv; apply: (@le_from_sub _ _ _
  (2%:R * K%:R ^+ 2 * beta * n%:R * (s0 * s) / (pi * (s0 + s)) * (4%:R * (beta - 1) + 3%:R))).
  by field; sign.
by have d : 0 <= beta - 1 by [rewrite subr_ge0]; sign.
Qed.

(* Theorem 2, part (2), with Psi(sqrt(a log t)) <= 1/(sqrt(2 pi) t) for a >= 2 (ours/psi, ours/psi/round). *)
Theorem theorem1_part2 n : (K < n)%N ->
  regret E arm gap K = K%:R * first ->
  first <= 2%:R * Num.sqrt (s0 * L K.+1%:R) ->
  (forall t, 0 <= psi t) -> (forall t, psi t <= (Num.sqrt (2%:R * pi))^-1 / t.+1%:R) ->
  (forall t, (K <= t < n)%N ->
    E (fun x => gap x (arm x t)) <= E (fun x => c t * tau x t (arm x t)) + psi t * E (fun x => \sum_k tau x t k)) ->
  regret E arm gap n <= 2%:R * Num.sqrt (a * G n * beta * s0 * K%:R * n%:R * L n%:R)
    + (1 + L n%:R) * (K%:R + rho) * Num.sqrt (2%:R * (s0 * s) / (pi * (s0 + s))).
Proof.
move=> Kn first_cost first_le psi0 psi_le one_round.
apply: (le_trans (theorem1_tails Kn first_cost first_le psi0 one_round)); rewrite ler_add2l.
have r := rho_gt0; have k0 := K_gt0; have b0 := beta_gt0; have b1 := beta_ge1.
have ln0 : 0 <= L n%:R by apply: lg_ge0; rewrite (ler_nat R 1) (leq_trans _ Kn).
have p0 := pi_gt0; have two : 0 < 2%:R :> R by rewrite ltr0n.
set P := Num.sqrt (2%:R * pi).
have P0 : 0 < P by rewrite sqrtr_gt0; sign.
have tails : \sum_(K <= t < n) psi t <= P^-1 * (1 + L n%:R).
  apply: le_trans (_ : \sum_(K <= t < n) P^-1 * t.+1%:R^-1 <= _); first by apply: ler_sum.
  rewrite -mulr_sumr ler_pmul2l ?invr_gt0 //; apply: (le_trans (sum_inverses (ltn0Sn K') (ltnW Kn))).
  by rewrite ler_addr ler01.
apply: le_trans (ler_wpmul2r _ tails) _; first by rewrite mulr_ge0 ?ler0n ?sqrtr_ge0.
apply: le_by_squares; first by rewrite !mulr_ge0 ?sqrtr_ge0 //; sign.
rewrite !exprMn exprVn !sqr_sqrtr; try by sign.
have vv : s / (1 + rho) = s0 * s / (s0 + s) by rewrite /weights.rho; field; sign.
have Kb : K%:R + rho = K%:R * beta by rewrite /comparison.beta; field; sign.
rewrite Kb vv; apply: (@le_from_sub _ _ _
  ((1 + L n%:R) ^+ 2 * K%:R ^+ 2 * beta * (s0 * s) / (2%:R * pi * (s0 + s)) * (4%:R * (beta - 1) + 3%:R))).
  by field; sign.
by have d : 0 <= beta - 1 by [rewrite subr_ge0]; sign.
Qed.

End Theorem1.
