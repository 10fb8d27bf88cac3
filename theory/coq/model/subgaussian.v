(* Theorem 5 (them-R-Bayes-SubR), repaired: rewards and means in [0, 1], sub-Gaussian effects and noise, for every number
   of arms and every horizon. Rounds are numbered from 0. What is assumed of the law of the bandit stands in the
   hypotheses of each theorem: what a first round costs, and the chance that the interval of some arm fails. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights mse comparison widths counting expectation regret logarithm theorem1.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Subgaussian.

Variables (R : rcfType) (L : logarithm R).
Variables s s0 : R.
Hypotheses (s_gt0 : 0 < s) (s0_gt0 : 0 < s0).
Variable K' : nat.
Notation K := K'.+1.
Variables (Omega : Type) (E : expectation R Omega).

(* A run: the arm of every round, the means of the arms and the best arm, the predictions before every round. *)
Variables (arm : Omega -> nat -> 'I_K) (mu : Omega -> 'I_K -> R) (best : Omega -> 'I_K).
Variable muhat : Omega -> nat -> 'I_K -> R.
Variable a : R.

Notation rho := (rho s s0).
Notation beta := (beta s s0 K).
Notation tau := (tau s s0 arm).
Notation g := (g s s0 K).
Notation G := (G L s s0).
Notation c := (c L a).

Definition gap x k := mu x (best x) - mu x k.

(* The interval of some arm does not contain its mean. *)
Definition fails x t := [exists k, c t * tau x t k < `|muhat x t k - mu x k|].

Hypothesis first_rounds : forall x k, pulls (arm x) K k = 1%N.
Hypothesis unit_means : forall x k, 0 <= mu x k <= 1.
Hypothesis largest_index : forall x t k, (K <= t)%N ->
  muhat x t k + c t * tau x t k <= muhat x t (arm x t) + c t * tau x t (arm x t).

Lemma gap_le1 x k : gap x k <= 1.
Proof.
have /andP[_ b1] := unit_means x (best x); have /andP[k0 _] := unit_means x k.
by rewrite /gap ler_subl_addr (le_trans b1) // ler_addl.
Qed.

(* A round costs twice the width of the pulled arm if all intervals hold, and at most 1 in any case. *)
Lemma one_round x t : (K <= t)%N -> gap x (arm x t) <= 2%:R * (c t * tau x t (arm x t)) + (fails x t)%:R.
Proof.
move=> Kt; case f: (fails x t).
  by rewrite (le_trans (gap_le1 _ _)) // ler_addr !mulr_ge0 ?ler0n ?sqrtr_ge0.
have holds k : `|muhat x t k - mu x k| <= c t * tau x t k.
  by rewrite leNgt; apply/negP => out; case/negP: (negbT f); apply/existsP; exists k.
have := holds (best x); rewrite ler_norml => /andP[low _].
have := holds (arm x t); rewrite ler_norml => /andP[_ high].
have := largest_index x (best x) Kt; rewrite /gap addr0.
move: (c t * tau x t (best x)) (c t * tau x t (arm x t)) low high => p q; rewrite ler_oppl opprB => low high index.
have -> : 2%:R * q = q + q by ring.
rewrite ler_subl_addr (le_trans (_ : _ <= muhat x t (best x) + p)) //; first by rewrite -ler_subl_addl.
by rewrite (le_trans index) // addrAC ler_add2r -ler_subl_addr.
Qed.

Hypothesis a_ge0 : 0 <= a.

Let c_ge0 t : 0 <= c t. Proof. exact: sqrtr_ge0. Qed.

Let c_rises t : c t <= c t.+1.
Proof. by apply: ler_wsqrtr; rewrite ler_wpmul2l // lg_mono ?ltr0n ?ler_nat. Qed.

(* min(1, sigma_0 sqrt(2 log K)) *)
Definition start := Num.min 1 (Num.sqrt (2%:R * s0 * L K%:R)).

Lemma first_round_le t : E (fun x => gap x (arm x t)) <= Num.sqrt (2%:R * s0 * L K%:R) ->
  E (fun x => gap x (arm x t)) <= start.
Proof. by move=> le; rewrite le_minr le andbT; apply: mean_le_const => x; exact: gap_le1. Qed.

Lemma regret_sum n : regret E arm gap n = \sum_(0 <= t < n) E (fun x => gap x (arm x t)).
Proof. exact: (mean_sum E (fun t x => gap x (arm x t))). Qed.

(* Horizons up to K. *)
Theorem subgaussian_first n : (n <= K)%N ->
  (forall t, (t < K)%N -> E (fun x => gap x (arm x t)) <= Num.sqrt (2%:R * s0 * L K%:R)) ->
  regret E arm gap n <= n%:R * start.
Proof.
move=> nK first; rewrite regret_sum mulr_natl -[n in _ *+ n]subn0 -sumr_const_nat !big_nat.
by apply: ler_sum => t /andP[_ tn]; apply: first_round_le; apply: first; exact: leq_trans nK.
Qed.

Lemma later_rounds n : (K <= n)%N ->
  \sum_(K <= t < n) E (fun x => gap x (arm x t))
  <= E (fun x => 2%:R * \sum_(K <= t < n) c t * tau x t (arm x t)) + \sum_(K <= t < n) E (fun x => (fails x t)%:R).
Proof.
move=> Kn; rewrite -!(mean_sum E (fun t x => _)) -mean_add; apply: mean_le => x.
rewrite mulr_sumr -big_split /= !big_nat; apply: ler_sum => t /andP[Kt _]; exact: one_round.
Qed.

(* Theorem 5, repaired. Probabilistic facts:
   first   a first round costs at most sigma_0 sqrt(2 log K) (them-R-Bayes-SubR/repaired/first-rounds);
   prior   the chance by the prior, 4 K t exp(-a log(t)/(2 kappa)) (.../repaired/prior-route/chance);
   range   the chance by the range, 2 K (1 + log(t) sqrt(a log t)/4) exp((1 + 1/sigma_0^2 - a log t)/2)
           (.../repaired/range-route/chance). *)
Theorem subgaussian n (by_prior by_range : nat -> R) : (K <= n)%N ->
  (forall t, (t < K)%N -> E (fun x => gap x (arm x t)) <= Num.sqrt (2%:R * s0 * L K%:R)) ->
  (forall t, (K <= t < n)%N -> E (fun x => (fails x t)%:R) <= by_prior t) ->
  (forall t, (K <= t < n)%N -> E (fun x => (fails x t)%:R) <= by_range t) ->
  regret E arm gap n <= K%:R * start
    + 2%:R * (\sum_(0 <= j < n - K) c (n.-1 - j)%N * g (j %/ K).+1)
    + \sum_(K <= t < n) Num.min 1 (Num.min (by_prior t) (by_range t)).
Proof.
move=> Kn first prior range; rewrite regret_split // -addrA; apply: ler_add; first exact: subgaussian_first.
apply: le_trans (later_rounds Kn) _; apply: ler_add.
  apply: mean_le_const => x; rewrite ler_wpmul2l ?ler0n //.
  apply: le_trans (_ : \sum_(K <= t < n) c t * g (pulls (arm x) t (arm x t)) <= _).
    by rewrite !big_nat; apply: ler_sum => t /andP[Kt _]; rewrite ler_wpmul2l ?tau_le_g.
  apply: widest_last => //; first exact: g_falls.
  by move=> k; rewrite first_rounds.
rewrite !big_nat; apply: ler_sum => t tK; rewrite !le_minr prior // range // !andbT.
by apply: mean_le_const => x; rewrite lern1 leq_b1.
Qed.

(* The closed form for a >= 1 (.../long-horizons/repaired). e = exp(1/2 + 1/(2 sigma_0^2)), and the factor
   exp(-a log(t)/2) of the chance by the range is at most 1/sqrt(t). *)
Theorem subgaussian_closed n e : (K < n)%N -> 1 <= a -> 0 <= e ->
  (forall t, (K <= t < n)%N ->
    E (fun x => (fails x t)%:R) <= 2%:R * K%:R * (1 + L t.+1%:R * c t / 4%:R) * e * (Num.sqrt t.+1%:R)^-1) ->
  regret E arm gap n <= K%:R + 2%:R * Num.sqrt (a * G n * beta * s0 * K%:R * n%:R * L n%:R)
    + 4%:R * K%:R * Num.sqrt n%:R * (1 + L n%:R * Num.sqrt (a * L n%:R) / 4%:R) * e.
Proof.
move=> Kn a1 e0 range; have Kn' := ltnW Kn; rewrite regret_split // -addrA; apply: ler_add.
  rewrite -[K%:R]mulr1; rewrite regret_sum mulr_natl -[K in _ *+ K]subn0 -sumr_const_nat.
  by apply: ler_sum => t _; apply: mean_le_const => x; exact: gap_le1.
apply: le_trans (later_rounds Kn') _; apply: ler_add.
  apply: mean_le_const => x; rewrite ler_wpmul2l ?ler0n //.
  apply: le_trans (sum_widths L s_gt0 s0_gt0 first_rounds a1 x Kn) _.
  have h0 : 0 <= h L s s0 K' a n by exact: sqrtr_ge0.
  apply: le_trans (_ : h L s s0 K' a n * Num.sqrt (n%:R * K%:R * G n) <= _).
    by rewrite ler_wpmul2l // ler_subl_addr ler_addl ler0n.
  have r := rho_gt0 s_gt0 s0_gt0; have k0 : 0 < K%:R :> R by rewrite ltr0n.
  have b0 : 0 < beta by rewrite /comparison.beta; sign.
  have ln : 0 <= L n%:R by apply: lg_ge0; rewrite (ler_nat R 1) (leq_trans _ Kn).
  rewrite /h -sqrtrM; last by sign.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; congr Num.sqrt; ring.
set C := 2%:R * K%:R * (1 + L n%:R * Num.sqrt (a * L n%:R) / 4%:R) * e.
apply: le_trans (_ : \sum_(K <= t < n) C * (Num.sqrt t.+1%:R)^-1 <= _).
  rewrite !big_nat; apply: ler_sum => t tK; apply: (le_trans (range t tK)).
  have /andP[_ tn] := tK; have up : L t.+1%:R <= L n%:R by rewrite lg_mono ?ltr0n ?ler_nat.
  have l0 : 0 <= L t.+1%:R by apply: lg_ge0; rewrite (ler_nat R 1).
  rewrite /C ler_wpmul2r ?invr_ge0 ?sqrtr_ge0 // ler_wpmul2r // ler_wpmul2l ?mulr_ge0 ?ler0n // ler_add2l ler_wpmul2r ?invr_ge0 ?ler0n //.
  by apply: ler_pmul => //; apply: ler_wsqrtr; apply: ler_wpmul2l.
have C0 : 0 <= C.
  have ln : 0 <= L n%:R by apply: lg_ge0; rewrite (ler_nat R 1) (leq_trans _ Kn).
  by rewrite /C !mulr_ge0 ?addr_ge0 ?mulr_ge0 ?invr_ge0 ?ler0n ?ler01 ?sqrtr_ge0.
rewrite -mulr_sumr; apply: le_trans (ler_wpmul2l C0 (sum_inverse_roots R Kn')) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /C; ring.
Qed.

End Subgaussian.
