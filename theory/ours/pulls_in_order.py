"""The pulls of one arm in their order: whatever the choices are, they are its first, its second, and so on.

Nothing is supposed of the arm I_t of round t, and f is any function: the claim holds for the choices of every agent.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, real
from theory.kernel.rules import (
    Cases,
    Exchange,
    Follows,
    Indicates,
    Induction,
    Instance,
    NextInteger,
    Picked,
    Replaced,
    Specialised,
    SplitSum,
    SumOver,
    Telescoping,
    applied,
    congruent,
    equals,
    follows,
    instance,
    replaced,
    specialised,
    uses,
)
from theory.model.any_choices import ANY, PULL, ROUNDS, WORDS, Choices, arm, f, first, j, pulls, u
from theory.model.play import COUNT, K, N, k, t

m, x, y, z = sp.symbols("m x y z")
ONE = sp.Integer(1)
WHOLE = at_least(0, integer=True)
ROUND = {**ANY, t: COUNT}
MADE = Rel(PULL, ">=", 1)
NUMBERS: dict[sp.Expr, Var] = dict.fromkeys((x, y, z), real())


def one_more(term: sp.Expr, index: sp.Symbol) -> Induction:
    """The last term of a sum apart, for every number m of terms."""
    whole, rest = (sp.Sum(term, (index, 1, high)) for high in (m, m - 1))
    return Induction(Rel(whole, "=", rest + term.xreplace({index: m})), m, ONE, ANY, name="the last term apart")


def no_terms(term: sp.Expr, index: sp.Symbol) -> Follows:
    """An empty sum is 0."""
    split = SplitSum(term, index, ONE, m - 1, m, {**ANY, m: COUNT}, name="the last one apart")
    start = instance(split, {m: ONE}, ANY, name="nothing before the first one")
    return follows(Rel(sp.Sum(term, (index, 1, 0)), "=", 0), start, domain=ANY, name="an empty sum")


def another_pull() -> Replaced:
    """The first z pulls meet f(z) more than the first x of them, if z is one more than x."""
    numbers = {**ANY, x: WHOLE, z: COUNT}
    more = Rel(z - 1, "=", x)
    last = instance(one_more(f(j), j), {m: z}, numbers, name="the last pull apart")
    step = Goal(more, numbers, (more,), "one more")
    return replaced(last, step, Rel(first(z), "=", first(x) + f(z)), numbers, (more,), "another pull")


def as_many(added: Replaced) -> Instance:
    """The first x pulls meet what the first y do, if x = y."""
    numbers = {**ANY, x: WHOLE, y: WHOLE, z: COUNT}
    equal = Rel(z - 1, "=", x), Rel(z - 1, "=", y)
    other = instance(added, {x: y}, numbers, (equal[1],), name="another pull")
    same = follows(Rel(first(x), "=", first(y)), added, other, domain=numbers, given=equal, name="as many pulls")
    return instance(same, {z: x + 1}, {**ANY, x: WHOLE, y: WHOLE}, (Rel(x, "=", y),), name="as many pulls")


def one_round() -> Cases:
    """A pull of arm k adds the value of f for its number; the pull of another arm changes nothing."""
    now, earlier = pulls(t), pulls(t - 1)
    rel = Rel(PULL * f(now), "=", first(now) - first(earlier))
    event = Goal(Rel(equals(arm(u), k), ">=", 0), {**ANY, u: COUNT}, name="pulled or not")
    least = SumOver(event, u, ONE, t - 1, ROUND, name="a number of pulls")
    added = another_pull()
    product = Goal(Rel(x * y, "=", y), NUMBERS, (Rel(x, "=", 1),), "times 1")
    one = follows(Rel(PULL, "=", 1), domain=ROUND, given=(MADE,), name="pulled")
    own = applied(product, {x: PULL, y: f(now)}, one, domain=ROUND, given=(MADE,), name="the pull of arm k")
    more = applied(added, {x: earlier, z: now}, one, least, counted(), domain=ROUND, given=(MADE,), name="another pull")
    pulled = follows(rel, own, more, domain=ROUND, given=(MADE,), name="arm k")
    given = (MADE.negation,)
    none = NextInteger(ONE, PULL, ROUND, name="another arm")
    nothing = Goal(Rel(x * y, "=", 0), NUMBERS, (Rel(x, "=", 0),), "times 0")
    zero = follows(Rel(PULL, "=", 0), none, domain=ROUND, given=given, name="not pulled")
    lost = applied(nothing, {x: PULL, y: f(now)}, zero, domain=ROUND, given=given, name="no pull of arm k")
    same = applied(
        as_many(added), {x: now, y: earlier}, zero, least, counted(), domain=ROUND, given=given, name="as before"
    )
    return Cases(MADE, pulled, follows(rel, lost, same, domain=ROUND, given=given, name="another arm"), "one round")


def counted() -> Instance:
    """A pull is counted."""
    return instance(one_more(equals(arm(u), k), u), {m: t}, ROUND, name="a pull is counted")


def this_pull(choices: Choices) -> Follows:
    """The pull of round t has the number of the earlier pulls of its arm, and one."""
    chosen, round_ = choices.arm, {**choices.sizes, t: COUNT}
    one = specialised(counted(), {arm(t): chosen}, {**round_, k: COUNT}, name="a pull is counted")
    itself = instance(one, {k: chosen}, round_, name="the pull of this round is counted")
    sure = Indicates(chosen - chosen, round_, integer=True, name="an arm is itself")
    rel = Rel(pulls(t, chosen, chosen), "=", choices.before.concludes.rel.left + 1)
    return follows(rel, itself, sure, choices.before, domain=round_, name="the number of this pull")


def one_arm(choices: Choices) -> Replaced:
    """What the pulls of one arm meet of f."""
    domain, known = {**choices.sizes, k: COUNT, f(j): real()}, choices.total.concludes.rel
    order = specialised(uses("ours/pulls/in-order"), {arm(t): choices.arm}, domain, name="the pulls of one arm")
    in_all = follows(Rel(known.right, "=", known.left), choices.total, domain=domain, name="all pulls of one arm")
    rel = Rel(order.concludes.rel.stated[0], "=", first(known.left))
    return replaced(order, in_all, rel, domain, name="the pulls of one arm")


def at_most_all(choices: Choices) -> Follows:
    """An arm is pulled in some of the n rounds."""
    arm_ = {**choices.sizes, k: COUNT}
    event = Goal(Rel(equals(choices.arm, k), "<=", 1), {**arm_, t: COUNT}, name="once a round at most")
    most = SumOver(event, t, ONE, N, arm_, name="n rounds")
    return follows(Rel(choices.total.concludes.rel.left, "<=", N), choices.total, most, domain=arm_, name="of one arm")


def nothing_before(choices: Choices, in_turn: Item) -> Follows:
    """The arm of round t <= K was not pulled before, if round t pulls arm t up to t = K."""
    chosen, early = choices.arm, (Rel(t, "<=", K),)
    round_ = {**choices.sizes, t: COUNT}
    pair, given = {**round_, u: COUNT}, (*early, Rel(u, "<=", t - 1))
    other = chosen.xreplace({t: u})
    earlier = instance(in_turn, {t: u}, {**choices.sizes, u: COUNT}, (Rel(u, "<=", K),), name="an earlier arm")
    own = congruent(equals(other, x), x, in_turn, pair, early, name="the arm of this round")
    first_ = congruent(equals(x, t), x, earlier, pair, (Rel(u, "<=", K),), name="the arm of an earlier round")
    another = Indicates(-((u - t) ** 2), pair, part=True, name="rounds u and t")
    zero = Goal(Rel(x, "=", 0), {x: at_least(0), y: at_least(1)}, (Rel(-x * y**2, ">=", 0),), "no factor")
    apart = applied(zero, {x: equals(u, t), y: t - u}, another, domain=pair, given=given, name="two rounds")
    rel = Rel(equals(other, chosen), "=", 0)
    never = follows(rel, own, first_, apart, domain=pair, given=given, name="not pulled earlier")
    none = SumOver(never, u, ONE, t - 1, round_, given=early, name="nor before")
    rel = Rel(choices.before.concludes.rel.left, "=", 0)
    return follows(rel, choices.before, none, domain=round_, given=early, name="no pull before")


def by_arms(value: sp.Expr, choices: Choices) -> Specialised:
    """What all rounds meet of a function of the count, an expression in j, as a sum over arms and their pulls."""
    sizes = {**choices.sizes, f(j): real()}
    round_, chosen, number = {**sizes, t: COUNT}, choices.arm, choices.before.concludes.rel.left + 1
    arms = SumOver(one_arm(choices), k, ONE, K, sizes, name="all arms")
    own = f(pulls(t, by=chosen))
    rounds = Exchange(equals(chosen, k) * own, (t, ONE, N), (k, ONE, K), sizes, "rounds first")
    picked = Picked(own, k, chosen, ONE, K, round_, name="one of K arms")
    pulled = applied(picked, {}, choices.one_of_K, domain=round_, name="the pulled arm")
    rel = Rel(pulled.concludes.rel.stated[0], "=", f(number))
    each = SumOver(replaced(pulled, this_pull(choices), rel, round_, name="its count"), t, ONE, N, sizes, name="rounds")
    total = Rel(sp.Sum(f(number), (t, 1, N)), "=", sp.Sum(first(choices.total.concludes.rel.left), (k, 1, K)))
    any_ = follows(total, arms, rounds, each, domain=sizes, name="a sum over rounds is one over arms and their pulls")
    return specialised(any_, {f(j): value.xreplace({j: j - 1})}, choices.sizes)


@claim("ours/pulls/in-order", by="us", kind="identity")
def in_order() -> Argument:
    """The number of pulls of an arm grows by 1 with each of them and with nothing else, so they are its first, second,
    ... and its last one has the number of all its pulls."""
    rounds = Telescoping(one_round(), first(pulls(t - 1)), t, ONE, N, ROUNDS, name="all rounds")
    start = no_terms(equals(arm(u), k), u), no_terms(f(j), j)
    none = applied(as_many(another_pull()), {x: pulls(0), y: 0}, start[0], domain=ANY, name="before the first round")
    total = Rel(rounds.concludes.rel.stated[0], "=", first(pulls(N)))
    return proof(follows(total, rounds, none, start[1], domain=ROUNDS, name="in order"), letters=WORDS)
