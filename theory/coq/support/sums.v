(* Sums over rounds and arms, means, and the rules by which relations are composed, over Coq's real numbers.
   An index is a real number: a sum from lo to hi visits lo, lo + 1, ... up to hi, and is 0 if hi < lo. *)

From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From ReUCB Require Import relations.
Open Scope R_scope.

(* Integers among the real numbers. *)
Definition whole (x : R) : Prop := exists z : Z, x = IZR z.

Lemma whole_Z (z : Z) : whole (IZR z). Proof. now exists z. Qed.

Lemma whole_plus (x y : R) : whole x -> whole y -> whole (x + y).
Proof. intros [a ->] [b ->]. exists (a + b)%Z. now rewrite plus_IZR. Qed.

Lemma whole_minus (x y : R) : whole x -> whole y -> whole (x - y).
Proof. intros [a ->] [b ->]. exists (a - b)%Z. now rewrite minus_IZR. Qed.

Lemma whole_mult (x y : R) : whole x -> whole y -> whole (x * y).
Proof. intros [a ->] [b ->]. exists (a * b)%Z. now rewrite mult_IZR. Qed.

Lemma whole_opp (x : R) : whole x -> whole (- x).
Proof. intros [a ->]. exists (- a)%Z. now rewrite opp_IZR. Qed.

Lemma whole_INR (k : nat) : whole (INR k). Proof. exists (Z.of_nat k). apply INR_IZR_INZ. Qed.

Lemma whole_pow (x : R) (k : nat) : whole x -> whole (x ^ k).
Proof. intro H. induction k; simpl; [exists 1%Z; reflexivity | now apply whole_mult]. Qed.

Ltac whole :=
  first
    [ assumption
    | lazymatch goal with
      | |- whole (_ + _) => apply whole_plus; whole
      | |- whole (_ - _) => apply whole_minus; whole
      | |- whole (_ * _) => apply whole_mult; whole
      | |- whole (- _) => apply whole_opp; whole
      | |- whole (_ ^ _) => apply whole_pow; whole
      | |- whole (INR _) => apply whole_INR
      | |- whole _ => first [apply whole_Z | match goal with H : forall _, _ |- _ => apply H end]
      end ].

(* The indices of a sum. *)
Definition within (lo hi i : R) : Prop := exists k : nat, i = lo + INR k /\ i <= hi.
Definition steps (lo hi : R) : nat := Z.to_nat (Int_part (hi - lo + 1)).

Fixpoint partial (m : nat) (lo : R) (f : R -> R) : R :=
  match m with O => 0 | S k => partial k lo f + f (lo + INR k) end.

Definition rsum (lo hi : R) (f : R -> R) : R := partial (steps lo hi) lo f.

Lemma within_low (lo hi i : R) : within lo hi i -> lo <= i.
Proof. intros [k [-> _]]. generalize (pos_INR k). lra. Qed.

Lemma within_high (lo hi i : R) : within lo hi i -> i <= hi.
Proof. now intros [k [_ H]]. Qed.

Lemma within_whole (lo hi i : R) : whole lo -> within lo hi i -> whole i.
Proof. intros L [k [-> _]]. apply whole_plus; [exact L | apply whole_INR]. Qed.

Lemma within_intro (lo hi i : R) : whole (i - lo) -> lo <= i -> i <= hi -> within lo hi i.
Proof.
intros [z E] li ih. exists (Z.to_nat z). split; [| exact ih].
assert (0 <= z)%Z by (apply le_IZR; lra).
rewrite INR_IZR_INZ, Z2Nat.id by assumption. lra.
Qed.

Lemma within_step (lo hi : R) (k : nat) : (k < steps lo hi)%nat -> within lo hi (lo + INR k).
Proof.
unfold steps. intro H. exists k. split; [reflexivity |].
destruct (base_Int_part (hi - lo + 1)) as [B _].
assert (Z.of_nat k + 1 <= Int_part (hi - lo + 1))%Z by lia.
assert (IZR (Z.of_nat k + 1) <= IZR (Int_part (hi - lo + 1))) by now apply IZR_le.
rewrite plus_IZR, <- INR_IZR_INZ in H1. lra.
Qed.

Lemma steps_whole (lo hi : R) : whole (hi - lo) -> 0 <= hi - lo + 1 -> INR (steps lo hi) = hi - lo + 1.
Proof.
intros [z E] pos. unfold steps.
assert (Int_part (hi - lo + 1) = z + 1)%Z.
{ destruct (base_Int_part (hi - lo + 1)) as [B C]. rewrite E in B, C. rewrite E.
  assert (IZR (Int_part (IZR z + 1)) < IZR (z + 2)) by (rewrite plus_IZR; lra).
  assert (IZR z < IZR (Int_part (IZR z + 1))) by lra.
  apply lt_IZR in H. apply lt_IZR in H0. lia. }
assert (0 <= z + 1)%Z by (apply le_IZR; rewrite plus_IZR; lra).
rewrite H, INR_IZR_INZ, Z2Nat.id, plus_IZR by assumption. lra.
Qed.

Lemma rsum_le (lo hi : R) (f g : R -> R) :
  (forall i, within lo hi i -> f i <= g i) -> rsum lo hi f <= rsum lo hi g.
Proof.
intro H. unfold rsum.
assert (forall m, (m <= steps lo hi)%nat -> partial m lo f <= partial m lo g).
{ induction m as [| m IH]; intro le; simpl; [lra |].
  apply Rplus_le_compat; [apply IH; lia | apply H, within_step; lia]. }
now apply H0.
Qed.

Lemma rsum_ext (lo hi : R) (f g : R -> R) :
  (forall i, within lo hi i -> f i = g i) -> rsum lo hi f = rsum lo hi g.
Proof.
intro H. apply Rle_antisym; apply rsum_le; intros i Hi; rewrite (H i Hi); lra.
Qed.

(* One term of a sum: a constant factor times a function of the index. *)
Lemma rsum_term (lo hi a : R) (f g h : R -> R) :
  (forall i, within lo hi i -> f i = a * g i + h i) -> rsum lo hi f = a * rsum lo hi g + rsum lo hi h.
Proof.
intro H. rewrite (rsum_ext lo hi f (fun i => a * g i + h i) H). unfold rsum.
induction (steps lo hi) as [| m IH]; simpl; [ring | rewrite IH; ring].
Qed.

Lemma rsum_plus (lo hi : R) (f g : R -> R) : rsum lo hi (fun i => f i + g i) = rsum lo hi f + rsum lo hi g.
Proof. rewrite (rsum_term lo hi 1 _ f g); [ring | intros; ring]. Qed.

Lemma rsum_minus (lo hi : R) (f g : R -> R) : rsum lo hi (fun i => f i - g i) = rsum lo hi f - rsum lo hi g.
Proof. rewrite (rsum_term lo hi (-1) _ g f); [ring | intros; ring]. Qed.

Lemma rsum_zero (lo hi : R) : rsum lo hi (fun _ => 0) = 0.
Proof. unfold rsum. induction (steps lo hi) as [| m IH]; simpl; [reflexivity | rewrite IH; ring]. Qed.

Lemma rsum_scaled (lo hi a : R) (f : R -> R) : rsum lo hi (fun i => a * f i) = a * rsum lo hi f.
Proof. rewrite (rsum_term lo hi a _ f (fun _ => 0)), rsum_zero; [ring | intros; ring]. Qed.

Lemma rsum_scaled_r (lo hi a : R) (f : R -> R) : rsum lo hi (fun i => f i * a) = a * rsum lo hi f.
Proof. rewrite (rsum_term lo hi a _ f (fun _ => 0)), rsum_zero; [ring | intros; ring]. Qed.

