(* Eq. MSE: the error variance tau_k^2 of the prediction of arm k (BLUP), its factorisation, and that no other linear
   unbiased predictor has a smaller error variance; for every number of arms K. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section MeanSquaredError.

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

(* Eq. MSE-term1, known mean mu_0, and Eq. MSE, written without dividing by a count. *)
Definition tau_tilde_sq k := s / (n k + rho).
Definition tau_sq k := tau_tilde_sq k + (1 - w k) ^+ 2 * s0 / W.

Let rho_gt0 : 0 < rho. Proof. exact: rho_gt0. Qed.
Let count_gt0 i : 0 < n i + rho. Proof. exact: count_rho_gt0. Qed.
Let w_ge0 i : 0 <= w i. Proof. exact: w_ge0. Qed.
Let w_compl_gt0 i : 0 < 1 - w i. Proof. exact: w_compl_gt0. Qed.
Hint Resolve rho_gt0 count_gt0 w_ge0 w_compl_gt0 : sign.

Lemma w_compl k : 1 - w k = rho / (n k + rho).
Proof. exact: weight_compl. Qed.

Lemma s_rho : s = rho * s0.
Proof. by rewrite /weights.rho; field; sign. Qed.

Lemma tau_tilde_sq_gt0 k : 0 < tau_tilde_sq k.
Proof. by rewrite /tau_tilde_sq; sign. Qed.

(* tilde-tau_k^2 = sigma_0^2 (1 - w_k). *)
Lemma tau_tilde_sq_weight k : tau_tilde_sq k = s0 * (1 - w k).
Proof. by rewrite w_compl /tau_tilde_sq {1}s_rho; field; sign. Qed.

(* tilde-tau_k^2 as printed. *)
Lemma tau_tilde_sq_printed k : 0 < n k -> tau_tilde_sq k = w k * (s / n k).
Proof. by move=> nk; rewrite /tau_tilde_sq /weights.w /weight; field; sign. Qed.

(* Eq. MSE as printed: tau_k^2 = w_k sigma^2/n_k + (1 - w_k)^2 sigma^2 / sum_i n_i (1 - w_i). *)
Lemma tau_sq_printed k : 0 < n k ->
  tau_sq k = w k * (s / n k) + (1 - w k) ^+ 2 * s / (\sum_i n i * (1 - w i)).
Proof.
move=> nk; rewrite /tau_sq tau_tilde_sq_printed // precision_W //.
have W0 : 0 < W by apply: (W_gt0 _ _ _ nk).
by congr (_ + _); rewrite /weights.rho; field; sign.
Qed.

(* The factorisation: not knowing mu_0 multiplies the error variance by 1 + (1 - w_k)/W. *)
Lemma tau_sq_factor k : 0 < W -> tau_sq k = tau_tilde_sq k * (1 + (1 - w k) / W).
Proof. by move=> W0; rewrite /tau_sq tau_tilde_sq_weight; field; sign. Qed.

(* An arm that was never pulled: tau_k^2 = sigma_0^2 (1 + 1/W). *)
Lemma tau_sq_unpulled k : n k = 0 -> tau_sq k = s0 * (1 + W^-1).
Proof.
have -> : tau_sq k = s0 * (1 - w k) + (1 - w k) ^+ 2 * s0 / W by rewrite /tau_sq tau_tilde_sq_weight.
by move=> nk; rewrite /weights.w /weight nk mul0r subr0; ring.
Qed.

(* Linear statistics of independent effects delta_i (variance s0) and noise averages e_i (variance s/n_i): a statistic
   is a pair of coefficient vectors, and its variance is a quadratic form. Coq reads s/0 as 0; an arm without rewards
   never has a noise coefficient below. *)
Definition covariance (a b a' b' : 'I_K -> R) := \sum_i (s0 * (a i * a' i) + s / n i * (b i * b' i)).
Definition variance a b := covariance a b a b.

Definition at_arm (k i : 'I_K) : R := (i == k)%:R.

(* The prediction mu-hat_k = w_k rbar_k + (1 - w_k) sum_i w_i rbar_i / W, with rbar_i = mu_0 + delta_i + e_i, has the
   coefficient blup k i of rbar_i; its error mu-hat_k - mu_k has the coefficient blup k i - [i = k] of delta_i. *)
Definition blup k i := w k * at_arm k i + (1 - w k) * (w i / W).

(* The coefficients add up to 1, so mu_0 cancels from the error: the prediction is unbiased. *)
Lemma blup_unbiased k : 0 < W -> \sum_i blup k i = 1.
Proof.
move=> W0; rewrite big_split /= -!mulr_sumr -mulr_suml.
have W1 : W / W = 1 by rewrite divff //; sign.
have -> : \sum_i at_arm k i = 1.
  by rewrite (bigD1 k) //= /at_arm eqxx big1 ?addr0 // => i /negPf ->.
by rewrite mulr1 [X in _ + _ * X]W1 mulr1 addrC subrK.
Qed.

Lemma noise_weight i : 0 < n i -> s / n i = s0 * (1 - w i) / w i.
Proof.
move=> ni; rewrite w_compl /weights.w /weight {1}s_rho; field.
by sign.
Qed.

(* Covariance of the error of the prediction with rbar_i, i pulled: the same for every i. *)
Lemma blup_error_cov k i : 0 < W -> 0 < n i ->
  s0 * (blup k i - at_arm k i) + s / n i * blup k i = s0 * (1 - w k) / W.
Proof.
move=> W0 ni; have wi0 : 0 < w i by exact: weight_gt0.
rewrite noise_weight // /blup /at_arm.
by have [<-|_] := eqVneq i k; rewrite /= ?mulr1n ?mulr0n; field; sign.
Qed.

(* The error variance of any unbiased linear predictor sum_i c_i rbar_i of mu_k that uses pulled arms only. *)
Definition error_variance (c : 'I_K -> R) k := variance (fun i => c i - at_arm k i) c.

Lemma error_variance_blup k : 0 < n k -> error_variance (blup k) k = tau_sq k.
Proof.
move=> nk; have W0 : 0 < W by apply: (W_gt0 _ _ _ nk).
have wk0 : 0 < w k by exact: weight_gt0.
rewrite /error_variance /variance /covariance.
pose f i := s0 * (1 - w k) ^+ 2 / W ^+ 2 * w i.
rewrite (bigD1 k) //= (eq_bigr f) => [|i ik]; last first.
  rewrite /blup /at_arm (negPf ik) mulr0n !mulr0 !add0r subr0 /f.
  case: (ltgtP 0 (n i)) (n_ge0 i) => // [ni|ni] _.
    by rewrite noise_weight //; have wi0 : 0 < w i by [exact: weight_gt0]; field; sign.
  have -> : w i = 0 by rewrite /weights.w /weight -ni mul0r.
  by ring.
have Wok : \sum_(i | i != k) w i = W - w k by rewrite (W_split s s0 n k) addrAC subrr add0r.
rewrite -mulr_sumr Wok noise_weight // /blup /at_arm eqxx mulr1n mulr1.
by rewrite /tau_sq tau_tilde_sq_weight; field; sign.
Qed.

(* Best: every other unbiased predictor has an error variance at least as large; the excess is the variance of the
   difference of the two predictors. *)
Lemma error_variance_excess (c : 'I_K -> R) k : 0 < n k -> \sum_i c i = 1 -> (forall i, n i = 0 -> c i = 0) ->
  error_variance c k = tau_sq k + variance (fun i => c i - blup k i) (fun i => c i - blup k i).
Proof.
move=> nk c1 c0; have W0 : 0 < W by apply: (W_gt0 _ _ _ nk).
rewrite -(error_variance_blup nk) /error_variance /variance /covariance -big_split /=.
pose g i := (s0 * ((blup k i - at_arm k i) * (blup k i - at_arm k i)) + s / n i * (blup k i * blup k i) +
  (s0 * ((c i - blup k i) * (c i - blup k i)) + s / n i * ((c i - blup k i) * (c i - blup k i)))).
rewrite (eq_bigr (fun i => g i + (2%:R * (s0 * (1 - w k) / W)) * (c i - blup k i))) => [|i _]; last first.
  case: (ltgtP 0 (n i)) (n_ge0 i) => // [ni|ni] _.
    by rewrite -(blup_error_cov k W0 ni) /g; ring.
  have wi : w i = 0 by rewrite /weights.w /weight -ni mul0r.
  have ik : (i == k) = false by apply/eqP => ik; move: nk; rewrite -ik -ni ltxx.
  by rewrite /g c0 // /blup /at_arm ik wi mulr0n; ring.
rewrite big_split /= -mulr_sumr; have -> : \sum_i (c i - blup k i) = 0.
  by rewrite sumrB c1 blup_unbiased // subrr.
by rewrite mulr0 addr0.
Qed.

Theorem blup_best (c : 'I_K -> R) k : 0 < n k -> \sum_i c i = 1 -> (forall i, n i = 0 -> c i = 0) ->
  tau_sq k <= error_variance c k.
Proof.
move=> nk c1 c0; rewrite error_variance_excess // ler_addl.
by apply: sumr_ge0 => i _; rewrite -!expr2; sign.
Qed.

(* Covariance of two prediction errors, k != l: (1 - w_k)(1 - w_l) sigma_0^2 / W >= 0. *)
Lemma error_covariance k l : k != l -> 0 < n k -> 0 < n l ->
  covariance (fun i => blup k i - at_arm k i) (blup k) (fun i => blup l i - at_arm l i) (blup l)
  = s0 * (1 - w k) * (1 - w l) / W.
Proof.
move=> kl nk nl; have W0 : 0 < W by apply: (W_gt0 _ _ _ nk).
pose f i := (s0 * (1 - w k) / W) * blup l i - (s0 * (blup k i - at_arm k i)) * at_arm l i.
rewrite /covariance (eq_bigr f) => [|i _]; last first.
  rewrite /f; case: (ltgtP 0 (n i)) (n_ge0 i) => // [ni|ni] _.
    by rewrite -(blup_error_cov k W0 ni); ring.
  have wi : w i = 0 by rewrite /weights.w /weight -ni mul0r.
  have ik : (i == k) = false by apply/eqP => ik; move: nk; rewrite -ik -ni ltxx.
  have il : (i == l) = false by apply/eqP => il; move: nl; rewrite -il -ni ltxx.
  by rewrite /blup /at_arm ik il wi !mulr0n; ring.
rewrite big_split /= -mulr_sumr blup_unbiased // sumrN mulr1.
rewrite (bigD1 l) //= big1 => [|i /negPf il]; last by rewrite /at_arm il mulr0n mulr0.
by rewrite /blup /at_arm eqxx eq_sym (negPf kl) mulr1n mulr0n; field; sign.
Qed.

End MeanSquaredError.
