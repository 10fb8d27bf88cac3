"""The mean squared error of a prediction that is linear in effects and noise of independent arms."""

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, real
from theory.kernel.rules import Applied, Expectation, Follows, Induction, SumOver, applied, follows, instance
from theory.kernel.rules.compose import Domain, conclusion
from theory.kernel.terms import Mean
from theory.model import own_noise as model
from theory.model.arms import J, s0, w, weight
from theory.model.effects import prediction_error
from theory.model.own_noise import COUNT, LEAN, OWN, REST, UNEQUAL, Noises, counts, deviation, effect, i, j, m, noise, o

EACH = {**UNEQUAL, i: COUNT}
ONE = sp.Integer(1)
w_i = weight(counts(i))
OF_ARM = s0 + OWN / counts(i)  # variance of a sample mean
x, y, z, c, p, q, r = sp.symbols("x y z c p q r")
NUMBERS = dict.fromkeys((x, y, z, c, p, q, r), real())
FACTORS = {**UNEQUAL, **dict.fromkeys((p, q, r), real())}


def scaled(factor: sp.Expr, item: Item, domain: Domain, given: tuple[Rel, ...] = ()) -> Applied:
    """An equation times a factor."""
    lemma = Goal(Rel(c * x, "=", c * y), NUMBERS, (Rel(x, "=", y),), "times a factor")
    left, right = conclusion(item).rel.stated
    at = {c: factor, x: left, y: right}
    return applied(lemma, at, item, domain=domain, given=given, name="times a factor")


def added(total: Item, *parts: Item, domain: Domain, name: str) -> Applied:
    """X = v_1 + v_2 + ... from X = t_1 + t_2 + ... and t_1 = v_1, t_2 = v_2, ..."""
    terms, values = sp.symbols(f"t1:{len(parts) + 1}"), sp.symbols(f"v1:{len(parts) + 1}")
    given = (Rel(x, "=", sp.Add(*terms)), *(Rel(term, "=", value) for term, value in zip(terms, values, strict=True)))
    lemma = Goal(Rel(x, "=", sp.Add(*values)), dict.fromkeys((x, *terms, *values), real()), given, "term by term")
    sides = [conclusion(part).rel.stated for part in parts]
    at = {x: conclusion(total).rel.stated[0]}
    for side, letters in enumerate((terms, values)):
        at |= {letter: pair[side] for letter, pair in zip(letters, sides, strict=True)}
    return applied(lemma, at, total, *parts, domain=domain, name=name)


def uncorrelated(independent: Item, centred: Item, domain: Domain, given: tuple[Rel, ...] = ()) -> Follows:
    """E XY = 0 for independent X and Y, X with mean 0."""
    (product, means), mean = conclusion(independent).rel.stated, conclusion(centred).rel.stated[0]
    none = scaled(means / mean, centred, domain, given)
    return follows(Rel(product, "=", 0), independent, none, domain=domain, given=given, name="independent and centred")


def sums_of_noise(noises: Noises, domain: Domain) -> tuple[Induction, Induction]:
    """E T = 0 and E T^2 = m sigma^2 for the sum T of m independent noises."""
    none, spread = noises.moments
    number = {**domain, m: COUNT}
    next_, total = noises.one(m + 1), noises.sum(m)
    more = [instance(item, {m: m + 1}, number, name="one noise more") for item in (none, spread)]
    first = [instance(item, {m: ONE}, domain, name="the first noise") for item in (none, spread)]
    means = Induction(
        Rel(Mean(total, o), "=", 0), m, ONE, domain, name="mean of a sum", lemmas=(more[0],), first=(first[0],)
    )
    cross = uncorrelated(instance(noises.independent, {}, number, name="independent"), means, number)
    square = Goal(Rel((x + y) ** 2, "=", x**2 + 2 * x * y + y**2), NUMBERS, name="a square")
    mean = Expectation(instance(square, {x: total, y: next_}, number, name="one noise more"), (o,))
    rel = Rel(Mean(total**2, o), "=", m * noises.variance)
    lemmas = mean, scaled(sp.Integer(2), cross, number), more[1]
    squares = Induction(rel, m, ONE, domain, name="square of a sum", lemmas=lemmas, first=(first[1],))
    return means, squares


def averages_of_noise(noises: Noises, domain: Domain) -> tuple[Applied, Applied]:
    """The average of n independent noises has the mean 0 and the second moment sigma^2/n."""
    mean, square = (
        instance(item, {m: noises.count}, domain, name="all rewards") for item in sums_of_noise(noises, domain)
    )
    total, share = noises.sum(noises.count), 1 / noises.count
    known = instance(noises.averaged, {}, domain, name="the average")
    equal = Goal(Rel(x**2, "=", c**2 * y**2), NUMBERS, (Rel(x, "=", c * y),), "squares")
    at = {c: share, x: noises.average, y: total}
    squares = Expectation(applied(equal, at, known, domain=domain, name="squares"), (o,))
    none, spread = scaled(share, mean, domain), scaled(share**2, square, domain)
    through = Goal(Rel(x, "=", z), NUMBERS, (Rel(x, "=", y), Rel(y, "=", z)), "of the sum")
    first = {x: Mean(noises.average, o), y: share * Mean(total, o), z: sp.S.Zero}
    second = {x: Mean(noises.average**2, o), y: share**2 * Mean(total**2, o), z: noises.variance / noises.count}
    return (
        applied(through, first, Expectation(known, (o,)), none, domain=domain, name="mean of the average"),
        applied(through, second, squares, spread, domain=domain, name="square of the average"),
    )