Lemma rsum_over (lo hi a : R) (f : R -> R) : rsum lo hi (fun i => f i / a) = rsum lo hi f / a.
Proof. unfold Rdiv. rewrite rsum_scaled_r. ring. Qed.

Lemma rsum_opp (lo hi : R) (f : R -> R) : rsum lo hi (fun i => - f i) = - rsum lo hi f.
Proof. rewrite (rsum_term lo hi (-1) _ f (fun _ => 0)), rsum_zero; [ring | intros; ring]. Qed.

Lemma rsum_one (lo hi : R) : whole (hi - lo) -> 0 <= hi - lo + 1 -> rsum lo hi (fun _ => 1) = hi - lo + 1.
Proof.
intros W pos. rewrite <- (steps_whole lo hi W pos). unfold rsum.
induction (steps lo hi) as [| m IH]; [reflexivity |]. rewrite S_INR. simpl. rewrite IH. ring.
Qed.

Lemma rsum_const (lo hi a : R) : whole (hi - lo) -> 0 <= hi - lo + 1 -> rsum lo hi (fun _ => a) = a * (hi - lo + 1).
Proof.
intros W pos. rewrite (rsum_term lo hi a _ (fun _ => 1) (fun _ => 0)), rsum_zero, rsum_one; [ring | assumption.. |].
intros; ring.
Qed.

Lemma rsum_empty (lo hi : R) (f : R -> R) : hi = lo - 1 -> rsum lo hi f = 0.
Proof.
intros ->. unfold rsum, steps. replace (lo - 1 - lo + 1) with (IZR 0) by ring.
assert (E : Int_part (IZR 0) = 0%Z); [| now rewrite E].
destruct (base_Int_part 0) as [B C].
assert (IZR (Int_part 0) < 1) by lra. assert (-1 < IZR (Int_part 0)) by lra.
apply lt_IZR in H. apply lt_IZR in H0. simpl. lia.
Qed.

(* The last term of a sum. *)
Lemma rsum_last (lo hi : R) (f : R -> R) :
  whole (hi - lo) -> lo <= hi -> rsum lo hi f = rsum lo (hi - 1) f + f hi.
Proof.
intros W le.
assert (W1 : whole (hi - 1 - lo)).
{ replace (hi - 1 - lo) with (hi - lo - 1) by ring. apply whole_minus; [exact W | apply whole_Z]. }
assert (E : steps lo hi = S (steps lo (hi - 1))).
{ apply INR_eq. rewrite S_INR, (steps_whole lo hi W), (steps_whole lo (hi - 1) W1); lra. }
unfold rsum. rewrite E. simpl. f_equal. f_equal. rewrite (steps_whole lo (hi - 1) W1); lra.
Qed.

Lemma rsum_single (lo : R) (f : R -> R) : rsum lo lo f = f lo.
Proof.
rewrite rsum_last; [| exists 0%Z; ring | lra]. rewrite rsum_empty by reflexivity. ring.
Qed.

(* Products over the same indices. *)
Fixpoint partial_product (m : nat) (lo : R) (f : R -> R) : R :=
  match m with O => 1 | S k => partial_product k lo f * f (lo + INR k) end.

Definition rprod (lo hi : R) (f : R -> R) : R := partial_product (steps lo hi) lo f.

Lemma rprod_ext (lo hi : R) (f g : R -> R) :
  (forall i, within lo hi i -> f i = g i) -> rprod lo hi f = rprod lo hi g.
Proof.
intro H. unfold rprod.
assert (forall m, (m <= steps lo hi)%nat -> partial_product m lo f = partial_product m lo g); [| now apply H0].
induction m as [| m IH]; intro le; simpl; [reflexivity |].
rewrite IH by lia. f_equal. apply H, within_step. lia.
Qed.

Lemma rprod_alike (a b c d : R) (f g : R -> R) : a = c -> b = d -> (forall i, f i = g i) -> rprod a b f = rprod c d g.
Proof. intros -> -> H. apply rprod_ext. auto. Qed.

Lemma rprod_empty (lo hi : R) (f : R -> R) : hi = lo - 1 -> rprod lo hi f = 1.
Proof.
intros ->. unfold rprod, steps. replace (lo - 1 - lo + 1) with (IZR 0) by ring.
assert (E : Int_part (IZR 0) = 0%Z); [| now rewrite E].
destruct (base_Int_part 0) as [B C].
assert (IZR (Int_part 0) < 1) by lra. assert (-1 < IZR (Int_part 0)) by lra.
apply lt_IZR in H. apply lt_IZR in H0. simpl. lia.
Qed.

Lemma rprod_last (lo hi : R) (f : R -> R) :
  whole (hi - lo) -> lo <= hi -> rprod lo hi f = rprod lo (hi - 1) f * f hi.
Proof.
intros W le.
assert (W1 : whole (hi - 1 - lo)).
{ replace (hi - 1 - lo) with (hi - lo - 1) by ring. apply whole_minus; [exact W | apply whole_Z]. }
assert (E : steps lo hi = S (steps lo (hi - 1))).
{ apply INR_eq. rewrite S_INR, (steps_whole lo hi W), (steps_whole lo (hi - 1) W1); lra. }
unfold rprod. rewrite E. simpl. f_equal. f_equal. rewrite (steps_whole lo (hi - 1) W1); lra.
Qed.

Lemma rprod_single (lo : R) (f : R -> R) : rprod lo lo f = f lo.
Proof.
rewrite rprod_last; [| exists 0%Z; ring | lra]. rewrite rprod_empty by reflexivity. ring.
Qed.

(* Induction over the integers from `start` on. *)
Lemma whole_induction (P : R -> Prop) (start : R) :
  P start -> (forall n, whole (n - start) -> start <= n -> P n -> P (n + 1)) ->
  forall n, whole (n - start) -> start <= n -> P n.
Proof.
intros base step n [z E] le.
assert (0 <= z)%Z by (apply le_IZR; lra).
assert (forall k : nat, P (start + INR k)).
{ induction k as [| k IH]; [now rewrite Rplus_0_r |].
  rewrite S_INR, <- Rplus_assoc. apply step; [| | exact IH].
  - replace (start + INR k - start) with (INR k) by ring. apply whole_INR.
  - generalize (pos_INR k). lra. }
replace n with (start + INR (Z.to_nat z)); [apply H0 |].
rewrite INR_IZR_INZ, Z2Nat.id by assumption. lra.
Qed.

Lemma rsum_split (lo mid hi : R) (f : R -> R) :
  whole (mid - lo) -> whole (hi - lo) -> 0 <= mid - lo + 1 -> mid <= hi ->
  rsum lo hi f = rsum lo mid f + rsum (mid + 1) hi f.
Proof.
intros Wm Wh pos le.
assert (Wd : whole (hi - mid)).
{ replace (hi - mid) with (hi - lo - (mid - lo)) by ring. now apply whole_minus. }
revert hi Wd le Wh. 
refine (whole_induction (fun hi => whole (hi - lo) -> rsum lo hi f = rsum lo mid f + rsum (mid + 1) hi f) mid _ _).
- intro W. rewrite (rsum_empty (mid + 1) mid) by ring. ring.
- intros n Wn le IH W.
  rewrite (rsum_last lo (n + 1)); [| exact W | lra].
  rewrite (rsum_last (mid + 1) (n + 1)); [| | lra].
  + replace (n + 1 - 1) with n by ring. rewrite IH; [ring |].
    replace (n - lo) with (n + 1 - lo - 1) by ring. apply whole_minus; [exact W | apply whole_Z].
  + replace (n + 1 - (mid + 1)) with (n - mid) by ring. exact Wn.
