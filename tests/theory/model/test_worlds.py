"""What the model says is true in one world: no proof can take two laws of the arm means that exclude each other."""

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Rel, Var, real
from theory.kernel.rules import follows, instance
from theory.kernel.terms import stated
from theory.ledger import excluding
from theory.model import bounded_play, chosen_arms, error_law, follow_up, lockout_laws, play, raised_mean, stacks
from theory.model.arms import s0
from theory.model.play import COUNT, FIRST_ARM, GAUSSIAN, SECOND_ARM, Z, k, mu, mu0, o, t
from theory.model.round_errors import d, e
from theory.model.stacks import STACKS

DOMAIN = {**STACKS, k: COUNT, mu0: real()}
ARMS = FIRST_ARM, SECOND_ARM
FAR = Rel(sp.sqrt(s0) * (Z(SECOND_ARM, o) - Z(FIRST_ARM, o)), "<=", 1)
EFFECTS = [instance(play.EFFECT, {k: arm}, DOMAIN) for arm in ARMS]


def test_arm_means_in_a_range_are_not_normal():
    """Each definition is true in its world: together they give a false statement, and the ledger sees both worlds."""
    ends = instance(stacks.MEAN_LOW, {k: FIRST_ARM}, DOMAIN), instance(stacks.MEAN_HIGH, {k: SECOND_ARM}, DOMAIN)
    found = proof(follows(FAR, *EFFECTS, *ends, domain=DOMAIN))
    assert found.check().verdict == "proved"
    assert set(excluding(found.basis.worlds)) == {GAUSSIAN, stacks.BOUNDED}


def test_no_domain_says_that_arm_means_are_in_a_range():
    """A range has no world, and is no part of a statement where a model states it."""
    assert proof(follows(FAR, *EFFECTS, domain=DOMAIN)).check().verdict == "open"
    for quantity in (mu(k, o), stacks.reward(k, stacks.m, o)):
        assert not stated(quantity, Var(sp.Integer(0), high=sp.Integer(1)))


# x is any number in the law of a lock-out: with E delta_k = 0 it would follow that x + D/2 = mu_0, from the proxy of an
# effect that D is bounded, and from the law of the first rewards of ReUCB the same.
EXCLUDED = {
    "effects have mean 0": (stacks.NO_BIAS, lockout_laws.MEAN),
    "effects have a proxy": (stacks.EFFECT_PROXY, lockout_laws.MEAN),
    "effects have a proxy, exact variances": (stacks.EFFECT_PROXY, lockout_laws.EXACT_MEAN),
    "noises have a proxy": (stacks.NEXT_NOISE, lockout_laws.NOISE),
    "first rewards have mean mu_0": (follow_up.NORMAL, lockout_laws.MEAN),
    "a mean is independent of all else": (raised_mean.by_outcome(raised_mean.x), lockout_laws.MEAN),
    "a mean has mean mu_0": (raised_mean.CENTRE, lockout_laws.MEAN),
    "effects of chosen arms are normal": (chosen_arms.EFFECTS, stacks.MEAN_HIGH),
    "another agent pulls the arms": (bounded_play.HIGHEST, play.EFFECT),
}


@pytest.mark.parametrize("name", EXCLUDED)
def test_laws_that_exclude_each_other_have_different_worlds(name):
    one, other = EXCLUDED[name]
    assert len(excluding({*one.worlds, *other.worlds})) == 2


def test_the_outcome_is_split_by_the_rewards_of_one_agent():
    """The errors of two agents would differ by what d decides, and so have the same variance: tau_k = tau'_k."""
    agents = error_law.REUCB, error_law.INDEXED
    same = [instance(agent.is_error, {}, {**agent.domain, t: COUNT}, agent.given) for agent in agents]
    left, right = (agent.estimate(k, t, error_law.BOTH) - agent.error(k, t, d, e) for agent in agents)
    both = {**error_law.REUCB.domain, **error_law.INDEXED.domain}
    given = (*error_law.REUCB.given, *error_law.INDEXED.given)
    found = proof(follows(Rel(left, "=", right), *same, domain=both, given=given))
    assert found.check().verdict == "proved"
    assert len(excluding(found.basis.worlds)) == 2
    assert not excluding((GAUSSIAN, *error_law.REUCB.is_error.worlds))
