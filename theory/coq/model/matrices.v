(* Sherman-Morrison for the covariance matrices of the paper, of every size. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ShermanMorrison.

Variable R : realFieldType.
Variable m : nat.

Lemma sum_delta (i : 'I_m) (f : 'I_m -> R) : \sum_j (i == j)%:R * f j = f i.
Proof.
rewrite (bigD1 i) //= eqxx mul1r big1 ?addr0 // => j.
by rewrite eq_sym => /negPf ->; rewrite mul0r.
Qed.

(* diag(d) + c 11^T, the covariance of rewards with noise variances d_i and a common effect of variance c. *)
Definition diagonal_plus_ones (d : 'I_m -> R) (c : R) : 'M[R]_m := \matrix_(i, j) (d i * (i == j)%:R + c).

Definition inverse_plus_ones (d : 'I_m -> R) (c : R) : 'M[R]_m :=
  \matrix_(i, j) ((d i)^-1 * (i == j)%:R - c / (1 + c * \sum_k (d k)^-1) * ((d i)^-1 * (d j)^-1)).

Theorem sherman_morrison (d : 'I_m -> R) (c : R) : (forall i, 0 < d i) -> 0 <= c ->
  diagonal_plus_ones d c *m inverse_plus_ones d c = 1%:M.
Proof.
move=> d0 c0; apply/matrixP => i j; rewrite !mxE.
set S := \sum_k (d k)^-1; set q := c / (1 + c * S).
have S0 : 0 <= S by apply: sumr_ge0 => k _; have dk := d0 k; sign.
pose f k := (i == k)%:R * (d i * ((d k)^-1 * (k == j)%:R) - d i * q * ((d k)^-1 * (d j)^-1))
            + (c * (j == k)%:R * (d k)^-1 - c * q * (d j)^-1 * (d k)^-1).
rewrite (eq_bigr f) => [|k _]; last first.
  by rewrite !mxE -/S -/q /f [j == k]eq_sym; move: (i == k)%:R (k == j)%:R => x y; ring.
rewrite big_split /= sum_delta sumrB -mulr_sumr -/S.
have -> : \sum_k c * (j == k)%:R * (d k)^-1 = c * (d j)^-1.
  by rewrite (eq_bigr (fun k => (j == k)%:R * (c * (d k)^-1))) ?sum_delta // => k _; rewrite mulrA [_ * c]mulrC.
have di := d0 i; have dj := d0 j.
by rewrite /q; have [<-|_] := eqVneq i j; rewrite /= ?mulr1n ?mulr0n; field; sign.
Qed.

(* The case of one arm: sigma^2 I + sigma_0^2 11^T. *)
Corollary sherman_morrison_scalar (s s0 : R) : 0 < s -> 0 <= s0 ->
  (s%:M + const_mx s0) *m (s^-1%:M - const_mx (s0 / (s * (s + s0 * m%:R)))) = 1%:M :> 'M[R]_m.
Proof.
move=> sp s0p; rewrite -(@sherman_morrison (fun _ => s) s0) //; congr (_ *m _).
  by apply/matrixP => i j; rewrite !mxE mulr_natr.
apply/matrixP => i j; rewrite !mxE; congr (_ - _); first by rewrite mulr_natr.
by rewrite sumr_const card_ord -[s^-1 *+ m]mulr_natr; field; sign.
Qed.

(* The quadratic form of the covariance matrix: a common effect adds c times the square of the sum. *)
Lemma quadratic_plus_ones (d : 'I_m -> R) (c : R) (x : 'I_m -> R) :
  \sum_i \sum_j x i * (diagonal_plus_ones d c) i j * x j = \sum_i d i * x i ^+ 2 + c * (\sum_i x i) ^+ 2.
Proof.
have -> : c * (\sum_i x i) ^+ 2 = \sum_i (c * x i * \sum_j x j) by rewrite -mulr_suml -mulr_sumr expr2 mulrA.
rewrite -big_split /=; apply: eq_bigr => i _.
rewrite (eq_bigr (fun j => (i == j)%:R * (d i * x i * x j) + c * x i * x j)) => [|j _]; last first.
  by rewrite mxE; move: (i == j)%:R => y; ring.
by rewrite big_split /= sum_delta -mulr_sumr expr2 mulrA.
Qed.

End ShermanMorrison.