Qed.

Lemma telescope (lo hi : R) (F : R -> R) :
  whole (hi - lo) -> 0 <= hi - lo + 1 -> rsum lo hi (fun i => F (i + 1) - F i) = F (hi + 1) - F lo.
Proof.
intros W pos.
assert (E : hi + 1 = lo + INR (steps lo hi)) by (rewrite (steps_whole lo hi W pos); ring).
rewrite E. unfold rsum. clear E W pos.
induction (steps lo hi) as [| m IH]; [simpl; rewrite Rplus_0_r; ring |].
simpl partial. rewrite IH, S_INR. replace (lo + (INR m + 1)) with (lo + INR m + 1) by ring. ring.
Qed.

Lemma rsum_exchange (a b c d : R) (f : R -> R -> R) :
  rsum a b (fun i => rsum c d (fun j => f i j)) = rsum c d (fun j => rsum a b (fun i => f i j)).
Proof.
unfold rsum at 1 4. induction (steps a b) as [| m IH]; simpl.
- now rewrite rsum_zero.
- rewrite IH. symmetry.
  rewrite (rsum_term c d 1 _ (fun j => f (a + INR m) j) (fun j => partial m a (fun i => f i j))); [ring |].
  intros j _. ring.
Qed.

Lemma steps_shift (lo hi c : R) : steps (lo + c) (hi + c) = steps lo hi.
Proof. unfold steps. now replace (hi + c - (lo + c) + 1) with (hi - lo + 1) by ring. Qed.

(* Another index: t = i + c. *)
Lemma rsum_shift (lo hi c : R) (f : R -> R) : rsum lo hi f = rsum (lo - c) (hi - c) (fun i => f (i + c)).
Proof.
unfold rsum. replace (steps (lo - c) (hi - c)) with (steps lo hi).
- induction (steps lo hi) as [| m IH]; simpl; [reflexivity |]. rewrite IH. do 2 f_equal. ring.
- rewrite <- (steps_shift (lo - c) (hi - c) c). f_equal; ring.
Qed.

(* Another index: t = c - i. *)
Lemma steps_none (lo hi : R) : hi - lo + 1 < 0 -> steps lo hi = O.
Proof.
intro none. unfold steps. destruct (base_Int_part (hi - lo + 1)) as [B _].
assert (Int_part (hi - lo + 1) < 0)%Z by (apply lt_IZR; lra). destruct (Int_part (hi - lo + 1)); simpl; lia.
Qed.

Lemma rsum_reverse (lo hi c : R) (f : R -> R) : whole (hi - lo) ->
  rsum lo hi f = rsum (c - hi) (c - lo) (fun i => f (c - i)).
Proof.
intro W. destruct (Rle_or_lt 0 (hi - lo + 1)) as [pos | none].
2: { unfold rsum. rewrite (steps_none lo hi none), steps_none; [reflexivity | lra]. }
enough (forall n, whole (n - (lo - 1)) -> lo - 1 <= n ->
  whole (n - lo) -> rsum lo n f = rsum (c - n) (c - lo) (fun i => f (c - i))) as G.
{ apply G; [| lra | exact W].
  replace (hi - (lo - 1)) with (hi - lo + 1) by ring. apply whole_plus; [exact W | apply whole_Z]. }
apply (whole_induction (fun n => whole (n - lo) -> rsum lo n f = rsum (c - n) (c - lo) (fun i => f (c - i)))).
- intros _. rewrite rsum_empty by reflexivity. symmetry. apply rsum_empty. ring.
- intros n Wn le IH W1. rewrite rsum_last; [| exact W1 | lra]. replace (n + 1 - 1) with n by ring.
  rewrite IH by (replace (n - lo) with (n + 1 - lo - 1) by ring; apply whole_minus; [exact W1 | apply whole_Z]).
  rewrite (rsum_split (c - (n + 1)) (c - (n + 1)) (c - lo)).
  + rewrite rsum_single. replace (c - (c - (n + 1))) with (n + 1) by ring.
    replace (c - (n + 1) + 1) with (c - n) by ring. ring.
  + exists 0%Z. ring.
  + replace (c - lo - (c - (n + 1))) with (n + 1 - lo) by ring. exact W1.
  + lra.
  + lra.
Qed.

Lemma rsum_nonneg (lo hi : R) (f : R -> R) : (forall i, within lo hi i -> 0 <= f i) -> 0 <= rsum lo hi f.
Proof. intro H. rewrite <- (rsum_zero lo hi). now apply rsum_le. Qed.

(* One term of a sum of nonnegative ones. *)
Lemma rsum_among (lo hi m : R) (f : R -> R) :
  within lo hi m -> whole (hi - lo) -> (forall i, within lo hi i -> 0 <= f i) -> f m <= rsum lo hi f.
Proof.
intros [k [E le]] W H.
assert (Wm : whole (m - lo)) by (exists (Z.of_nat k); rewrite <- INR_IZR_INZ; lra).
generalize (pos_INR k); intro k0.
rewrite (rsum_split lo m hi); [| exact Wm | exact W | lra | exact le].
rewrite (rsum_last lo m); [| exact Wm | lra].
assert (0 <= rsum lo (m - 1) f).
{ apply rsum_nonneg. intros i [j [-> Hj]]. apply H. exists j. split; [reflexivity | lra]. }
assert (0 <= rsum (m + 1) hi f); [| lra].
apply rsum_nonneg. intros i [j [-> Hj]]. apply H. exists (k + 1 + j)%nat.
split; [rewrite !plus_INR; simpl; lra | exact Hj].
Qed.

(* The one term of a sum that is not 0. *)
Lemma rsum_pick (lo hi m v : R) (f : R -> R) :
  within lo hi m -> whole (hi - lo) -> f m = v -> (forall i, within lo hi i -> i <> m -> f i = 0) -> rsum lo hi f = v.
Proof.
intros [k [E le]] W at_m others.
assert (Wm : whole (m - lo)) by (exists (Z.of_nat k); rewrite <- INR_IZR_INZ; lra).
generalize (pos_INR k); intro k0.
rewrite (rsum_split lo m hi); [| exact Wm | exact W | lra | exact le].
rewrite (rsum_last lo m); [| exact Wm | lra].
rewrite (rsum_ext lo (m - 1) f (fun _ => 0)).
2: { intros i [j [-> Hj]]. apply others; [exists j; split; [reflexivity | lra] | lra]. }
rewrite (rsum_ext (m + 1) hi f (fun _ => 0)).
2: { intros i [j [-> Hj]]. generalize (pos_INR j); intro j0. apply others; [| lra].
exists (k + 1 + j)%nat. split; [rewrite !plus_INR; simpl; lra | exact Hj]. }
rewrite !rsum_zero, at_m. ring.
Qed.

Lemma whole_next (a b : R) : whole a -> whole b -> a > b -> a >= b + 1.
Proof.
intros [x ->] [y ->] H. apply Rle_ge. rewrite <- plus_IZR. apply IZR_le.
assert (y < x)%Z by (apply lt_IZR; exact H). lia.
Qed.

(* Indicators. *)
Definition event_ge (d : R) : R := if Rle_dec 0 d then 1 else 0.
Definition event_gt (d : R) : R := if Rlt_dec 0 d then 1 else 0.

Lemma event_ge_range (d : R) : 0 <= event_ge d <= 1. Proof. unfold event_ge. destruct (Rle_dec 0 d); lra. Qed.
Lemma event_gt_range (d : R) : 0 <= event_gt d <= 1. Proof. unfold event_gt. destruct (Rlt_dec 0 d); lra. Qed.