def weighted(none: Follows, given: tuple[Rel, ...] = ()) -> SumOver:
    """Times w_i, summed over the other arms; `given` says which arms these are."""
    return SumOver(scaled(w_i, none, EACH, given), i, ONE, J, UNEQUAL, name="with the other arms")


def centred() -> Follows:
    """E(rbar_i - mu_0) = 0."""
    mean = Expectation(model.DEVIATION, (o,))
    rel = Rel(Mean(deviation(i, o), o), "=", 0)
    return follows(
        rel,
        mean,
        model.EFFECT_OF[0],
        averages_of_noise(model.NOISE_OF, EACH)[0],
        domain=EACH,
        name="a sample mean is centred",
    )


def of_one_arm() -> Applied:
    """E(rbar_i - mu_0)^2 = sigma_0^2 + sigma_i^2/n_i."""
    square = Goal(Rel(x**2, "=", y**2 + 2 * y * z + z**2), NUMBERS, (Rel(x, "=", y + z),), "a square")
    at = {x: deviation(i, o), y: model.effect_of(i, o), z: model.noise_of(i, o)}
    mean = Expectation(applied(square, at, model.DEVIATION, domain=EACH, name="a square"), (o,))
    cross = uncorrelated(model.EFFECT_AND_NOISE_OF, model.EFFECT_OF[0], EACH)
    parts = model.EFFECT_OF[1], scaled(sp.Integer(2), cross, EACH), averages_of_noise(model.NOISE_OF, EACH)[1]
    return added(mean, *parts, domain=EACH, name="variance of an arm")


def of_the_others() -> Induction:
    """E(sum of w_i (rbar_i - mu_0))^2, arm by arm: a new arm is uncorrelated with those before it."""
    before, new = Rel(i, "<=", J), {i: J + 1}
    pair = instance(model.TWO_ARMS, {j: J + 1}, EACH, (before,), name="another arm")
    none = uncorrelated(pair, centred(), EACH, (before,))
    cross = weighted(none, (before,))
    square = Goal(Rel((x + c * y) ** 2 - x**2, "=", 2 * c * x * y + c**2 * y**2), NUMBERS, name="a square")
    last = {c: w_i.xreplace(new), y: deviation(J + 1, o)}
    mean = Expectation(instance(square, {x: REST, **last}, UNEQUAL, name="one arm more"), (o,))
    own = instance(of_one_arm(), new, UNEQUAL, name="the arm itself")
    parts = scaled(2 * last[c], cross, UNEQUAL), scaled(last[c] ** 2, own, UNEQUAL)
    step = added(mean, *parts, domain=UNEQUAL, name="one arm more")
    total = Rel(Mean(REST**2, o), "=", sp.Sum(w_i**2 * OF_ARM, (i, 1, J)))
    return Induction(total, J, sp.S.Zero, UNEQUAL, name="the other arms", lemmas=(step,))


def combination() -> Applied:
    """E(p delta_k + q eps_k + r (sum of w_i (rbar_i - mu_0)))^2, for any factors."""
    squares = p**2 * x**2 + q**2 * y**2 + r**2 * z**2 + 2 * p * q * x * y + 2 * p * r * x * z + 2 * q * r * y * z
    square = Goal(Rel((p * x + q * y + r * z) ** 2, "=", squares), NUMBERS, name="a square")
    mean = Expectation(instance(square, {x: effect, y: noise, z: REST}, FACTORS, name="a square"), (o,))
    others = of_the_others()
    parts = {
        p**2: model.EFFECT[1],
        q**2: averages_of_noise(model.NOISE, UNEQUAL)[1],
        r**2: others,
        2 * p * q: uncorrelated(model.EFFECT_AND_NOISE, model.EFFECT[0], UNEQUAL),
        2 * p * r: weighted(uncorrelated(model.EFFECT_AND_ARM, model.EFFECT[0], EACH)),
        2 * q * r: weighted(uncorrelated(model.NOISE_AND_ARM, averages_of_noise(model.NOISE, UNEQUAL)[0], EACH)),
    }
    return added(
        mean, *(scaled(by, item, FACTORS) for by, item in parts.items()), domain=FACTORS, name="a sum over arms"
    )


def mean_square() -> Follows:
    """E(mu-hat_k - mu_k)^2 as a sum over arms, its coefficients computed with sigma^2."""
    factors = {p: w + LEAN * w - 1, q: w + LEAN * w, r: LEAN}
    names, error = {x: effect, y: noise, z: REST}, sp.Symbol("error")
    value, form = prediction_error(x, y, z), (p * x + q * y + r * z).xreplace(factors)
    sizes = {size: UNEQUAL[size] for size in value.free_symbols - set(names)}
    given = (Rel(error, "=", value),)
    linear = Goal(Rel(error, "=", form), {**sizes, **NUMBERS, error: real()}, given, "linear")
    here = applied(linear, {**names, error: model.error}, model.PREDICTION, domain=UNEQUAL, name="linear")
    square = Goal(Rel(x**2, "=", y**2), NUMBERS, (Rel(x, "=", y),), "squares")
    at = {x: model.error, y: here.concludes.rel.stated[1]}
    squared = Expectation(applied(square, at, here, domain=UNEQUAL, name="squares"), (o,))
    arms = instance(combination(), factors, UNEQUAL, name="a sum over arms")
    rel = Rel(Mean(model.error**2, o), "=", arms.concludes.rel.stated[1])
    return follows(rel, squared, arms, domain=UNEQUAL, name="mean squared error with a common sigma^2")
