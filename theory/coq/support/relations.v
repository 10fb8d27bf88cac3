(* Tactics for the exported relations, over Coq's real numbers: signs by structure, nothing is searched for. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From ReUCB Require Import enclosures.
Open Scope R_scope.

Lemma even_power_nonneg (x : R) (k : nat) : 0 <= (x ^ 2) ^ k.
Proof. apply pow_le, pow2_ge_0. Qed.

Lemma quotient_nonneg (n d : R) : 0 <= n -> 0 < d -> 0 <= n / d.
Proof. intros n0 d0. apply Rmult_le_pos; [exact n0 | apply Rlt_le, Rinv_0_lt_compat, d0]. Qed.

Lemma quotient_pos (n d : R) : 0 < n -> 0 < d -> 0 < n / d.
Proof. intros n0 d0. apply Rmult_lt_0_compat; [exact n0 | apply Rinv_0_lt_compat, d0]. Qed.

(* l <= r because (r - l) b is a sum d of nonnegative terms, b > 0, up to terms z that vanish. *)
Lemma le_by_slack (l r d z b : R) : (r - l) * b = d + z -> z = 0 -> 0 <= d -> 0 < b -> l <= r.
Proof.
intros E -> d0 b0. rewrite Rplus_0_r in E.
apply Rminus_le, Ropp_le_cancel. rewrite Ropp_0, Ropp_minus_distr.
apply (Rmult_le_reg_r b); [exact b0 | rewrite Rmult_0_l, E; exact d0].
Qed.

Lemma lt_by_slack (l r d z b : R) : (r - l) * b = d + z -> z = 0 -> 0 < d -> 0 < b -> l < r.
Proof.
intros E -> d0 b0. rewrite Rplus_0_r in E.
apply Rminus_lt, Ropp_lt_cancel. rewrite Ropp_0, Ropp_minus_distr.
apply (Rmult_lt_reg_r b); [exact b0 | rewrite Rmult_0_l, E; exact d0].
Qed.

(* Both sides times a positive number. *)
Lemma lt_times (b l r : R) : 0 < b -> l * b < r * b -> l < r. Proof. intros b0. now apply Rmult_lt_reg_r. Qed.
Lemma le_times (b l r : R) : 0 < b -> l * b <= r * b -> l <= r. Proof. intros b0. now apply Rmult_le_reg_r. Qed.
Lemma gt_times (b l r : R) : 0 < b -> l * b > r * b -> l > r. Proof. intros b0. now apply lt_times. Qed.
Lemma ge_times (b l r : R) : 0 < b -> l * b >= r * b -> l >= r.
Proof. intros b0 H. apply Rle_ge, (le_times b); [exact b0 | now apply Rge_le]. Qed.

(* A hypothesis l <= r multiplied by a positive denominator d becomes a polynomial inequality 0 <= p. *)
Lemma scaled_nonneg (l r d p : R) : l <= r -> 0 < d -> (r - l) * d = p -> 0 <= p.
Proof. intros lr d0 <-. apply Rmult_le_pos; lra. Qed.

Lemma scaled_pos (l r d p : R) : l < r -> 0 < d -> (r - l) * d = p -> 0 < p.
Proof. intros lr d0 <-. apply Rmult_lt_0_compat; lra. Qed.

Lemma scaled_zero (l r d p : R) : l = r -> (l - r) * d = p -> p = 0.
Proof. intros -> <-. ring. Qed.

Lemma nonzero_from (b c k : R) : b <> 0 -> b = k * c -> c <> 0.
Proof. intros b0 -> c0. apply b0. rewrite c0. ring. Qed.

Lemma ln_one_plus_pos (x : R) : 0 < x -> 0 < ln (1 + x).
Proof. intro x0. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma ln_one_plus_nonneg (x : R) : 0 <= x -> 0 <= ln (1 + x).
Proof. intros [x0 | <-]; [apply Rlt_le, ln_one_plus_pos, x0 | rewrite Rplus_0_r, ln_1; lra]. Qed.

Lemma ln_above_one_pos (x : R) : 1 < x -> 0 < ln x.
Proof. intro x1. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma ln_from_one_nonneg (x : R) : 1 <= x -> 0 <= ln x.
Proof. intros [x1 | <-]; [apply Rlt_le, ln_above_one_pos, x1 | rewrite ln_1; lra]. Qed.

Lemma quotient_from_one (a b : R) : 0 < b -> b <= a -> 1 <= a / b.
Proof. intros b0 ba. apply (Rmult_le_reg_r b); [exact b0 |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma quotient_above_one (a b : R) : 0 < b -> b < a -> 1 < a / b.
Proof. intros b0 ba. apply (Rmult_lt_reg_r b); [exact b0 |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma exp_from_one (x : R) : 0 <= x -> 1 <= exp x.
Proof. intro H. rewrite <- exp_0. destruct H as [H | <-]; [left; now apply exp_increasing | right; reflexivity]. Qed.

Lemma ln_sqrt (x : R) : 0 < x -> ln (sqrt x) = ln x / 2.
Proof.
intro x0. assert (r : 0 < sqrt x) by now apply sqrt_lt_R0.
enough (ln (sqrt x) + ln (sqrt x) = ln x) by lra. rewrite <- ln_mult, sqrt_sqrt; lra.
Qed.

Lemma exp_nat (k : nat) (x : R) : exp (INR k * x) = exp x ^ k.
Proof.
induction k as [| k IH]; [simpl; now rewrite Rmult_0_l, exp_0 |].
rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
Qed.

Lemma eq_by_squares (a b : R) : 0 <= a -> 0 <= b -> a ^ 2 = b ^ 2 -> a = b.
Proof. intros Ha Hb H. apply Rsqr_inj; [exact Ha | exact Hb | unfold Rsqr; replace (a * a) with (a ^ 2) by ring; rewrite H; ring]. Qed.

Lemma Rpower_pos (x y : R) : 0 < Rpower x y.
Proof. apply exp_pos. Qed.

(* A function with a nonnegative start and a nonnegative slope is nonnegative. *)
Lemma nonneg_from_slope (f d : R -> R) (low : R) :
  (forall x, low <= x -> is_derive f x (d x)) -> (forall x, low <= x -> 0 <= d x) -> 0 <= f low ->
  forall x, low <= x -> 0 <= f x.
Proof.
intros D d0 f0 x lx.
destruct (MVT_gen f low x d) as [c [[c1 c2] E]].
- intros y [y1 y2]. apply D. rewrite Rmin_left in y1; lra.
- intros y [y1 y2]. apply continuity_pt_filterlim, (ex_derive_continuous f). exists (d y). apply D.
  rewrite Rmin_left in y1; lra.
- rewrite Rmin_left in c1 by lra.
  assert (0 <= d c * (x - low)) by (apply Rmult_le_pos; [apply d0; exact c1 | lra]). lra.
Qed.

(* The complementary error function, and its derivative for `auto_derive`. *)
Definition erfc (x : R) : R := 1 - 2 / sqrt PI * RInt (fun t => exp (- (t ^ 2))) 0 x.

Lemma is_derive_erfc (x : R) : is_derive erfc x (- 2 * exp (- (x ^ 2)) / sqrt PI).
Proof.
assert (C : forall t, continuous (fun t => exp (- (t ^ 2))) t).
{ intro t. apply (ex_derive_continuous (fun t => exp (- (t ^ 2)))). auto_derive. exact I. }
assert (D : is_derive (fun x => RInt (fun t => exp (- (t ^ 2))) 0 x) x (exp (- (x ^ 2)))).
{ apply (is_derive_RInt (fun t => exp (- (t ^ 2))) _ 0).
  - apply filter_forall. intro y. apply (RInt_correct (fun t => exp (- (t ^ 2)))).
    apply (ex_RInt_continuous (fun t => exp (- (t ^ 2)))). intros; apply C.
  - apply C. }
unfold erfc. evar_last.
- apply (is_derive_minus (fun _ => 1) (fun x => 2 / sqrt PI * RInt (fun t => exp (- (t ^ 2))) 0 x)).
  + apply is_derive_const.
  + apply (is_derive_scal (fun x => RInt (fun t => exp (- (t ^ 2))) 0 x)). exact D.
- unfold minus, plus, opp, zero, scal; simpl. unfold mult; simpl. field. apply Rgt_not_eq, sqrt_lt_R0, PI_RGT_0.
Qed.

#[export] Instance UnaryDiff_erfc : UnaryDiff erfc := {| UnaryDiff_f' := _; UnaryDiff_H := is_derive_erfc |}.

(* The sign of a value of a function whose range is a hypothesis. *)
Ltac value_range :=
  match goal with
  | H : forall _ : R, _ |- _ _ (_ ?a) => generalize (H a); lra
  | H : forall _ _ : R, _ |- _ _ (_ ?a ?b) => generalize (H a b); lra
  | H : forall _ _ _ : R, _ |- _ _ (_ ?a ?b ?c) => generalize (H a b c); lra
  end.

(* 0 <= e and 0 < e for sums, products, quotients and powers of terms whose signs are known or numeric. *)
Ltac nonneg :=
  first
    [ assumption
    | apply Rlt_le; assumption
    | lazymatch goal with
      | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; nonneg
      | |- 0 <= _ * _ => apply Rmult_le_pos; nonneg
      | |- 0 <= _ / _ => apply quotient_nonneg; [nonneg | pos]
      | |- 0 <= (_ ^ 2) ^ _ => apply even_power_nonneg
      | |- 0 <= _ ^ 2 => apply pow2_ge_0
      | |- 0 <= _ ^ _ => apply pow_le; nonneg
      | |- 0 <= exp _ => apply Rlt_le, exp_pos
      | |- 0 <= sqrt _ => apply sqrt_pos
      | |- 0 <= PI => apply Rlt_le, PI_RGT_0
      | |- 0 <= Rpower _ _ => apply Rlt_le, Rpower_pos
      | |- 0 <= ln (1 + _) => apply ln_one_plus_nonneg; nonneg
      | |- 0 <= ln _ =>
          first
            [ apply ln_from_one_nonneg; lra
            | apply ln_from_one_nonneg, quotient_from_one; [pos | lra]
            | apply Rlt_le; pos ]
      | |- 0 <= / _ => apply Rlt_le, Rinv_0_lt_compat; pos
      end
    | lra
    | value_range ]
with pos :=
  first
    [ assumption
    | lazymatch goal with
      | |- 0 < _ + _ => first [apply Rplus_lt_le_0_compat; [pos | nonneg] | apply Rplus_le_lt_0_compat; [nonneg | pos]]
      | |- 0 < _ * _ => apply Rmult_lt_0_compat; pos
      | |- 0 < _ / _ => apply quotient_pos; pos
      | |- 0 < / _ => apply Rinv_0_lt_compat; pos
      | |- 0 < _ ^ _ => apply pow_lt; pos
      | |- 0 < exp _ => apply exp_pos
      | |- 0 < sqrt _ => apply sqrt_lt_R0; pos
      | |- 0 < PI => apply PI_RGT_0
      | |- 0 < Rpower _ _ => apply Rpower_pos
      | |- 0 < ln (1 + _) => apply ln_one_plus_pos; pos
      | |- 0 < ln _ =>
          first [apply ln_above_one_pos; lra | apply ln_above_one_pos, quotient_above_one; [pos | lra]]
      end
    | lra
    | value_range ].

(* Denominators: positive by structure, or one of the denominators already shown not to vanish. *)
(* Variables from a number on are written as that number and a nonnegative variable. *)
Ltac shifted :=
  repeat
    match goal with
    | H : ?x >= IZR ?c |- context [?x] => is_var x; apply Rge_le in H
    | H : IZR ?c <= ?x |- context [?x] =>
        is_var x;
        lazymatch c with 0%Z => fail | _ => idtac end;
        let y := fresh "y" in
        let E := fresh "E" in
        remember (x - IZR c) as y eqn:E;
        assert (0 <= y) by (rewrite E; lra);
        replace x with (y + IZR c) by (rewrite E; ring);
        clear H E
    end.

Ltac nonzero_one :=
  first
    [ assumption
    | apply Rgt_not_eq; unfold Rgt; solve [pos]
    | match goal with H : ?b <> 0 |- ?c <> 0 => apply (nonzero_from b c 1 H); ring end
    | match goal with H : ?b <> 0 |- ?c <> 0 => apply (nonzero_from b c (-1) H); ring end
    | lra
    | apply Rgt_not_eq; unfold Rgt; ring_simplify; solve [pos]
    | apply Rgt_not_eq; unfold Rgt; shifted; ring_simplify; solve [pos] ].

Ltac nonzero := repeat match goal with |- _ /\ _ => split end; nonzero_one.

(* A sum of terms with signs that is positive once its variables are counted from where they start. *)
Ltac positive := first [solve [pos] | shifted; ring_simplify; solve [pos]].

(* Hypotheses joined by `and`, taken apart. *)
Ltac facts := repeat match goal with H : _ /\ _ |- _ => destruct H end.

(* Equality of rational functions. *)
Ltac equal := first [ring | field; nonzero | unfold Rdiv; ring].

(* A sum of multiples of polynomials that are 0 by hypothesis. *)
Lemma sum_zero (a b : R) : a = 0 -> b = 0 -> a + b = 0. Proof. intros -> ->. ring. Qed.
Lemma product_zero (a p : R) : p = 0 -> a * p = 0. Proof. intros ->. ring. Qed.

Ltac vanish := first [apply product_zero; assumption | apply sum_zero; vanish].

(* Equal arguments of a function are written alike, so that its values count as one. *)
Ltac alike f tac :=
  repeat
    match goal with
    | |- context [f ?a] =>
        match goal with
        | |- context [f ?b] => assert_fails (constr_eq a b); replace (f a) with (f b) by (f_equal; tac)
        end
    end.

(* An exponential as a product of powers of exponentials. *)
Ltac exponents := rewrite <- ?exp_nat, <- ?exp_Ropp, <- ?exp_plus; f_equal; simpl; equal.

(* Exponentials of sums as products. *)
Lemma exp_minus (x y : R) : exp (x - y) = exp x / exp y.
Proof. unfold Rminus, Rdiv. now rewrite exp_plus, exp_Ropp. Qed.

Lemma exp_plus_times (x y z : R) : exp ((x + y) * z) = exp (x * z) * exp (y * z).
Proof. now rewrite Rmult_plus_distr_r, exp_plus. Qed.
Lemma exp_minus_times (x y z : R) : exp ((x - y) * z) = exp (x * z) / exp (y * z).
Proof. now rewrite Rmult_minus_distr_r, exp_minus. Qed.
Lemma exp_times_plus (x y z : R) : exp (z * (x + y)) = exp (z * x) * exp (z * y).
Proof. now rewrite Rmult_plus_distr_l, exp_plus. Qed.
Lemma exp_times_minus (x y z : R) : exp (z * (x - y)) = exp (z * x) / exp (z * y).
Proof. now rewrite Rmult_minus_distr_l, exp_minus. Qed.
Lemma exp_negative (x : R) : exp (-1 * x) = / exp x.
Proof. rewrite <- exp_Ropp. f_equal. ring. Qed.
Lemma exp_negative2 (x y : R) : exp (-1 * x * y) = / exp (x * y).
Proof. rewrite <- exp_Ropp. f_equal. ring. Qed.
Lemma exp_negative3 (x y z : R) : exp (-1 * x * y * z) = / exp (x * y * z).
Proof. rewrite <- exp_Ropp. f_equal. ring. Qed.

Ltac split_exps :=
  repeat
    first
      [ rewrite exp_plus
      | rewrite exp_minus
      | rewrite exp_Ropp
      | rewrite exp_negative
      | rewrite exp_negative2
      | rewrite exp_negative3
      | rewrite exp_plus_times
      | rewrite exp_minus_times
      | rewrite exp_times_plus
      | rewrite exp_times_minus ];
  rewrite ?Rmult_1_l.
Ltac with_exps := lazymatch goal with |- context [exp _] => idtac end.
(* Exponentials of opposite numbers. *)
Ltac opposite_exps :=
  repeat
    match goal with
    | |- context [exp ?a] =>
        match goal with
        | |- context [exp ?b] =>
            assert_fails (constr_eq a b);
            replace (exp a) with (/ exp b) by (rewrite <- exp_Ropp; f_equal; equal)
        end
    end.
Ltac equal_exps :=
  with_exps; unfold Rpower; split_exps; rewrite ?exp_ln by pos; alike exp equal; first [equal | opposite_exps; equal].

(* An equality with exponentials, logarithms and roots; `tac` shows equality of rational functions of them. *)
Ltac identity_by tac :=
  first
    [ tac
    | rewrite ?exp_0, ?ln_1; tac
    | unfold Rpower; rewrite ?ln_exp; alike exp tac; alike ln tac; alike sqrt tac; alike erfc tac; tac
    | unfold Rpower; try unfold Rdiv at 1; rewrite ?Rmult_assoc; unfold Rdiv; rewrite <- ?exp_plus; alike exp tac; tac
    | unfold Rpower; with_exps; split_exps; rewrite ?exp_ln by pos; alike exp tac; tac ].

(* Roots of products and quotients taken apart, those of numbers made as small as they are. *)
Lemma sqrt_number (n k m : R) : 0 <= k -> 0 <= m -> n = k ^ 2 * m -> sqrt n = k * sqrt m.
Proof. intros k0 m0 ->. rewrite sqrt_mult; [| apply pow2_ge_0 | exact m0]. now rewrite sqrt_pow2. Qed.

Lemma sqrt_odd (x : R) (k : nat) : 0 <= x -> sqrt (x ^ (2 * k + 1)) = x ^ k * sqrt x.
Proof.
intro x0. rewrite pow_add, pow_1, sqrt_mult; [| now apply pow_le | exact x0].
f_equal. rewrite Nat.mul_comm, pow_mult. apply sqrt_pow2. now apply pow_le.
Qed.

Lemma sqrt_fourth (x : R) : sqrt (x ^ 4) = x ^ 2.
Proof. replace (x ^ 4) with ((x ^ 2) ^ 2) by ring. apply sqrt_pow2, pow2_ge_0. Qed.

Ltac sqrt_digits n :=
  let small k m := (rewrite (sqrt_number (IZR n) k m) by lra) in
  lazymatch n with
  | 4%Z => small 2 1 | 8%Z => small 2 2 | 9%Z => small 3 1 | 12%Z => small 2 3 | 16%Z => small 4 1 | 18%Z => small 3 2
  | 20%Z => small 2 5 | 24%Z => small 2 6 | 25%Z => small 5 1 | 27%Z => small 3 3 | 28%Z => small 2 7 | 32%Z => small 4 2
  | 36%Z => small 6 1 | 40%Z => small 2 10 | 48%Z => small 4 3 | 50%Z => small 5 2 | 64%Z => small 8 1
  end.

Ltac split_roots :=
  repeat
    match goal with
    | |- context [sqrt (?a * ?b)] => rewrite (sqrt_mult a b) by nonneg
    | |- context [sqrt (?a / ?b)] => rewrite (sqrt_div_alt a b) by pos
    | |- context [sqrt (/ ?b)] => rewrite <- (inv_sqrt b) by pos
    | |- context [sqrt (?a ^ 2)] => rewrite (sqrt_pow2 a) by nonneg
    | |- context [sqrt (?a ^ 3)] => rewrite (sqrt_odd a 1) by nonneg
    | |- context [sqrt (?a ^ 4)] => rewrite (sqrt_fourth a)
    | |- context [sqrt (IZR ?n)] => sqrt_digits n
    | |- context [sqrt (?a + ?b / ?c)] => replace (a + b / c) with ((a * c + b) / c) by (field; nonzero)
    | |- context [sqrt (?b / ?c + ?a)] => replace (b / c + a) with ((a * c + b) / c) by (field; nonzero)
    | |- context [sqrt (?a - ?b / ?c)] => replace (a - b / c) with ((a * c - b) / c) by (field; nonzero)
    end;
  rewrite ?sqrt_1, ?sqrt_0.

Ltac root_facts :=
  repeat
    match goal with
    | |- context [sqrt ?u] =>
        lazymatch goal with
        | H : sqrt u * sqrt u = u |- _ => fail
        | _ => assert (sqrt u * sqrt u = u) by (apply sqrt_def; nonneg)
        end
    end.

(* Equality of rational functions of at most eight roots, whose squares are known. *)
Ltac field_roots :=
  lazymatch goal with
  | A : sqrt ?a * sqrt ?a = ?a, B : sqrt ?b * sqrt ?b = ?b, C : sqrt ?c * sqrt ?c = ?c,
    D : sqrt ?d * sqrt ?d = ?d, E : sqrt ?e * sqrt ?e = ?e, F : sqrt ?f * sqrt ?f = ?f,
    G : sqrt ?g * sqrt ?g = ?g, H : sqrt ?h * sqrt ?h = ?h |- _ => field [A B C D E F G H]
  | A : sqrt ?a * sqrt ?a = ?a, B : sqrt ?b * sqrt ?b = ?b, C : sqrt ?c * sqrt ?c = ?c,
    D : sqrt ?d * sqrt ?d = ?d, E : sqrt ?e * sqrt ?e = ?e, F : sqrt ?f * sqrt ?f = ?f,
    G : sqrt ?g * sqrt ?g = ?g |- _ => field [A B C D E F G]
  | A : sqrt ?a * sqrt ?a = ?a, B : sqrt ?b * sqrt ?b = ?b, C : sqrt ?c * sqrt ?c = ?c,
    D : sqrt ?d * sqrt ?d = ?d, E : sqrt ?e * sqrt ?e = ?e, F : sqrt ?f * sqrt ?f = ?f |- _ => field [A B C D E F]
  | A : sqrt ?a * sqrt ?a = ?a, B : sqrt ?b * sqrt ?b = ?b, C : sqrt ?c * sqrt ?c = ?c,
    D : sqrt ?d * sqrt ?d = ?d, E : sqrt ?e * sqrt ?e = ?e |- _ => field [A B C D E]
  | A : sqrt ?a * sqrt ?a = ?a, B : sqrt ?b * sqrt ?b = ?b, C : sqrt ?c * sqrt ?c = ?c,
    D : sqrt ?d * sqrt ?d = ?d |- _ => field [A B C D]
  | A : sqrt ?a * sqrt ?a = ?a, B : sqrt ?b * sqrt ?b = ?b, C : sqrt ?c * sqrt ?c = ?c |- _ => field [A B C]
  | A : sqrt ?a * sqrt ?a = ?a, B : sqrt ?b * sqrt ?b = ?b |- _ => field [A B]
  | A : sqrt ?a * sqrt ?a = ?a |- _ => field [A]
  end.

Lemma square_over (a b : R) : (a / b) ^ 2 = a ^ 2 / b ^ 2.
Proof. unfold Rdiv. now rewrite Rpow_mult_distr, pow_inv. Qed.

Ltac with_roots := lazymatch goal with |- context [sqrt _] => idtac end.
Ltac equal_products := with_roots; split_roots; alike sqrt ltac:(ring); equal.
Ltac equal_roots :=
  with_roots;
  first
    [ solve [rewrite ?square_over, ?Rpow_mult_distr; rewrite ?pow2_sqrt by nonneg; equal]
    | solve [root_facts; field_roots; nonzero]
    | solve [split_roots; alike sqrt equal; first [equal | root_facts; field_roots; nonzero]]
    | solve [apply eq_by_squares; [nonneg | nonneg |
        first
          [ solve [rewrite ?square_over, ?Rpow_mult_distr; rewrite ?pow2_sqrt by nonneg; equal]
          | root_facts; field_roots; nonzero ]]] ].

(* Equality of arguments of a function. *)
Ltac arithmetic := first [equal | equal_exps | equal_products].

(* The value of a function at the start of its range, as a number. *)
Ltac starts :=
  cbv beta;
  repeat
    match goal with
    | |- context [ln ?a] =>
        progress replace (ln a) with 0 by (replace a with 1 by (first [lra | equal]); rewrite ln_1; reflexivity)
    | |- context [exp ?a] =>
        progress replace (exp a) with 1 by (replace a with 0 by (first [lra | equal]); rewrite exp_0; reflexivity)
    end;
  first [reflexivity | lra | equal | solve [identity_by equal]].

(* f' = d by the rules of differentiation. *)
Ltac slope_by tac :=
  auto_derive; [repeat split; first [exact I | assumption | nonzero_one | pos | nonneg] | first [identity_by tac | starts]].

(* Relations between numbers. *)
Ltac closed := first [lra | enclosed].