(* A sum of integers is one, also of indicators. *)
Lemma whole_event_ge (d : R) : whole (event_ge d).
Proof. unfold event_ge. destruct (Rle_dec 0 d); apply whole_Z. Qed.

Lemma whole_event_gt (d : R) : whole (event_gt d).
Proof. unfold event_gt. destruct (Rlt_dec 0 d); apply whole_Z. Qed.

Lemma whole_rsum (lo hi : R) (f : R -> R) : (forall i, whole (f i)) -> whole (rsum lo hi f).
Proof.
intro W. unfold rsum. induction (steps lo hi); simpl; [apply whole_Z | apply whole_plus; [assumption | apply W]].
Qed.

Ltac whole ::=
  first
    [ assumption
    | lazymatch goal with
      | |- whole (_ + _) => apply whole_plus; whole
      | |- whole (_ - _) => apply whole_minus; whole
      | |- whole (_ * _) => apply whole_mult; whole
      | |- whole (- _) => apply whole_opp; whole
      | |- whole (_ ^ _) => apply whole_pow; whole
      | |- whole (INR _) => apply whole_INR
      | |- whole (event_ge _) => apply whole_event_ge
      | |- whole (event_gt _) => apply whole_event_gt
      | |- whole (rsum _ _ _) => apply whole_rsum; intro; cbv beta; whole
      | |- whole _ => first [apply whole_Z | match goal with H : forall _, _ |- _ => apply H end]
      end ].

Lemma event_part (d : R) : event_ge d * d >= 0.
Proof. unfold event_ge. destruct (Rle_dec 0 d); lra. Qed.

Lemma event_fails (d : R) : (1 - event_ge d) * d <= 0.
Proof. unfold event_ge. destruct (Rle_dec 0 d); lra. Qed.

Lemma event_fails_whole (d : R) : whole d -> (1 - event_ge d) * (d + 1) <= 0.
Proof.
intros [z ->]. unfold event_ge. destruct (Rle_dec 0 (IZR z)) as [p | p]; [lra |].
assert (z < 0)%Z by (apply lt_IZR; lra).
assert (IZR (z + 1) <= 0) by (apply IZR_le; lia). rewrite plus_IZR in H0. lra.
Qed.

Lemma event_gt_part (d : R) : event_gt d * d >= 0.
Proof. unfold event_gt. destruct (Rlt_dec 0 d); lra. Qed.

Lemma event_gt_fails (d : R) : (1 - event_gt d) * d <= 0.
Proof. unfold event_gt. destruct (Rlt_dec 0 d); lra. Qed.

Lemma event_gt_part_whole (d : R) : whole d -> event_gt d * (d - 1) >= 0.
Proof.
intro W. unfold event_gt. destruct (Rlt_dec 0 d) as [p | p]; [| lra].
generalize (whole_next d 0 W (whole_Z 0) p). lra.
Qed.

Lemma event_ge_square (d : R) : event_ge d ^ 2 = event_ge d.
Proof. unfold event_ge. destruct (Rle_dec 0 d); ring. Qed.

Lemma event_gt_square (d : R) : event_gt d ^ 2 = event_gt d.
Proof. unfold event_gt. destruct (Rlt_dec 0 d); ring. Qed.

Lemma event_otherwise (d : R) : event_gt (- d) = 1 - event_ge d.
Proof. unfold event_gt, event_ge. destruct (Rlt_dec 0 (- d)), (Rle_dec 0 d); lra. Qed.

(* The indicator of an equality, written as that of - (difference)^2 >= 0: 1 where it holds, 0 where it does not. *)
Ltac event_holds e := assert (holds_ : e = 1) by
  (unfold event_ge; match goal with |- context [Rle_dec 0 ?d] => destruct (Rle_dec 0 d) as [p | p];
    [reflexivity | exfalso; apply p; apply Req_le; ring] end); rewrite holds_; clear holds_.

Ltac event_fails_at e differ := assert (fails_ : e = 0) by
  (unfold event_ge; match goal with |- context [Rle_dec 0 (-1 * ?u ^ 2)] => destruct (Rle_dec 0 (-1 * u ^ 2)) as [p | p];
    [exfalso; assert (0 < u ^ 2) by (apply pow2_gt_0; intro; apply differ; lra); lra | reflexivity] end);
  rewrite fails_; clear fails_.

(* A mean over random quantities that lie in `on`: linear, monotone, 1 for the constant 1. *)
Definition mean {T : Type} (on : T -> Prop) (E : (T -> R) -> R) : Prop :=
  (forall f g, (forall x, on x -> f x <= g x) -> E f <= E g) /\
  (forall a f g, E (fun x => a * f x + g x) = a * E f + E g) /\ E (fun _ => 1) = 1.

Section Mean.
Variables (T : Type) (on : T -> Prop) (E : (T -> R) -> R).
Hypothesis M : mean on E.

Lemma mean_le (f g : T -> R) : (forall x, on x -> f x <= g x) -> E f <= E g. Proof. apply M. Qed.

Lemma mean_ext (f g : T -> R) : (forall x, on x -> f x = g x) -> E f = E g.
Proof. intro H. apply Rle_antisym; apply mean_le; intros x Hx; rewrite (H x Hx); lra. Qed.

Lemma mean_term (a : R) (f g h : T -> R) : (forall x, on x -> f x = a * g x + h x) -> E f = a * E g + E h.
Proof. intro H. rewrite (mean_ext f (fun x => a * g x + h x) H). apply M. Qed.

Lemma mean_one : E (fun _ => 1) = 1. Proof. apply M. Qed.

Lemma mean_zero : E (fun _ => 0) = 0.
Proof. generalize (proj1 (proj2 M) (-1) (fun _ => 1) (fun _ => 1)). rewrite mean_one. intro H.
rewrite (mean_ext (fun _ => 0) (fun x => -1 * 1 + 1)) by (intros; ring). rewrite H. ring. Qed.

Lemma mean_plus (f g : T -> R) : E (fun x => f x + g x) = E f + E g.
Proof. rewrite (mean_term 1 (fun x => f x + g x) f g); [ring | intros; ring]. Qed.

Lemma mean_minus (f g : T -> R) : E (fun x => f x - g x) = E f - E g.
Proof. rewrite (mean_term (-1) (fun x => f x - g x) g f); [ring | intros; ring]. Qed.

Lemma mean_scaled (a : R) (f : T -> R) : E (fun x => a * f x) = a * E f.
Proof. rewrite (mean_term a (fun x => a * f x) f (fun _ => 0)), mean_zero; [ring | intros; ring]. Qed.

Lemma mean_scaled_r (a : R) (f : T -> R) : E (fun x => f x * a) = a * E f.
Proof. rewrite (mean_term a (fun x => f x * a) f (fun _ => 0)), mean_zero; [ring | intros; ring]. Qed.

Lemma mean_over (a : R) (f : T -> R) : E (fun x => f x / a) = E f / a.
Proof. unfold Rdiv. rewrite mean_scaled_r. ring. Qed.

Lemma mean_opp (f : T -> R) : E (fun x => - f x) = - E f.
Proof. rewrite (mean_term (-1) (fun x => - f x) f (fun _ => 0)), mean_zero; [ring | intros; ring]. Qed.

Lemma mean_const (a : R) : E (fun _ => a) = a.
Proof. rewrite (mean_term a (fun _ => a) (fun _ => 1) (fun _ => 0)), mean_zero, mean_one; [ring | intros; ring]. Qed.

Lemma mean_rsum (lo hi : R) (f : R -> T -> R) :
  E (fun x => rsum lo hi (fun i => f i x)) = rsum lo hi (fun i => E (f i)).
