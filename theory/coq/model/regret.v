(* The regret theorems from an explicit list of probabilistic facts: sums over rounds and arms, pigeonhole and constants
   for every number of arms K + 1 and every horizon n. Rounds are numbered from 0: round t here is round t + 1 of the
   paper. What is assumed of the law of the bandit stands in the hypotheses of each theorem and nowhere else. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights mse widths counting expectation.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Width.

Variable R : rcfType.
Variables s s0 : R.
Hypotheses (s_gt0 : 0 < s) (s0_gt0 : 0 < s0).
Variable K : nat.

(* g(j) = sigma / sqrt(j + alpha), the widest tau after j pulls. *)
Definition g (j : nat) : R := Num.sqrt (g_sq s s0 K j%:R).

Notation alpha := (alpha s s0 K).
Let alpha_ge0 : 0 <= alpha. Proof. exact: alpha_ge0. Qed.
Hint Resolve alpha_ge0 : sign.

Lemma g_ge0 j : 0 <= g j. Proof. exact: sqrtr_ge0. Qed.

Lemma g_falls i j : (0 < i)%N -> (i <= j)%N -> g j <= g i.
Proof. by move=> i0 ij; apply: ler_wsqrtr; apply: g_sq_le; rewrite ?ltr0n ?ler_nat. Qed.

Lemma g_root j : (0 < j)%N -> g j = Num.sqrt s / Num.sqrt (j%:R + alpha).
Proof. by move=> j0; rewrite /g /g_sq sqrtrM ?ltW // sqrtrV //; sign. Qed.

(* Three roots whose squares are one apart: 2/q <= 1/p + 1/r. *)
Lemma inverse_roots_convex (p q r : R) : 0 < p -> 0 < q -> 0 < r -> q ^+ 2 = p ^+ 2 + 1 -> r ^+ 2 = q ^+ 2 + 1 ->
  q^-1 - p^-1 <= r^-1 - q^-1.
Proof.
move=> p0 q0 r0 qp rq.
have qp' : q - p = (q + p)^-1.
  have -> : (q + p)^-1 = (q ^+ 2 - p ^+ 2) / (q + p) by rewrite qp [p ^+ 2 + 1]addrC addrK mul1r.
  by field; sign.
have rq' : r - q = (r + q)^-1.
  have -> : (r + q)^-1 = (r ^+ 2 - q ^+ 2) / (r + q) by rewrite rq [q ^+ 2 + 1]addrC addrK mul1r.
  by field; sign.
have rp : 0 <= r - p by rewrite -[r - p](subrKA q) rq' qp'; sign.
apply: (@le_from_sub _ _ _ ((r - p) * (r + p + q) / (p * q * r * (p + q) * (q + r)))); last by sign.
have -> : r^-1 - q^-1 - (q^-1 - p^-1) = (q - p) / (p * q) - (r - q) / (q * r) by field; sign.
by rewrite qp' rq'; field; sign.
Qed.

Lemma g_convex i : (0 < i)%N -> g i.+1 - g i <= g i.+2 - g i.+1.
Proof.
move=> i0; rewrite !g_root // -!mulrBr ler_wpmul2l ?sqrtr_ge0 //.
have pos j : (0 < j)%N -> 0 < j%:R + alpha by move=> j0; apply: ltr_paddr; rewrite ?ltr0n.
apply: inverse_roots_convex; rewrite ?sqrtr_gt0 ?pos // !sqr_sqrtr ?ltW ?pos //.
  by rewrite mulrS; ring.
by rewrite [in LHS]mulrS; ring.
Qed.

End Width.

Section Regret.

Variable R : rcfType.
Variables s s0 : R.
Hypotheses (s_gt0 : 0 < s) (s0_gt0 : 0 < s0).
Variable K' : nat.
Notation K := K'.+1.
Variables (Omega : Type) (E : expectation R Omega).

(* A run: the arm of every round, and the gap mu_* - mu_k of every arm. Every arm is pulled once in the first K rounds. *)
Variables (arm : Omega -> nat -> 'I_K) (gap : Omega -> 'I_K -> R).
Hypothesis first_rounds : forall x k, pulls (arm x) K k = 1%N.

Definition regret n := E (fun x => \sum_(0 <= t < n) gap x (arm x t)).

(* The count of the pulled arm before round t, and the widths tau_k of Eq. MSE at the counts before round t. *)
Definition count x t := pulls (arm x) t (arm x t).
Definition tau x t k := Num.sqrt (tau_sq s s0 (fun i => (pulls (arm x) t i)%:R) k).

Lemma pulls_gt0 x t k : (K <= t)%N -> (0 < pulls (arm x) t k)%N.
Proof. by move=> Kt; apply: leq_trans (pulls_le (arm x) k Kt); rewrite first_rounds. Qed.

Lemma tau_le_g x t k : (K <= t)%N -> tau x t k <= g s s0 K (pulls (arm x) t k).
Proof.
move=> Kt; apply: ler_wsqrtr; apply: (tau_sq_le_g_sq s_gt0 s0_gt0) => i; first exact: ler0n.
by rewrite (ler_nat R 1) pulls_gt0.
Qed.

(* The other arms were pulled once each, so an arm has at most t - (K - 1) of the pulls before round t. *)
Lemma pulls_share x t k : (K <= t)%N -> (pulls (arm x) t k + K' <= t)%N.
Proof.
move=> Kt; rewrite -[X in (_ <= X)%N](pulls_sum (arm x) t) (bigD1 k) //= leq_add2l.
apply: (@leq_trans (\sum_(i < K | i != k) 1)%N).
  by rewrite sum1_card; have := cardC1 k; rewrite card_ord => ->.
by apply: leq_sum => i _; exact: pulls_gt0.
Qed.

Lemma pulls_share_le x t k : (K <= t)%N -> (pulls (arm x) t k <= t.+1 - K)%N.
Proof. by move=> Kt; rewrite subSS -(leq_add2r K') subnK ?pulls_share // ltnW. Qed.

(* The decomposition of a regret into its first K rounds and the others. *)
Lemma regret_split n : (K <= n)%N -> regret n = regret K + \sum_(K <= t < n) E (fun x => gap x (arm x t)).
Proof.
move=> Kn; rewrite -(mean_sum E (fun t x => gap x (arm x t))) /regret -mean_add.
by apply: mean_eq => x; rewrite (big_cat_nat _ _ _ _ Kn).
Qed.

(* Bound ours/sharp. Probabilistic facts: `one_round` is claim ours/round, with c_t = sqrt(a log t) and psi_t = Psi(c_t);
   regret K is the cost of the first K rounds, K sigma_0 e_K by claim sec:analysis/round-robin. *)
Theorem regret_sharp n (c psi : nat -> R) : (K <= n)%N ->
  (forall t, 0 <= c t) -> (forall t, c t <= c t.+1) -> (forall t, 0 <= psi t) ->
  (forall t, (K <= t < n)%N ->
    E (fun x => gap x (arm x t)) <= E (fun x => c t * tau x t (arm x t)) + psi t * E (fun x => \sum_k tau x t k)) ->
  regret n <= regret K
    + \sum_(0 <= j < n - K) c (n.-1 - j)%N * g s s0 K (j %/ K).+1
    + \sum_(K <= t < n) psi t * (K'%:R * g s s0 K 1 + g s s0 K (t.+1 - K)).
Proof.
move=> Kn c0 rises psi0 one_round; rewrite regret_split // -addrA ler_add2l.
apply: le_trans (_ : \sum_(K <= t < n) (E (fun x => c t * tau x t (arm x t)) + psi t * E (fun x => \sum_k tau x t k)) <= _).
  by rewrite !big_nat; apply: ler_sum => t; exact: one_round.
rewrite big_split /=; apply: ler_add.
  rewrite -(mean_sum E (fun t x => c t * tau x t (arm x t))); apply: mean_le_const => x.
  apply: le_trans (_ : \sum_(K <= t < n) c t * g s s0 K (pulls (arm x) t (arm x t)) <= _).
    by rewrite !big_nat; apply: ler_sum => t /andP[Kt _]; rewrite ler_wpmul2l ?tau_le_g.
  apply: widest_last => //; first exact: g_falls.
  by move=> k; rewrite first_rounds.
rewrite !big_nat; apply: ler_sum => t /andP[Kt _]; rewrite ler_wpmul2l //; apply: mean_le_const => x.
apply: le_trans (_ : \sum_k g s s0 K (pulls (arm x) t k) <= _); first by apply: ler_sum => k _; exact: tau_le_g.
have := worst_spread (g_convex s_gt0 s0_gt0 K) (fun k => pulls_gt0 x k Kt).
by rewrite pulls_sum subSS.
Qed.

(* Claim ours/counting/prices. Every round after the K-th is exactly one of star (the best arm is pulled), good and bad.
   `bad_rounds` is claim ours/counting/bad-rounds after taking the expectation: what bad rounds cost beyond the price of
   the round; worst t bounds that number for every possible count. *)
Theorem regret_prices n (price : nat -> R) (best : Omega -> 'I_K) (good bad : Omega -> nat -> bool)
    (net : nat -> nat -> R) (worst : nat -> R) : (K <= n)%N ->
  (forall N, 0 <= price N) ->
  (forall x, gap x (best x) = 0) ->
  (forall x t, (K <= t < n)%N -> arm x t != best x -> good x t (+) bad x t) ->
  (forall x t, (K <= t < n)%N -> arm x t = best x -> ~~ good x t && ~~ bad x t) ->
  (forall t, (K <= t < n)%N ->
    E (fun x => (bad x t)%:R * (gap x (arm x t) + price (count x t)) - price (count x t))
    <= E (fun x => net t (count x t))) ->
  (forall t N, (K <= t < n)%N -> (0 < N <= t.+1 - K)%N -> net t N <= worst t) ->
  regret n <= regret K + \sum_(1 <= N < (n - K).+1) price N
    + E (fun x => \sum_(K <= t < n) (good x t)%:R * (gap x (arm x t) + price (count x t)))
    + \sum_(K <= t < n) worst t.
Proof.
move=> Kn price0 best0 kinds stars bad_rounds worst_net.
rewrite regret_split // -!addrA ler_add2l addrA.
have star_prices x : \sum_(K <= t < n) (arm x t == best x)%:R * price (count x t) <= \sum_(1 <= N < (n - K).+1) price N.
  rewrite (rounds_by_arm (arm x) (fun k j => (k == best x)%:R * price j) Kn) (bigD1 (best x)) //=.
  rewrite [X in _ + X]big1 ?addr0 => [|k /negPf kb]; last by rewrite big1 // => j _; rewrite kb mul0r.
  rewrite first_rounds (eq_bigr price) => [|j _]; last by rewrite eqxx mul1r.
  have N1 : (pulls (arm x) n (best x) <= (n - K).+1)%N by rewrite -subSn ?pulls_share_le.
  case: (leqP 1 (pulls (arm x) n (best x))) => p1; last by rewrite big_geq ?sumr_ge0 // ltnW.
  by rewrite (big_cat_nat _ _ _ p1 N1) /= ler_addl sumr_ge0.
apply: le_trans (_ : E (fun x => \sum_(1 <= N < (n - K).+1) price N
    + \sum_(K <= t < n) (good x t)%:R * (gap x (arm x t) + price (count x t))
    + \sum_(K <= t < n) ((bad x t)%:R * (gap x (arm x t) + price (count x t)) - price (count x t))) <= _).
  rewrite -(mean_sum E (fun t x => gap x (arm x t))); apply: mean_le => x.
  apply: le_trans (_ : \sum_(K <= t < n) (arm x t == best x)%:R * price (count x t)
    + \sum_(K <= t < n) (good x t)%:R * (gap x (arm x t) + price (count x t))
    + \sum_(K <= t < n) ((bad x t)%:R * (gap x (arm x t) + price (count x t)) - price (count x t)) <= _); last first.
    by rewrite !ler_add2r.
  rewrite -!big_split /= !big_nat; apply: ler_sum => t tK.
  have [ib|ib] := eqVneq (arm x t) (best x).
    by have /andP[/negPf -> /negPf ->] := stars x t tK ib; rewrite ib best0 !mul0r add0r !mul1r addr0 addrN.
  have := kinds x t tK ib; case: (good x t); case: (bad x t) => // _; rewrite !mul0r !mul1r ?add0r ?addr0.
    by rewrite addrK.
  by rewrite addrK.
rewrite !mean_add mean_const -!addrA !ler_add2l (mean_sum E (fun t x => _)) !big_nat.
apply: ler_sum => t tK; apply: le_trans (bad_rounds t tK) _; apply: mean_le_const => x.
by apply: worst_net => //; case/andP: tK => Kt _; rewrite pulls_share_le // pulls_gt0.
Qed.

(* The counting bound (claim ours/counting). Probabilistic facts: `kinds`, `stars`, `bad_rounds` and `worst_net` as
   for prices, with net t N = beta_t(N) - (1 - p_t(N)) price N; `good_event`: a good pull of arm k at count N happens only
   in the event of that pair (ours/good-pull); `good_cost`: what the event of one pair costs in the mean
   (ours/counting/good-rounds). Each pair of an arm and a count is pulled in at most one round. *)
Theorem regret_counting n (price cost : nat -> R) (best : Omega -> 'I_K) (good bad : Omega -> nat -> bool)
    (event : Omega -> 'I_K -> nat -> bool) (beta p : nat -> nat -> R) (worst : nat -> R) : (K <= n)%N ->
  (forall N, 0 <= price N) ->
  (forall x k, 0 <= gap x k) ->
  (forall x, gap x (best x) = 0) ->
  (forall x t, (K <= t < n)%N -> arm x t != best x -> good x t (+) bad x t) ->
  (forall x t, (K <= t < n)%N -> arm x t = best x -> ~~ good x t && ~~ bad x t) ->
  (forall t, (K <= t < n)%N ->
    E (fun x => (bad x t)%:R * (gap x (arm x t) + price (count x t)) - price (count x t))
    <= E (fun x => beta t (count x t) - (1 - p t (count x t)) * price (count x t))) ->
  (forall t N, (K <= t < n)%N -> (0 < N <= t.+1 - K)%N -> beta t N - (1 - p t N) * price N <= worst t) ->
  (forall x t, (K <= t < n)%N -> good x t -> event x (arm x t) (count x t)) ->
  (forall k N, (0 < N <= n - K)%N -> E (fun x => (event x k N)%:R * (gap x k + price N)) <= cost N) ->
  regret n <= regret K + \sum_(1 <= N < (n - K).+1) price N + K%:R * (\sum_(1 <= N < (n - K).+1) cost N)
    + \sum_(K <= t < n) worst t.
Proof.
move=> Kn price0 gap0 best0 kinds stars bad_rounds worst_net good_event good_cost.
have split := regret_prices (net := fun t N => beta t N - (1 - p t N) * price N) Kn price0 best0 kinds stars bad_rounds worst_net.
apply: (le_trans split); rewrite ler_add2r ler_add2l.
pose h x (k : 'I_K) N := (event x k N)%:R * (gap x k + price N).
have h0 x k N : 0 <= h x k N by rewrite mulr_ge0 ?ler0n // addr_ge0.
apply: le_trans (_ : E (fun x => \sum_k \sum_(1 <= N < (n - K).+1) h x k N) <= _).
  apply: mean_le => x; apply: le_trans (_ : \sum_(K <= t < n) h x (arm x t) (count x t) <= _).
    rewrite !big_nat; apply: ler_sum => t tK; rewrite /h ler_wpmul2r ?addr_ge0 // ler_nat.
    by case g: (good x t) => //; rewrite good_event.
  rewrite (rounds_by_arm (arm x) (h x) Kn); apply: ler_sum => k _; rewrite first_rounds.
  have N1 : (pulls (arm x) n k <= (n - K).+1)%N by rewrite -subSn ?pulls_share_le.
  case: (leqP 1 (pulls (arm x) n k)) => p1; last by rewrite big_geq ?sumr_ge0 // ltnW.
  by rewrite (big_cat_nat _ _ _ p1 N1) /= ler_addl sumr_ge0.
rewrite (mean_sum_arms E (fun k x => \sum_(1 <= N < (n - K).+1) h x k N)).
apply: le_trans (_ : \sum_(k < K) \sum_(1 <= N < (n - K).+1) cost N <= _).
  apply: ler_sum => k _; rewrite (mean_sum E (fun N x => h x k N)) !big_nat.
  by apply: ler_sum => N /andP[N0 Nn]; apply: good_cost; rewrite N0.
by rewrite sumr_const card_ord mulr_natl.
Qed.

End Regret.
