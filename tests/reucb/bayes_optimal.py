"""The best any policy can do on two Bernoulli arms with uniform means, by dynamic programming."""

from functools import cache


@cache
def optimal_reward(horizon):
    """The largest expected total reward: Bellman's equation over successes and failures of both arms."""

    @cache
    def value(s1, f1, s2, f2):
        if s1 + f1 + s2 + f2 == horizon:
            return 0.0
        p1, p2 = (s1 + 1) / (s1 + f1 + 2), (s2 + 1) / (s2 + f2 + 2)
        return max(
            p1 * (1 + value(s1 + 1, f1, s2, f2)) + (1 - p1) * value(s1, f1 + 1, s2, f2),
            p2 * (1 + value(s1, f1, s2 + 1, f2)) + (1 - p2) * value(s1, f1, s2, f2 + 1),
        )

    return value(0, 0, 0, 0)


def expected_best():
    """The expectation of the larger of two uniform means."""
    return 2 / 3
