(* Counting pulls: what any sequence of pulls can add up to, whatever the choices were. Rounds are numbered from 0;
   pulls arm t k is the number of pulls of arm k in the rounds before t. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From ReUCB Require Import weights.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Counting.

Variable R : realFieldType.
Variable K : nat.
Variable arm : nat -> 'I_K.

Definition pulls (t : nat) (k : 'I_K) : nat := \sum_(0 <= u < t) (arm u == k).

Lemma pullsS t k : pulls t.+1 k = (pulls t k + (arm t == k))%N.
Proof. by rewrite /pulls big_nat_recr. Qed.

Lemma pulls_le a b k : (a <= b)%N -> (pulls a k <= pulls b k)%N.
Proof. by move=> ab; rewrite /pulls (big_cat_nat _ _ _ (leq0n a) ab) /= leq_addr. Qed.

(* All pulls before round t are t. *)
Lemma pulls_sum t : (\sum_k pulls t k)%N = t.
Proof.
elim: t => [|t IH]; first by rewrite big1 // => k _; rewrite /pulls big_geq.
rewrite (eq_bigr (fun k => pulls t k + (arm t == k))%N) => [|k _]; last exact: pullsS.
rewrite big_split /= IH (bigD1 (arm t)) //= eqxx big1 ?addn0 ?addn1 // => k.
by rewrite eq_sym => /negPf ->.
Qed.

(* A sum over rounds is a sum over arms and over the counts at which each arm was pulled. *)
Lemma rounds_by_arm (h : 'I_K -> nat -> R) a b : (a <= b)%N ->
  \sum_(a <= t < b) h (arm t) (pulls t (arm t)) = \sum_k \sum_(pulls a k <= j < pulls b k) h k j.
Proof.
move=> ab; rewrite -(subnKC ab); elim: (b - a)%N => [|m IH].
  by rewrite addn0 big_geq // big1 // => k _; rewrite big_geq.
rewrite addnS big_nat_recr ?leq_addr //= {}IH; set t := (a + m)%N.
rewrite (bigD1 (arm t)) //= [in RHS](bigD1 (arm t)) //= pullsS eqxx addn1.
rewrite big_nat_recr ?pulls_le ?leq_addr //= addrAC; congr (_ + _).
by apply: eq_bigr => k; rewrite eq_sym pullsS => /negPf ->; rewrite addn0.
Qed.

End Counting.

Section FallingSums.

Variable R : realFieldType.
Variable g : nat -> R.

(* The most that m rounds in a row can meet: the terms g 1, ..., g 1 (K times), g 2, ..., g 2, ... *)
Definition most (K m : nat) : R := \sum_(0 <= j < m) g (j %/ K).+1.

Hypothesis g_falls : forall i j, (0 < i)%N -> (i <= j)%N -> g j <= g i.

(* Pigeonhole: some arm has at least its share. *)
Lemma pigeonhole K (m : 'I_K -> nat) M : (\sum_k m k)%N = M.+1 -> exists k, ((M %/ K).+1 <= m k)%N.
Proof.
move=> total; case: (pickP (fun k => M %/ K < m k)%N) => [k big|small]; first by exists k.
have : (\sum_k m k <= \sum_(k < K) M %/ K)%N.
  by apply: leq_sum => k _; rewrite leqNgt; apply/negbT/small.
by rewrite total sum_nat_const card_ord mulnC ltnNge leq_trunc_div.
Qed.

(* K arms with m_k pulls each, m in all, meet most together when all have their share. *)
Lemma counts_le_most K (m : 'I_K -> nat) :
  \sum_k \sum_(1 <= j < (m k).+1) g j <= most K (\sum_k m k)%N.
Proof.
move E: (\sum_k m k)%N => M; elim: M m E => [|M IH] m E.
  rewrite /most big_geq // big1 // => k _; rewrite big_geq //.
  by have : (m k <= 0)%N by rewrite -E (bigD1 k) //= leq_addr.
have [k0 big] := pigeonhole E; have mk0 : (0 < m k0)%N by apply: leq_trans big.
pose m' k := (m k - (k == k0))%N.
have E' : (\sum_k m' k)%N = M.
  apply: succn_inj; rewrite -E [in RHS](bigD1 k0) //= (bigD1 k0) //= /m' eqxx subn1 -addSn prednK //.
  by congr (_ + _)%N; apply: eq_bigr => k /negPf ->; rewrite subn0.
have := IH m' E'; rewrite /most big_nat_recr //= (bigD1 k0) //= [in X in _ -> X](bigD1 k0) //=.
rewrite /m' eqxx subn1 prednK // => IHs.
rewrite big_nat_recr //= addrAC; apply: ler_add; last exact: g_falls.
apply: le_trans IHs; rewrite ler_add2l; apply: ler_sum => k /negPf ->.
by rewrite subn0.
Qed.

Hypothesis g_ge0 : forall i, 0 <= g i.

(* Any m rounds in a row, every arm having been pulled before them, meet at most `most K m`. *)
Lemma rounds_le_most K (arm : nat -> 'I_K) a m : (forall k, 0 < pulls arm a k)%N ->
  \sum_(a <= t < a + m) g (pulls arm t (arm t)) <= most K m.
Proof.
move=> all; rewrite (rounds_by_arm arm (fun=> g)) ?leq_addr //.
pose d k := (pulls arm (a + m) k - pulls arm a k)%N.
have dE : (\sum_k d k)%N = m.
  by rewrite sumnB ?pulls_sum ?addKn // => k _; apply: pulls_le; rewrite leq_addr.
rewrite -[in most K m]dE; apply: le_trans (counts_le_most d); apply: ler_sum => k _.
have pk : (pulls arm a k <= pulls arm (a + m) k)%N by apply: pulls_le; rewrite leq_addr.
have -> : pulls arm (a + m) k = (pulls arm a k + d k)%N by rewrite subnKC.
elim: (d k) => [|x IH]; first by rewrite addn0 !big_geq.
rewrite addnS big_nat_recr ?leq_addr //= [in X in _ <= X]big_nat_recr //=.
by apply: ler_add => //; apply: g_falls => //; rewrite -addn1 addnC leq_add2r all.
Qed.

(* Partial summation: a nonnegative falling factor keeps an inequality between all partial sums. *)
Lemma abel (f x y : nat -> R) m :
  (forall i, (i.+1 < m)%N -> f i.+1 <= f i) -> (forall i, (i < m)%N -> 0 <= f i) ->
  (forall i, (i <= m)%N -> \sum_(0 <= j < i) x j <= \sum_(0 <= j < i) y j) ->
  \sum_(0 <= j < m) f j * x j <= \sum_(0 <= j < m) f j * y j.
Proof.
move=> falls f0 partial; case: m falls f0 partial => [|m] falls f0 partial; first by rewrite !big_geq.
pose d j := y j - x j; pose D i := \sum_(0 <= j < i) d j.
have D0 i : (i <= m.+1)%N -> 0 <= D i by move=> im; rewrite /D sumrB subr_ge0 partial.
rewrite -subr_ge0 -sumrB (eq_bigr (fun j => f j * d j)) => [|j _]; last by rewrite /d mulrBr.
suff main : forall i, (i <= m)%N -> f i * D i.+1 <= \sum_(0 <= j < i.+1) f j * d j.
  by apply: le_trans (main m (leqnn m)); rewrite mulr_ge0 ?f0 ?D0.
elim=> [|i IH] im; first by rewrite /D !big_nat1.
rewrite big_nat_recr //= /D [in X in X <= _]big_nat_recr //= mulrDr ler_add2r -/(D i.+1).
by apply: le_trans (IH (ltnW im)); rewrite ler_wpmul2r ?D0 ?falls // (leq_trans im).
Qed.

(* Rising factors c: sum over rounds K..n-1 of c_t g(count) <= sum_j c_(n-1-j) g(ceil((j+1)/K)). *)
Theorem widest_last K (arm : nat -> 'I_K) (c : nat -> R) a n : (a <= n)%N ->
  (forall k, 0 < pulls arm a k)%N -> (forall t, 0 <= c t) -> (forall t, c t <= c t.+1) ->
  \sum_(a <= t < n) c t * g (pulls arm t (arm t)) <= \sum_(0 <= j < n - a) c (n.-1 - j)%N * g (j %/ K).+1.
Proof.
move=> an all c0 rises.
have c_le i j : (i <= j)%N -> c i <= c j.
  by move/subnKC <-; elim: (j - i)%N => [|d IH]; rewrite ?addn0 // addnS (le_trans IH).
have reverse (F : nat -> R) i : (i <= n - a)%N -> \sum_(n - i <= t < n) F t = \sum_(0 <= j < i) F (n.-1 - j)%N.
  elim: i => [|i IH] im; first by rewrite subn0 !big_geq.
  have i_n : (i < n)%N by apply: leq_trans im (leq_subr a n).
  have below : (n - i.+1 < n)%N by rewrite ltn_subrL (leq_ltn_trans _ i_n).
  by rewrite (big_ltn below) subnSK // IH ?(ltnW im) // big_nat_recr //= addrC subnS predn_sub.
rewrite -[a in X in X <= _](subKn an) reverse //.
apply: (@abel (fun j => c (n.-1 - j)%N) (fun j => g (pulls arm (n.-1 - j) (arm (n.-1 - j)%N)))
  (fun j => g (j %/ K).+1) (n - a)) => [i _|i _|i im]; rewrite ?c0 //; first by rewrite c_le // leq_sub2l.
rewrite -(reverse (fun t => g (pulls arm t (arm t)))) // -/(most K i).
have ni : (n - i + i = n)%N by rewrite subnK // (leq_trans im) // leq_subr.
rewrite -{2}ni; apply: rounds_le_most => k; apply: leq_trans (all k) (pulls_le _ _ _).
by rewrite leq_subRL ?(leq_trans im (leq_subr _ _)) // addnC -leq_subRL.
Qed.

(* Falling factors: the first rounds meet the widest terms. *)
Theorem widest_first K (arm : nat -> 'I_K) (c : nat -> R) a m :
  (forall k, 0 < pulls arm a k)%N -> (forall t, 0 <= c t) -> (forall t, c t.+1 <= c t) ->
  \sum_(a <= t < a + m) c t * g (pulls arm t (arm t)) <= \sum_(0 <= j < m) c (a + j)%N * g (j %/ K).+1.
Proof.
move=> all c0 falls.
have shift (F : nat -> R) i : \sum_(a <= t < a + i) F t = \sum_(0 <= j < i) F (a + j)%N.
  by elim: i => [|i IH]; [rewrite addn0 !big_geq | rewrite addnS !big_nat_recr ?leq_addr //= IH].
rewrite shift.
apply: (@abel (fun j => c (a + j)%N) (fun j => g (pulls arm (a + j) (arm (a + j)%N)))
  (fun j => g (j %/ K).+1) m) => [i _|i _|i im]; rewrite ?c0 //; first by rewrite addnS.
by rewrite -(shift (fun t => g (pulls arm t (arm t)))) rounds_le_most.
Qed.

(* Convex terms: counts spread as unevenly as possible have the largest sum of terms. *)
Hypothesis g_convex : forall i, (0 < i)%N -> g i.+1 - g i <= g i.+2 - g i.+1.

Lemma convex_pair a b : (0 < b)%N -> g a.+1 + g b <= g 1%N + g (a + b)%N.
Proof.
move=> b0; elim: a => [|a IH]; first by rewrite add0n.
have steps i j : (0 < i)%N -> (i <= j)%N -> g i.+1 - g i <= g j.+1 - g j.
  move=> i0 /subnKC <-; elim: (j - i)%N => [|d IHd]; rewrite ?addn0 // addnS (le_trans IHd) // g_convex //.
  by rewrite ltn_addr.
apply: (@le_from_sub _ _ _ ((g 1%N + g (a + b)%N - (g a.+1 + g b))
  + ((g (a + b).+1 - g (a + b)%N) - (g a.+2 - g a.+1)))); first by rewrite addSn; ring.
by rewrite addr_ge0 // subr_ge0 // steps // -addn1 leq_add2l.
Qed.

Theorem worst_spread K (n : 'I_K.+1 -> nat) : (forall k, 0 < n k)%N ->
  \sum_k g (n k) <= K%:R * g 1%N + g (\sum_k n k - K)%N.
Proof.
elim: K n => [|K IH] n n0; first by rewrite !big_ord1 mul0r add0r subn0.
rewrite big_ord_recl [in X in _ <= X]big_ord_recl /=.
set S := (\sum_(i < K.+1) n (lift ord0 i))%N.
have S0 : (K.+1 <= S)%N.
  by rewrite -[K.+1]card_ord -sum1_card; apply: leq_sum => i _; exact: n0.
have := IH (fun i => n (lift ord0 i)) (fun i => n0 _); rewrite -/S => IHs.
apply: le_trans (_ : g (n ord0) + (K%:R * g 1%N + g (S - K)%N) <= _); first by rewrite ler_add2l.
have SK : (0 < S - K)%N by rewrite subn_gt0.
have := convex_pair (n ord0).-1 SK; rewrite prednK // => pair.
have -> : (n ord0 + S - K.+1 = (n ord0).-1 + (S - K))%N.
  by rewrite -{1}(prednK (n0 ord0)) addSn subSS addnBA // ltnW.
by rewrite mulrS mulrDl mul1r addrCA [g 1%N + _]addrC -addrA ler_add2l.
Qed.

End FallingSums.
