"""Causes of defects, each with one sentence; every defect names one of them."""

CAUSES: dict[str, str] = {
    "unpulled-arms": (
        "A formula or lemma that needs every arm pulled is used in the first K rounds, where arms are "
        "unpulled and no maximum is taken."
    ),
    "adaptive-counts": ("Formulas for counts fixed in advance are used in rounds whose counts depend on the rewards."),
    "posterior": (
        "A law given the history is used that the model at hand does not have: mu_0 is a number there, not "
        "flat, or shared by the arms."
    ),
    "reversed-inequality": (
        "The inequality of the upper bound's proof is used in the wrong direction: 1 - w_k falls to 0 as the "
        "arm is pulled."
    ),
    "unequal-noise": "Formulas derived for equal noise are used unchanged when every arm has its own noise.",
    "symbol": "A symbol or word stands for something else than it was defined for.",
    "misprinted-formula": "A term, a factor, a sign or the end of an interval is misprinted.",
    "wrong-reason": "The reason given does not give the step; the step itself holds otherwise, or as repaired.",
    "zero-variance": "A variance that is 0 is not excluded, and a formula divides by it.",
    "undefined-estimates": "An estimated variance is 0 or 0/0: no arm has two rewards, or all rewards agree.",
    "one-arm": "K = 1 is not excluded.",
    "n=1": "The horizon n = 1 is not excluded: log n is 0, and one pull of an unknown arm costs regret.",
    "knowing-mu0": "What knowing mu_0 gives, or what can be computed without it, is misjudged.",
    "ratio-of-logarithms": "log(1 + n x)/log(1 + x) is counted as a logarithm, but it is close to n for small x.",
    "condition-left-out": "A condition stated elsewhere is left out of a summary.",
    "leading-term-only": "Only the leading term of a bound is looked at where the other one is larger.",
    "not-linear": "A dependence on sigma_0 is called linear and is not.",
    "best-arm": "Which arm is best depends on the errors themselves, so its error is not one of K fixed errors.",
    "second-moments": "Only second moments are assumed where a tail or a conditional law is used.",
    "fixed-number-of-arms": (
        "The number of arms is fixed while the pulls grow, so the spread of the arm means does not average out."
    ),
    "plug-in": "Formulas for known variances are used with estimated ones.",
    "noise-not-subtracted": "The noise of the sample means is not subtracted in the estimate of sigma_0^2.",
    "bernoulli-noise": "Noise is taken to be independent of the arm mean, which that of Bernoulli rewards is not.",
    "small-a": "The condition a >= m allows a < 1, where ReUCB may stop pulling the best arm.",
    "m-above-a": "The experiments use a = 1, below the m that the theorem requires.",
    "skewed-prior": "A variance is used as sub-Gaussian proxy of a skewed law.",
    "statement-against-proof": "The statement of a theorem and the end of its proof have different terms.",
    "clipping": "Clipping rewards to [0, 1] moves their mean.",
    "not-reproduced": (
        "A sentence about results, read with thresholds that are ours, is not what simulations at the "
        "paper's size show."
    ),
}
