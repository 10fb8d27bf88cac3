"""Symbols of Section 7 (`sec:real`), the experiment on ratings, that stand for two things."""

import sympy as sp

from theory.kernel.argument import Computation
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.model.arms import V0, arm_goal
from theory.paper.notation.shared import shared

HERE = "Section 7"
groups, movies, x, y, mu0, r0 = sp.symbols("groups movies x y mu0 r0")
SIZES = {groups: at_least(1, integer=True), movies: at_least(1, integer=True)}

shared(
    "K",
    f"{HERE}; Section 2",
    "K is the number of user groups, the rows of the matrix, and then the number of arms, which are its columns, "
    "the movies. Both are 128; with other numbers a run would have as many arms as movies.",
    r"K \text{ is used for two things: the } 128 \text{ user groups, of which a run draws one, and the } 128 \text{ "
    r"movies, which are its arms; of the entries of } \mathbf M \text{ a run uses one row}",
    Goal(Rel(groups * movies - movies, "=", (groups - 1) * movies), SIZES, name="entries that a run does not use"),
    Goal(Rel(movies, "<", groups * movies), SIZES, (Rel(groups, ">=", 2),), "a row is less than the matrix"),
)

shared(
    "L",
    f"{HERE}; Appendix A",
    "L is the number of movies, never used again as the arms are counted by K, and the loss of Appendix A, which is "
    "no constant: it exceeds its least value wherever mu_0 is not r0-bar.",
    r"L \text{ is used for two things: the number } 128 \text{ of movies and the loss } L(\mu_0)=L(\bar r_0)+"
    r"(\mu_0-\bar r_0)^2W/\sigma_0^2",
    arm_goal(
        (mu0 - r0) ** 2 / V0,
        ">",
        0,
        extra={mu0: real(), r0: real()},
        given=(Rel(mu0, ">", r0),),
        name="the loss varies",
    ),
    arm_goal(
        sp.Derivative((mu0 - r0) ** 2 / V0, mu0),
        "=",
        2 * (mu0 - r0) / V0,
        extra={mu0: real(), r0: real()},
        name="its slope",
    ),
    depends_on=("r0-estimator-appendix",),
)


Matrix = tuple[tuple[int, int], tuple[int, int]]


def ranks(low: Matrix, full: Matrix) -> tuple[Rel, Rel]:
    """That of two matrices of two rows the first has rank at most 1 and the second has not."""
    first, second = (rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0] for rows in (low, full))
    return Rel(sp.Integer(first), "=", 0), Rel(sp.Integer(second) ** 2, ">", 0)


AVERAGES, OF_RANK_ONE = ((1, 0), (0, 1)), ((1, 2), (2, 4))
shared(
    "M",
    HERE,
    "M is the matrix of average ratings and then the matrix of rank 5 learned from it; a matrix of averages has no "
    "reason to have low rank, and one that has not is no approximation of low rank.",
    r"\mathbf M \text{ is used for two things: the averages, and their approximation of rank } 5; \text{ they are "
    r"equal only if the averages have rank } 5 \text{ at most}",
    Computation(
        "exact",
        "two groups and movies: averages 1, 0 and 0, 1 are not of rank 1, multiples of a row are",
        ranks,
        (OF_RANK_ONE, AVERAGES),
        {
            "exchanged": (AVERAGES, OF_RANK_ONE),
            "both of rank 1": (OF_RANK_ONE, OF_RANK_ONE),
            "neither": (AVERAGES, AVERAGES),
        },
    ),
)

shared(
    "user",
    HERE,
    "A row of M is a user group, and its entries are averages over the users of the group; the text then calls row "
    "j user j. A group's average is a user's rating only if the users agree.",
    r"\text{row } j \text{ is used for two things: user group } j \text{ and user } j; \ \tfrac{x+y}{2}-x="
    r"\tfrac{y-x}{2} \text{ for two users with ratings } x,y",
    Goal(Rel((x + y) / 2 - x, "=", (y - x) / 2), {x: real(), y: real()}, name="a group of two against a user"),
    Goal(Rel((x + y) / 2, ">", x), {x: real(), y: real()}, (Rel(y, ">", x),), "they differ when the users do"),
)

pull, horizon = sp.symbols("pull horizon")
shared(
    "j",
    f"{HERE}; Section 2",
    "j numbers the pulls of an arm, from 1 to n_k, and here the row of the matrix, drawn from 128; a run has one "
    "row and, over n rounds, pulls beyond any number of rows.",
    r"j \text{ is used for two things: the pull } j\le n_{k,t}, \text{ and the row } j\le 128 \text{ of a run}",
    Goal(
        Rel(pull, ">", groups),
        {pull: at_least(1, integer=True), groups: SIZES[groups]},
        (Rel(pull, ">=", groups + 1),),
        "a pull that is no row",
    ),
    Goal(
        Rel(horizon / groups, ">", 1),
        {horizon: positive(), groups: SIZES[groups]},
        (Rel(horizon, ">", groups),),
        "more rounds than rows",
    ),
)