Proof.
unfold rsum. induction (steps lo hi) as [| m IH]; simpl; [apply mean_zero |].
rewrite <- IH, (mean_term 1 _ (f (lo + INR m)) (fun x => partial m lo (fun i => f i x))); [ring | intros; ring].
Qed.
End Mean.

Lemma mean_on {T : Type} (on on' : T -> Prop) (E : (T -> R) -> R) :
  mean on E -> (forall x, on x -> on' x) -> mean on' E.
Proof. intros [A B] H. split; [| exact B]. intros f g fg. apply A. auto. Qed.

(* What a mean is over, by hypotheses and by what holds for all outcomes. *)
Ltac supported :=
  cbv beta; intros; facts; repeat split;
  first
    [ assumption
    | lra
    | match goal with H : forall _ : R, _ |- _ => first [apply H | eapply H]; first [eassumption | lra | whole] end ].

(* A function with a nonnegative slope between a and b. *)
Lemma monotone_between (f d : R -> R) (a b : R) : a <= b ->
  (forall x, a <= x <= b -> is_derive f x (d x)) -> (forall x, a <= x <= b -> 0 <= d x) -> f a <= f b.
Proof.
intros ab D d0.
destruct (MVT_gen f a b d) as [c [[c1 c2] E]].
- intros y [y1 y2]. apply D. rewrite Rmin_left in y1 by exact ab. rewrite Rmax_right in y2 by exact ab. lra.
- intros y [y1 y2]. rewrite Rmin_left in y1 by exact ab. rewrite Rmax_right in y2 by exact ab.
  apply continuity_pt_filterlim, (ex_derive_continuous f). exists (d y). apply D. lra.
- rewrite Rmin_left in c1 by exact ab. rewrite Rmax_right in c2 by exact ab.
  assert (0 <= d c * (b - a)) by (apply Rmult_le_pos; [apply d0; lra | lra]). lra.
Qed.

(* A relation between other expressions that are equal. *)
Lemma le_equal (l r l' r' : R) : l <= r -> l = l' -> r = r' -> l' <= r'. Proof. now intros H <- <-. Qed.
Lemma lt_equal (l r l' r' : R) : l < r -> l = l' -> r = r' -> l' < r'. Proof. now intros H <- <-. Qed.
Lemma ge_equal (l r l' r' : R) : l >= r -> l = l' -> r = r' -> l' >= r'. Proof. now intros H <- <-. Qed.
Lemma gt_equal (l r l' r' : R) : l > r -> l = l' -> r = r' -> l' > r'. Proof. now intros H <- <-. Qed.
Lemma eq_equal (l r l' r' : R) : l = r -> l = l' -> r = r' -> l' = r'. Proof. now intros H <- <-. Qed.

Lemma rsum_alike (a b c d : R) (f g : R -> R) : a = c -> b = d -> (forall i, f i = g i) -> rsum a b f = rsum c d g.
Proof. intros -> -> H. apply rsum_ext. auto. Qed.

(* A relation between sides with the same difference. *)
Lemma le_shift (l r l' r' : R) : l <= r -> r - l = r' - l' -> l' <= r'. Proof. lra. Qed.
Lemma lt_shift (l r l' r' : R) : l < r -> r - l = r' - l' -> l' < r'. Proof. lra. Qed.
Lemma ge_shift (l r l' r' : R) : l >= r -> r - l = r' - l' -> l' >= r'. Proof. lra. Qed.
Lemma gt_shift (l r l' r' : R) : l > r -> r - l = r' - l' -> l' > r'. Proof. lra. Qed.
Lemma eq_shift (l r l' r' : R) : l = r -> r - l = r' - l' -> l' = r'. Proof. lra. Qed.

Lemma exp_multiple (k : nat) (x y : R) : INR k * x = y -> exp x ^ k = exp y.
Proof.
intros <-. induction k as [| k IH]; [simpl; now rewrite Rmult_0_l, exp_0 |].
rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, <- IH. simpl. ring.
Qed.

(* Ranges of variables, and of the values of functions. *)
Ltac ranges := first [assumption | lra].
Ltac family :=
  first
    [ assumption
    | let a := fresh in intro a; match goal with H : forall _ : R, _ |- _ => generalize (H a); lra end
    | let a := fresh in let b := fresh in
      intros a b; match goal with H : forall _ _ : R, _ |- _ => generalize (H a b); lra end
    | let a := fresh in let b := fresh in let c := fresh in
      intros a b c; match goal with H : forall _ _ _ : R, _ |- _ => generalize (H a b c); lra end ].

(* Equal arguments of a function of several variables are written alike. *)
Ltac alike2 f tac :=
  repeat
    match goal with
    | |- context [f ?a ?b] =>
        match goal with
        | |- context [f ?c ?d] => assert_fails (constr_eq (f a b) (f c d)); replace (f a b) with (f c d) by (f_equal; tac)
        end
    end.
Ltac alike3 f tac :=
  repeat
    match goal with
    | |- context [f ?a ?b ?c] =>
        match goal with
        | |- context [f ?x ?y ?z] =>
            assert_fails (constr_eq (f a b c) (f x y z)); replace (f a b c) with (f x y z) by (f_equal; tac)
        end
    end.
Ltac alike4 f tac :=
  repeat
    match goal with
    | |- context [f ?a ?b ?c ?d] =>
        match goal with
        | |- context [f ?x ?y ?z ?w] =>
            assert_fails (constr_eq (f a b c d) (f x y z w)); replace (f a b c d) with (f x y z w) by (f_equal; tac)
        end
    end.

(* Sums with equal ends and equal terms are written alike. *)
Ltac same_sums tac :=
  repeat
    match goal with
    | |- context [rsum ?a ?b ?f] =>
        match goal with
        | |- context [rsum ?c ?d ?g] =>
            assert_fails (constr_eq (rsum a b f) (rsum c d g));
            replace (rsum a b f) with (rsum c d g) by (apply rsum_alike; [tac | tac | intro; tac])
        end
    end.

Ltac same_products tac :=
  repeat
    match goal with
    | |- context [rprod ?a ?b ?f] =>
        match goal with
        | |- context [rprod ?c ?d ?g] =>
            assert_fails (constr_eq (rprod a b f) (rprod c d g));
            replace (rprod a b f) with (rprod c d g) by (apply rprod_alike; [tac | tac | intro; tac])
        end
    end.

(* Sums and means of sums and multiples, taken apart as far as they are written so. *)
Ltac push :=
  cbv beta;
  repeat
    (match goal with
     | |- context [rsum ?a ?b (fun i => @?f i + @?g i)] => rewrite (rsum_plus a b f g)
     | |- context [rsum ?a ?b (fun i => @?f i - @?g i)] => rewrite (rsum_minus a b f g)
     | |- context [rsum ?a ?b (fun i => - @?f i)] => rewrite (rsum_opp a b f)
     | |- context [rsum ?a ?b (fun i => ?c * @?f i)] => rewrite (rsum_scaled a b c f)
     | |- context [rsum ?a ?b (fun i => @?f i * ?c)] => rewrite (rsum_scaled_r a b c f)
     | |- context [rsum ?a ?b (fun i => @?f i / ?c)] => rewrite (rsum_over a b c f)
     | |- context [rsum ?a ?b (fun i => ?c)] => rewrite (rsum_const a b c) by (first [whole | lra])
     | M : mean _ ?E |- context [?E (fun x => @?f x + @?g x)] => rewrite (mean_plus _ _ E M f g)
     | M : mean _ ?E |- context [?E (fun x => @?f x - @?g x)] => rewrite (mean_minus _ _ E M f g)
     | M : mean _ ?E |- context [?E (fun x => - @?f x)] => rewrite (mean_opp _ _ E M f)
     | M : mean _ ?E |- context [?E (fun x => ?c * @?f x)] => rewrite (mean_scaled _ _ E M c f)
     | M : mean _ ?E |- context [?E (fun x => @?f x * ?c)] => rewrite (mean_scaled_r _ _ E M c f)
     | M : mean _ ?E |- context [?E (fun x => @?f x / ?c)] => rewrite (mean_over _ _ E M c f)
     | M : mean _ ?E |- context [?E (fun x => ?c)] => rewrite (mean_const _ _ E M c)
     | M : mean _ ?E |- context [?E (fun x => rsum ?a ?b (fun i => @?f x i))] =>
         rewrite (mean_rsum _ _ E M a b (fun i x => f x i))
     end; cbv beta).

Ltac summed := first [equal | push; equal].

(* Means with equal terms are written alike. *)
Ltac same_means tac :=
  repeat
    match goal with
    | M : mean _ ?E |- context [?E ?f] =>
        match goal with
        | |- context [E ?g] =>
            assert_fails (constr_eq f g);
            replace (E f) with (E g) by (symmetry; apply (mean_ext _ _ E M); cbv beta; intros; facts; tac)
        end
    end.

Ltac powers := rewrite ?pow2_sqrt by nonneg; rewrite ?exp_ln by pos; rewrite ?ln_exp, ?ln_1, ?exp_0, ?sqrt_0, ?sqrt_1.

(* Two sides that are equal up to arithmetic, once functions and sums are written alike by `tac`. *)
(* Exponentials of a logarithm and of its negative. *)
Ltac exp_of_ln :=
  repeat
    match goal with
    | |- context [exp ?u] =>
        match u with
        | context [ln ?t] =>
            first
              [ replace (exp u) with t
                  by (replace u with (ln t) by (first [equal | equal_roots]); rewrite exp_ln by pos; reflexivity)
              | replace (exp u) with (/ t)
                  by (replace u with (- ln t) by (first [equal | equal_roots]);
                    rewrite exp_Ropp, exp_ln by pos; reflexivity) ]
        end
    end.

Ltac with_logs := lazymatch goal with |- context [ln _] => idtac end.
Ltac with_products := lazymatch goal with |- context [rprod _ _ _] => idtac end.
Ltac settle_by tac :=
  cbv beta;
  first
    [ reflexivity
    | solve [equal]
    | solve [tac; equal]
    | solve [equal_products]
    | solve [same_sums ltac:(tac; equal); tac; equal]
    | solve [powers; tac; identity_by equal]
    | solve [same_sums ltac:(tac; identity_by equal); powers; tac; identity_by equal]
    | solve [exp_of_ln; tac; equal]
    | solve [rewrite <- ?Rpower_sqrt by pos; unfold Rpower; rewrite <- ?exp_Ropp; alike exp equal; identity_by equal]
    | solve [powers; tac; equal_roots]
    | solve [starts]
    | solve [with_exps; split_exps; rewrite ?exp_ln by pos; tac; equal]
    | solve [with_exps; tac; equal_exps]
    | solve [alike exp ltac:(first [equal | equal_roots]); tac; equal]
    | solve [push; same_sums ltac:(push; same_means ltac:(tac; equal); tac; equal);
        same_means ltac:(tac; first [equal | identity_by equal]); tac; first [equal | identity_by equal]]
    | solve [with_logs; rewrite ?ln_div, ?ln_mult, ?ln_sqrt by positive; alike ln equal; tac; equal]
    | solve [with_products; same_products ltac:(tac; equal);
        same_means ltac:(same_products ltac:(tac; equal); tac; equal); tac; equal] ].
Ltac settle := settle_by idtac.

(* Values at the ends of a range, then `tac`. *)
Ltac starts_then tac :=
  cbv beta;
  repeat
    match goal with
    | |- context [ln ?a] => progress replace (ln a) with 0 by (replace a with 1 by lra; rewrite ln_1; reflexivity)
    | |- context [exp ?a] => progress replace (exp a) with 1 by (replace a with 0 by lra; rewrite exp_0; reflexivity)
    end;
  tac.

(* Sums up to n + 1 with their last terms taken off; empty sums are 0. *)
Ltac unroll n :=
  cbv beta;
  repeat
    match goal with
    | |- context [rsum ?a ?b ?f] =>
        first
          [ rewrite (rsum_empty a b f) by lra
          | constr_eq b n; fail 1
          | replace (rsum a b f) with (rsum a n f) by (apply rsum_alike; [reflexivity | ring | reflexivity])
          | replace (rsum a b f) with (rsum a n f + f b)
              by (rewrite (rsum_last a b f) by (first [whole | lra]); replace (b - 1) with n by ring; reflexivity);
            cbv beta
          | rewrite (rsum_single a f) ]
    | |- context [rprod ?a ?b ?f] =>
        first
          [ rewrite (rprod_empty a b f) by lra
          | constr_eq b n; fail 1
          | replace (rprod a b f) with (rprod a n f) by (apply rprod_alike; [reflexivity | ring | reflexivity])
          | replace (rprod a b f) with (rprod a n f * f b)
              by (rewrite (rprod_last a b f) by (first [whole | lra]); replace (b - 1) with n by ring; reflexivity);
            cbv beta
          | rewrite (rprod_single a f) ]
    end.

(* Signs from derivatives: a slope that is nonnegative after the start is enough. *)
Lemma nonneg_from_slope_open (f d : R -> R) (low : R) :
  (forall x, low <= x -> is_derive f x (d x)) -> (forall x, low < x -> 0 < d x) -> 0 <= f low ->
  forall x, low <= x -> 0 <= f x.
Proof.
intros D d0 f0 x [lx | <-]; [| exact f0].
assert (C : forall y, low <= y -> continuous f y) by (intros y ly; apply (ex_derive_continuous f); exists (d y); auto).
destruct (Rle_or_lt 0 (f x)) as [ok | bad]; [exact ok | exfalso].
(* between low and x the function is within f low - f x of its start somewhere, and rises from there *)
destruct (C low (Rle_refl low) (fun y => f x < y)) as [eps near].
{ exists (mkposreal (f low - f x) ltac:(lra)). intros y. unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl.
  intro H. apply Rabs_def2 in H. lra. }
set (y := low + Rmin (eps / 2) ((x - low) / 2)).
assert (0 < Rmin (eps / 2) ((x - low) / 2)) by (apply Rmin_pos; [generalize (cond_pos eps); lra | lra]).
assert (Rmin (eps / 2) ((x - low) / 2) <= (x - low) / 2) by apply Rmin_r.
assert (Rmin (eps / 2) ((x - low) / 2) <= eps / 2) by apply Rmin_l.
assert (fy : f x < f y).
{ apply near. unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl.
  rewrite Rabs_right; unfold y; generalize (cond_pos eps); lra. }
assert (f y <= f x); [| lra].
apply (monotone_between f d); [unfold y; lra | |]; intros z [z1 z2]; [apply D | apply Rlt_le, d0]; unfold y in z1; lra.
Qed.

Lemma positive_from_slope (f d : R -> R) (low : R) :
  (forall x, low <= x -> is_derive f x (d x)) -> (forall x, low < x -> 0 < d x) -> 0 <= f low ->
  forall x, low < x -> 0 < f x.
Proof.
intros D d0 f0 x lx.
destruct (MVT_gen f low ((low + x) / 2) d) as [c [[c1 c2] E]].
- intros y [y1 y2]. apply D. rewrite Rmin_left in y1; lra.
- intros y [y1 y2]. apply continuity_pt_filterlim, (ex_derive_continuous f). exists (d y). apply D.
  rewrite Rmin_left in y1; lra.
- rewrite Rmin_left in c1 by lra. rewrite Rmax_right in c2 by lra.
  destruct (MVT_gen f ((low + x) / 2) x d) as [e [[e1 e2] F]].
  + intros y [y1 y2]. apply D. rewrite Rmin_left in y1; lra.
  + intros y [y1 y2]. apply continuity_pt_filterlim, (ex_derive_continuous f). exists (d y). apply D.
    rewrite Rmin_left in y1; lra.
  + rewrite Rmin_left in e1 by lra. rewrite Rmax_right in e2 by lra.
    assert (0 < d e * (x - (low + x) / 2)) by (apply Rmult_lt_0_compat; [apply d0; lra | lra]).
    assert (0 <= f ((low + x) / 2)).
    { apply (nonneg_from_slope_open f d low); try assumption; lra. }
    lra.
Qed.

(* A convex function lies below its chord. *)
Lemma chord_above (f d e : R -> R) (a b : R) : a < b ->
  (forall x, a <= x <= b -> is_derive f x (d x)) -> (forall x, a <= x <= b -> is_derive d x (e x)) ->
  (forall x, a <= x <= b -> 0 <= e x) ->
  forall x, a <= x <= b -> f x <= ((b - x) * f a + (x - a) * f b) / (b - a).
Proof.
intros ab D D' e0 x [ax xb].
assert (mean_value : forall p q, a <= p -> p <= q -> q <= b -> exists c, p <= c <= q /\ f q - f p = d c * (q - p)).
{ intros p q ap pq qb. destruct (MVT_gen f p q d) as [c [[c1 c2] E]].
  - intros y [y1 y2]. rewrite Rmin_left in y1 by exact pq. rewrite Rmax_right in y2 by exact pq. apply D. lra.
  - intros y [y1 y2]. rewrite Rmin_left in y1 by exact pq. rewrite Rmax_right in y2 by exact pq.
    apply continuity_pt_filterlim, (ex_derive_continuous f). exists (d y). apply D. lra.
  - rewrite Rmin_left in c1 by exact pq. rewrite Rmax_right in c2 by exact pq. exists c. split; [lra | exact E]. }
destruct (mean_value a x) as [p [[p1 p2] P]]; try lra.
destruct (mean_value x b) as [q [[q1 q2] Q]]; try lra.
assert (d p <= d q).
{ apply (monotone_between d e); [lra | |]; intros y Hy; [apply D' | apply e0]; lra. }
assert ((f x - f a) * (b - x) <= (f b - f x) * (x - a)).
{ rewrite P, Q. replace (d p * (x - a) * (b - x)) with (d p * ((x - a) * (b - x))) by ring.
  replace (d q * (b - x) * (x - a)) with (d q * ((x - a) * (b - x))) by ring.
  apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | exact H]. }
apply (Rmult_le_reg_r (b - a)); [lra |].
unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* Jensen's inequality for a function that is convex everywhere. *)
Lemma jensen {T : Type} (on : T -> Prop) (E : (T -> R) -> R) (f d e : R -> R) (X : T -> R) : mean on E ->
  (forall x, is_derive f x (d x)) -> (forall x, is_derive d x (e x)) -> (forall x, 0 <= e x) ->
  f (E X) <= E (fun x => f (X x)).
Proof.
intros M D D' e0. set (m := E X).
assert (tangent : forall y, f m + d m * (y - m) <= f y).
{ intro y. set (g := fun z => f z - d m * z).
  assert (Dg : forall z, is_derive g z (d z - d m)).
  { intro z. unfold g. apply (is_derive_minus f (fun z => d m * z)); [apply D |].
    auto_derive; [exact I | ring]. }
  assert (rise : forall p q, p <= q -> d p <= d q).
  { intros p q pq. apply (monotone_between d e); auto. }
  destruct (Rle_or_lt m y) as [my | ym].
  - assert (g m <= g y); [| unfold g in *; lra].
    apply (monotone_between g (fun z => d z - d m)); [exact my | auto | intros z [z1 z2]; generalize (rise m z z1); lra].
  - assert (- g y <= - g m); [| unfold g in *; lra].
    apply (monotone_between (fun z => - g z) (fun z => - (d z - d m))); [lra | |].
    + intros z _. apply (is_derive_opp g). apply Dg.
    + intros z [z1 z2]. generalize (rise z m z2). lra. }
apply (Rle_trans _ (E (fun x => d m * X x + (f m - d m * m) * 1))).
- rewrite (mean_term T on E M (d m) (fun x => d m * X x + (f m - d m * m) * 1) X (fun _ => (f m - d m * m) * 1))
    by (intros; ring).
  rewrite (mean_term T on E M (f m - d m * m) (fun _ => (f m - d m * m) * 1) (fun _ => 1) (fun _ => 0)) by (intros; ring).
  rewrite (mean_one T on E M), (mean_zero T on E M). fold m. lra.
- apply (mean_le T on E M). intros x _. generalize (tangent (X x)). lra.
Qed.

(* Limits at infinity by structure: `tends` to a number, `grows` beyond every number. *)
Definition tends (f : R -> R) (v : R) : Prop := is_lim f p_infty (Finite v).
Definition grows (f : R -> R) : Prop := is_lim f p_infty p_infty.

Lemma tends_value (f : R -> R) (v w : R) : tends f v -> v = w -> tends f w. Proof. now intros H <-. Qed.
Lemma tends_const (c : R) : tends (fun _ => c) c. Proof. apply is_lim_const. Qed.
Lemma tends_plus (f g : R -> R) (a b : R) : tends f a -> tends g b -> tends (fun x => f x + g x) (a + b).
Proof. apply is_lim_plus'. Qed.
Lemma tends_minus (f g : R -> R) (a b : R) : tends f a -> tends g b -> tends (fun x => f x - g x) (a - b).
Proof. apply is_lim_minus'. Qed.
Lemma tends_mult (f g : R -> R) (a b : R) : tends f a -> tends g b -> tends (fun x => f x * g x) (a * b).
Proof. intros F G. now apply (is_lim_mult f g p_infty (Finite a) (Finite b)). Qed.
Lemma tends_opp (f : R -> R) (a : R) : tends f a -> tends (fun x => - f x) (- a).
Proof. intro F. now apply (is_lim_opp f p_infty (Finite a)). Qed.
Lemma tends_inv (f : R -> R) (a : R) : tends f a -> a <> 0 -> tends (fun x => / f x) (/ a).
Proof. intros F a0. apply (is_lim_inv f p_infty (Finite a) F). intro E. apply a0. now injection E. Qed.
Lemma tends_over (f g : R -> R) (a b : R) : tends f a -> tends g b -> b <> 0 -> tends (fun x => f x / g x) (a / b).
Proof. intros F G b0. apply tends_mult; [exact F | now apply tends_inv]. Qed.
Lemma tends_inv_grows (f : R -> R) : grows f -> tends (fun x => / f x) 0.
Proof. intro F. now apply (is_lim_inv f p_infty p_infty F). Qed.
Lemma tends_over_grows (f g : R -> R) (a : R) : tends f a -> grows g -> tends (fun x => f x / g x) 0.
Proof. intros F G. apply (tends_value _ (a * 0)); [| ring]. apply tends_mult; [exact F | now apply tends_inv_grows]. Qed.
Lemma tends_pow (f : R -> R) (a : R) (k : nat) : tends f a -> tends (fun x => f x ^ k) (a ^ k).
Proof. intro F. induction k as [| k IH]; simpl; [apply tends_const | now apply tends_mult]. Qed.
Lemma tends_continuous (h f : R -> R) (a : R) : continuous h a -> tends f a -> tends (fun x => h (f x)) (h a).
Proof.
intros H F. unfold tends, is_lim in *. simpl in *. apply (filterlim_comp _ _ _ f h _ (locally a)); [exact F | exact H].
Qed.
Lemma tends_exp (f : R -> R) (a : R) : tends f a -> tends (fun x => exp (f x)) (exp a).
Proof. apply tends_continuous, continuous_exp. Qed.
Lemma tends_sqrt (f : R -> R) (a : R) : tends f a -> tends (fun x => sqrt (f x)) (sqrt a).
Proof. apply tends_continuous, continuous_sqrt. Qed.

Lemma grows_id : grows (fun x => x). Proof. apply is_lim_id. Qed.
Lemma grows_scaled (c : R) (f : R -> R) : 0 < c -> grows f -> grows (fun x => c * f x).
Proof.
intros c0 F. assert (H := is_lim_scal_l f c p_infty p_infty F).
enough (E : Rbar_mult c p_infty = p_infty) by now rewrite E in H.
simpl. destruct (Rle_dec 0 c) as [p | p]; [destruct (Rle_lt_or_eq_dec 0 c p); [reflexivity | lra] | lra].
Qed.
Lemma grows_scaled_r (c : R) (f : R -> R) : 0 < c -> grows f -> grows (fun x => f x * c).
Proof.
intros c0 F. apply (is_lim_ext (fun x => c * f x)); [intro; ring | now apply grows_scaled].
Qed.
Lemma grows_over (c : R) (f : R -> R) : 0 < c -> grows f -> grows (fun x => f x / c).
Proof. intros c0 F. apply grows_scaled_r; [now apply Rinv_0_lt_compat | exact F]. Qed.
Lemma grows_plus (f g : R -> R) (a : R) : grows f -> tends g a -> grows (fun x => f x + g x).
Proof. intros F G. now apply (is_lim_plus f g p_infty p_infty (Finite a)). Qed.
Lemma grows_plus_r (f g : R -> R) (a : R) : tends f a -> grows g -> grows (fun x => f x + g x).
Proof. intros F G. now apply (is_lim_plus f g p_infty (Finite a) p_infty). Qed.
Lemma grows_minus (f g : R -> R) (a : R) : grows f -> tends g a -> grows (fun x => f x - g x).
Proof. intros F G. now apply (is_lim_minus f g p_infty p_infty (Finite a)). Qed.
Lemma grows_mult (f g : R -> R) : grows f -> grows g -> grows (fun x => f x * g x).
Proof. intros F G. now apply (is_lim_mult f g p_infty p_infty p_infty). Qed.
Lemma grows_mult_tends (f g : R -> R) (a : R) : grows f -> tends g a -> 0 < a -> grows (fun x => f x * g x).
Proof.
intros F G a0. assert (E : Rbar_mult p_infty a = p_infty).
{ simpl. destruct (Rle_dec 0 a) as [p | p]; [destruct (Rle_lt_or_eq_dec 0 a p); [reflexivity | lra] | lra]. }
unfold grows. rewrite <- E at 2. apply (is_lim_mult f g p_infty p_infty (Finite a)); [exact F | exact G | simpl; lra].
Qed.
Lemma grows_pow (f : R -> R) (k : nat) : grows f -> grows (fun x => f x ^ S k).
Proof.
intro F. induction k as [| k IH].
- apply (is_lim_ext f); [intro; simpl; ring | exact F].
- apply (grows_mult f (fun x => f x ^ S k)); assumption.
Qed.
Lemma grows_ln (f : R -> R) : grows f -> grows (fun x => ln (f x)).
Proof.
intro F. apply (is_lim_comp ln f p_infty p_infty p_infty); [apply is_lim_ln_p | exact F |].
exists 0. intros; discriminate.
Qed.
Lemma grows_exp (f : R -> R) : grows f -> grows (fun x => exp (f x)).
Proof.
intro F. apply (is_lim_comp exp f p_infty p_infty p_infty); [apply is_lim_exp_p | exact F |].
exists 0. intros; discriminate.
Qed.

(* What holds all along holds in the limit. *)
Lemma in_limit_le (f : R -> R) (a v low : R) : tends f v -> (forall x, low < x -> a <= f x) -> a <= v.
Proof.
intros F H.
apply (is_lim_le_loc (fun _ => a) f p_infty (Finite a) (Finite v)); [exists low; exact H | apply is_lim_const | exact F].
Qed.
Lemma in_limit_ge (f : R -> R) (a v low : R) : tends f v -> (forall x, low < x -> a >= f x) -> a >= v.
Proof.
intros F H. apply Rle_ge.
apply (is_lim_le_loc f (fun _ => a) p_infty (Finite v) (Finite a)); [| exact F | apply is_lim_const].
exists low. intros x lx. apply Rge_le, H, lx.
Qed.

Ltac tending :=
  match goal with
  | |- tends (fun _ => ?c) _ => apply tends_const
  | |- tends (fun x => @?f x + @?g x) _ => eapply (tends_plus f g); tending
  | |- tends (fun x => @?f x - @?g x) _ => eapply (tends_minus f g); tending
  | |- tends (fun x => @?f x / @?g x) _ =>
      first
        [ eapply (tends_over_grows f g); [tending | growing]
        | eapply (tends_over f g); [tending | tending | cbv beta; solve [nonzero | tended]] ]
  | |- tends (fun x => @?f x * @?g x) _ => eapply (tends_mult f g); tending
  | |- tends (fun x => - @?f x) _ => eapply (tends_opp f); tending
  | |- tends (fun x => / @?f x) _ =>
      first [apply (tends_inv_grows f); growing | eapply (tends_inv f); [tending | solve [nonzero | tended]]]
  | |- tends (fun x => @?f x ^ ?k) _ => eapply (tends_pow f _ k); tending
  | |- tends (fun x => exp (@?f x)) _ => eapply (tends_exp f); tending
  | |- tends (fun x => sqrt (@?f x)) _ => eapply (tends_sqrt f); tending
  end
with growing :=
  match goal with
  | |- grows (fun x => x) => apply grows_id
  | |- grows (fun x => ?c * @?g x) => apply (grows_scaled c g); [pos | growing]
  | |- grows (fun x => @?g x * ?c) => apply (grows_scaled_r c g); [pos | growing]
  | |- grows (fun x => @?f x / ?c) => apply (grows_over c f); [pos | growing]
  | |- grows (fun x => @?f x * @?g x) => apply (grows_mult f g); growing
  | |- grows (fun x => @?f x * @?g x) => eapply (grows_mult_tends f g); [growing | tending | solve [pos]]
  | |- grows (fun x => @?f x + @?g x) =>
      first [eapply (grows_plus f g); [growing | tending] | eapply (grows_plus_r f g); [tending | growing]]
  | |- grows (fun x => @?f x - @?g x) => eapply (grows_minus f g); [growing | tending]
  | |- grows (fun x => @?f x ^ S ?k) => apply (grows_pow f k); growing
  | |- grows (fun x => @?f x ^ ?k) =>
      let m := eval compute in (pred k) in
      change (grows (fun x => f x ^ S m)); apply (grows_pow f m); growing
  | |- grows (fun x => ln (@?f x)) => apply (grows_ln f); growing
  | |- grows (fun x => exp (@?f x)) => apply (grows_exp f); growing
  end
with tended := first [pos | lra | apply Rgt_not_eq; unfold Rgt; pos].

Ltac limit :=
  eapply tends_value;
  [tending | cbv beta; rewrite ?Rmult_0_r, ?Rmult_0_l, ?exp_0, ?sqrt_0; first [settle | lra]].
