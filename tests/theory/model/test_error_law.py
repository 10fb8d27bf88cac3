"""Definitions of the laws of errors are refused where they would say something false."""

from dataclasses import replace

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import at_least, real
from theory.kernel.rules import instance
from theory.kernel.terms import Event, Mean
from theory.model import follow_up, play
from theory.model.arm_signs import NOISES, eps
from theory.model.bounded_lines import ABOVE
from theory.model.error_law import INDEXED, KNOWN, REUCB, c, given_error, xi, z
from theory.model.fair_signs import Signs
from theory.model.fair_signs import x as signs_x
from theory.model.own_noise import NOISE
from theory.model.play import PULLED, K, k, mu, muhat, o, t
from theory.model.reward_level import REUCB as REWARDS
from theory.model.round_errors import d
from theory.ours.classical.normal import u
from theory.ours.normal_errors import in_parts

AGENTS = (REUCB, KNOWN, INDEXED, follow_up.BY_REWARDS)


def test_every_agent_has_its_own_density_errors_and_averages():
    """One name for two functions would equate them, and with them the counts of two plays."""
    names = [f.__name__ for agent in AGENTS for f in (agent.error, agent.estimate, agent.density_of, *agent.averages)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("later", [t + 1, t + 2, sp.Symbol("u")])
def test_what_is_known_before_a_round_does_not_decide_a_later_one(later):
    """The mean error of the arm of the next round is not 0: -0.10 for three arms in round 4."""
    arm = PULLED.xreplace({t: later})
    with pytest.raises(ValueError, match="need not decide another round"):
        in_parts(REUCB, muhat(arm, t, o) - mu(arm, o))


def test_an_arm_mean_alone_is_no_function_of_differences_and_errors():
    with pytest.raises(ValueError, match="does not depend on d and e only"):
        in_parts(REUCB, mu(k, o))
    with pytest.raises(ValueError, match="function of the outcome"):
        REUCB.split(REUCB.pulls(k, t, d))


def test_variables_of_integration_are_free():
    for f in (u * z, c * u):
        with pytest.raises(ValueError, match="only the error z may occur"):
            REUCB.bayes(f, u)
    with pytest.raises(ValueError, match="only xi and z may occur"):
        given_error(xi * u, u, "a variable of integration", {})


def test_laws_of_errors_are_about_one_arm_and_one_round():
    other = sp.Symbol("i")
    for f in (sp.Sum(z, (k, 1, 2)) ** 2, Mean(z, z), sp.Sum(z, (u, 1, 2)), sp.Sum(z * d, (t, 1, 2))):
        with pytest.raises(ValueError, match=r"bound|may occur"):
            REUCB.bayes(f, u)
    with pytest.raises(ValueError, match="bound"):
        REUCB.split(sp.Sum(muhat(k, t, o), (t, 4, 5)))
    for m, f in enumerate((sp.Sum(z, (other, 1, 2)), sp.Sum(xi * z, (k, 1, 2)), Mean(z, xi), sp.Sum(c * z, (c, 1, 2)))):
        with pytest.raises(ValueError, match="bound"):
            given_error(f, u, f"an operator {m}", {c: K})
    for variable in (k, t, d):
        with pytest.raises(ValueError, match="another variable"):
            REUCB.bayes(z, variable)
        with pytest.raises(ValueError, match="another variable"):
            given_error(z, variable, f"integrated over {variable}", {})


@pytest.mark.parametrize("f", [sp.exp(z**2), 1 / z, sp.log(z**2), sp.Function("q")(z)])
def test_functions_of_errors_have_means(f):
    with pytest.raises(ValueError, match="may have no mean"):
        REUCB.bayes(f, u)
    with pytest.raises(ValueError, match="may have no mean"):
        given_error(f, u, f"no mean of {f}", {})


def test_a_mean_given_an_error_has_one_name():
    given_error(z, u, "one name", {})
    given_error(z, u, "one name", {})
    with pytest.raises(ValueError, match="is that of another mean"):
        given_error(z**2, u, "one name", {})


@pytest.mark.parametrize("at", [{K: K + 1}, {play.s0: 4 * play.s0}, {play.mu0: play.mu0 + 1}])
def test_parameters_of_the_model_are_fixed(at):
    """mu_k = mu_0 + ... at two values of mu_0, or the weights of the others for two numbers of arms, would be equal."""
    for definition in (play.EFFECT, play.OTHER_ARMS):
        domain = {**definition.concludes.domain, K: play.COUNT}
        moved = instance(definition, at, domain, definition.concludes.given, name="another model")
        assert proof(moved).check().verdict == "open"
        assert any("parameter of the model" in e.check for e in moved.evidence())


def test_laws_of_errors_hold_beside_other_quantities_on_no_wider_ranges():
    more = sp.Symbol("more")
    beside = REUCB.among({more: real(), K: at_least(2, integer=True)}, play.LATER)
    assert beside.domain[more] == real()
    assert beside.domain[K] == at_least(2, integer=True)
    assert beside.given == (*REUCB.given, play.LATER)
    with pytest.raises(ValueError, match="its range must be within"):
        REUCB.among({K: real()})


SIGNS = Signs(lambda _: eps(k, 1, o), lambda m: m * eps(k, 1, o), sp.S.One, {k: play.COUNT})
MADE_HERE = {
    "one sign, again and again": lambda: SIGNS.independent(Event(signs_x - 1, 0)),
    "other ranges": lambda: replace(REUCB, domain={**REUCB.domain, K: real()}).bayes(z, u),
    "and others beside": lambda: replace(REUCB, given=()).among({}).bayes(z, u),
    "another line": lambda: replace(ABOVE, outside=play.i).apart(sp.S.One),
    "another variance": lambda: replace(NOISE, variance=sp.S.Zero).moments[1],
    "no level": lambda: replace(REWARDS, level=sp.S.Zero).same_differences,
}


@pytest.mark.parametrize("definition", MADE_HERE.values(), ids=list(MADE_HERE))
def test_definitions_of_an_object_are_made_where_it_is(definition):
    """What the object is made of decides what they say: a ledger rejects them if it is made beside claims."""
    assert definition().made_in == __name__


def test_those_of_an_object_of_the_model_are_made_there():
    assert REUCB.among({}).bayes(z, u).made_in == "theory.model.error_law"
    assert NOISES.independent(Event(signs_x - 1, 0)).made_in == "theory.model.arm_signs"
    assert follow_up.BY_DIFFERENCES.bayes(z, u).made_in == "theory.model.follow_up"
    assert ABOVE.apart(sp.S.One).made_in == "theory.model.bounded_lines"
