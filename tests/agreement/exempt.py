"""Proved claims that no number of `reucb` answers for, each with its reason."""

MGF = "about moment generating functions, which reucb does not compute"
NO_CODE: dict[str, str] = {
    "sec:fact/1": MGF,
    "sec:fact/2": MGF,
    "sec:fact/3": MGF,
    "sec:fact/3/sharp": MGF,
    "sec:fact/proxy-is-variance": MGF,
    "sec:extensions/arm-dependent": MGF,
    "them-R-Bayes-SubR/lock-out/model": MGF,
    "them-R-Bayes-SubR/lock-out/exact-variances": MGF,
    "them-R-Bayes-SubR/lock-out/chance": "a binomial probability, which reucb does not compute",
    "them-R-Bayes-SubR/repaired/peeling": "lines above a random walk; reucb computes the chance that follows, in "
    "them-R-Bayes-SubR/repaired/range-route",
    "payoff-M1/second-moments-only/repaired": "the tails of Chebyshev and Cantelli, which no policy or bound uses",
    "sec:algorithm/side-information": "the tail of Cantelli, which no policy or bound uses",
    "them-R-Bayes-SubR/expectation-twice": "the average of a constant is that constant",
}
