// The bounds of reucb.bounds in JavaScript: same names, same formulas.
const Bounds = (() => {
  "use strict";

  // --- special functions -------------------------------------------------------------------------------

  // exp(x^2) erfc(x) for x >= 0: below 2 by the series of erf, beyond by its continued fraction from the tail.
  function erfcx(x) {
    if (x < 2) {
      let term = x, sum = x;
      for (let k = 1; term > 1e-17 * sum; k++) sum += term *= (2 * x * x) / (2 * k + 1);
      return Math.exp(x * x) - (2 / Math.sqrt(Math.PI)) * sum;
    }
    let tail = 0;
    for (let k = 80; k > 0; k--) tail = k / 2 / (x + tail);
    return 1 / (Math.sqrt(Math.PI) * (x + tail));
  }

  const density = (s) => Math.exp((-s * s) / 2) / Math.sqrt(2 * Math.PI);
  const upper = (s) => (s < 0 ? 1 - upper(-s) : 0.5 * Math.exp((-s * s) / 2) * erfcx(s / Math.SQRT2));
  const logLower = (y) => (y < 0 ? -y * y / 2 + Math.log(0.5 * erfcx(-y / Math.SQRT2)) : Math.log1p(-upper(y)));
  const excess = (s) => density(s) * Math.max(1 - s * Math.sqrt(Math.PI / 2) * erfcx(s / Math.SQRT2), 0);

  // Nodes and weights of Gauss-Legendre of order 16 on [-1, 1], by Newton's method.
  const legendre = (() => {
    const order = 16, nodes = [], weights = [];
    for (let i = 0; i < order; i++) {
      let x = -Math.cos((Math.PI * (i + 0.75)) / (order + 0.5)), slope = 1;
      for (let turn = 0; turn < 100; turn++) {
        let p = 1, before = 0;
        for (let j = 1; j <= order; j++) [p, before] = [((2 * j - 1) * x * p - (j - 1) * before) / j, p];
        slope = (order * (x * p - before)) / (x * x - 1);
        const step = p / slope;
        x -= step;
        if (Math.abs(step) < 1e-16) break;
      }
      nodes.push(x);
      weights.push(2 / ((1 - x * x) * slope * slope));
    }
    return { nodes, weights };
  })();

  function quadrature(edges) {
    const x = [], w = [];
    for (let p = 0; p + 1 < edges.length; p++) {
      const half = (edges[p + 1] - edges[p]) / 2, middle = (edges[p + 1] + edges[p]) / 2;
      legendre.nodes.forEach((node, i) => { x.push(middle + half * node); w.push(half * legendre.weights[i]); });
    }
    return { x, w };
  }

  const equalPanels = (low, high, width) =>
    quadrature(Array.from({ length: Math.round((high - low) / width) + 1 }, (_, i) => low + i * width));

  function memo(compute, limit = 4096) {
    const kept = new Map();
    return (...key) => {
      const name = key.join();
      if (!kept.has(name)) {
        if (kept.size >= limit) kept.clear();
        kept.set(name, compute(...key));
      }
      return kept.get(name);
    };
  }

  // --- the expected best of K arms, random play ---------------------------------------------------------

  const half = equalPanels(0, 12, 0.25);
  const halfUpper = half.x.map(upper), halfLogUpper = halfUpper.map(Math.log);
  const halfLogLower = halfUpper.map((q) => Math.log1p(-q));

  const expectedMax = memo((K) =>
    K === 1 ? 0 : half.w.reduce((sum, w, i) =>
      sum + w * (-Math.expm1(K * halfLogLower[i]) - Math.exp(K * halfLogUpper[i])), 0));

  const trivial = (p) => p.n * Math.sqrt(p.s0) * expectedMax(p.K);

  // --- as printed ---------------------------------------------------------------------------------------

  const rho = (p) => p.s / p.s0;
  const price = (p) => 1 + rho(p) / p.K;
  const logRatio = (p) => Math.log1p((p.s0 / p.s) * p.n) / Math.log1p(p.s0 / p.s);
  const rootTerm = (p) => 2 * Math.sqrt(p.a * logRatio(p) * p.s0 * p.K * p.n * Math.log(p.n));
  const tailTerm = (p, second) => p.K * Math.sqrt(((2 / Math.PI) * p.s) / (1 + rho(p))) *
    (second ? 1 + Math.log(p.n) : 2 * Math.sqrt(p.n));
  const mConstant = (p) => (1 + Math.sqrt(rho(p) / p.K)) ** 2 / (1 + 1 / (p.K * (1 + rho(p))));

  const theorem1 = (p) => Math.sqrt(price(p)) * rootTerm(p) + price(p) * tailTerm(p, p.a >= 2);
  const knownMu0 = (p) => rootTerm(p) + tailTerm(p, p.a >= 2);
  const classical = (p) => 4 * Math.sqrt(p.a * p.s * p.K * p.n * Math.log(p.n));

  function theorem2(p) {
    const tail = p.a >= 2 * mConstant(p) ? 2 * p.K * (1 + Math.log(p.n)) : price(p) * tailTerm(p, false);
    return price(p) * rootTerm(p) + tail;
  }

  function theorem2Derived(p) {
    const second = p.a >= 2 * mConstant(p);
    return price(p) * rootTerm(p) + 4 * p.K * (second ? 1 + Math.log(p.n) : Math.sqrt(p.n));
  }

  // --- sums over rounds, from above ---------------------------------------------------------------------

  function rint(x) { // halves to even, as NumPy rounds
    const low = Math.floor(x), left = x - low;
    return left < 0.5 || (left === 0.5 && low % 2 === 0) ? low : low + 1;
  }

  const knots = memo((first, last) => {
    const rounds = [], near = Math.min(last, first + 512);
    for (let t = first; t <= near; t++) rounds.push(t);
    if (near === last) return rounds;
    const decades = Math.log10(last / near);
    for (let i = 1; i <= 1024; i++) {
      const t = i === 1024 ? last : rint(near * 10 ** ((i * decades) / 1024));
      if (t > rounds[rounds.length - 1]) rounds.push(t);
    }
    return rounds;
  }, 256);

  function convexSum(rounds, value) {
    let sum = 0, here = value(rounds[0]);
    for (let i = 0; i + 1 < rounds.length; i++) {
      const length = rounds[i + 1] - rounds[i], next = value(rounds[i + 1]);
      sum += length * here + ((next - here) * (length - 1)) / 2;
      here = next;
    }
    return sum + here;
  }

  function fallingSum(rounds, value) {
    return rounds.reduce((sum, t, i) => sum + (i + 1 < rounds.length ? rounds[i + 1] - t : 1) * value(t), 0);
  }

  const excesses = memo(() => new Map(), 16); // of one a, by round: every horizon uses the same rounds
  function excessOf(a) {
    const kept = excesses(a);
    return (t) => {
      let value = kept.get(t);
      if (value === undefined) kept.set(t, value = excess(Math.sqrt(a * Math.log(t))));
      return value;
    };
  }

  // --- widths -------------------------------------------------------------------------------------------

  const learnedPulls = (p) => ((p.K - 1) * p.s) / (p.K * p.s0 + p.s);

  const headSums = memo((alpha) => {
    const sums = [0];
    for (let s = 1; s <= 32; s++) sums.push(sums[s - 1] + 1 / Math.sqrt(s + alpha));
    return sums;
  }, 64);

  function widthSum(m, alpha) {
    const head = headSums(alpha)[Math.min(m, 32)];
    if (m <= 32) return head;
    const x = 32.5 + alpha, y = m + 0.5 + alpha;
    return head + (2 * (y - x)) / (Math.sqrt(y) + Math.sqrt(x)) - (x ** -1.5 - y ** -1.5) / 48 +
      (7 * (x ** -3.5 - y ** -3.5)) / 3072;
  }

  function pooled(rounds, K, alpha) {
    const whole = Math.floor(rounds / K);
    return K * widthSum(whole, alpha) + (rounds - whole * K) / Math.sqrt(whole + 1 + alpha);
  }

  function bonusSum(p) {
    const rounds = p.n - p.K, alpha = learnedPulls(p), every = rounds <= 512, pieces = every ? rounds : 512;
    let sum = 0, from = 0, met = pooled(0, p.K, alpha);
    for (let i = 1; i <= pieces; i++) {
      const to = every ? i : rint(rounds * (i / 512) ** 2);
      if (to === from) continue;
      const next = pooled(to, p.K, alpha);
      sum += Math.sqrt(p.a * p.s * Math.log(p.n - from)) * (next - met);
      [from, met] = [to, next];
    }
    return sum;
  }

  // --- the sharpened Theorem 2 --------------------------------------------------------------------------

  const startOnly = (p) => p.n <= p.K || p.K === 1;
  const start = (p) => Math.min(p.K, p.n) * Math.sqrt(p.s0) * expectedMax(p.K);

  function optimismTail(p) {
    const alpha = learnedPulls(p), others = (p.K - 1) / Math.sqrt(1 + alpha), tail = excessOf(p.a);
    return Math.sqrt(p.s) * convexSum(knots(p.K + 1, p.n),
      (t) => tail(t) * (others + 1 / Math.sqrt(t - p.K + alpha)));
  }

  const sharp = (p) => (startOnly(p) ? start(p) : start(p) + bonusSum(p) + optimismTail(p));

  // --- averages over the prior --------------------------------------------------------------------------

  const FAR = 16, DEGREE = 96;
  const line = equalPanels(-9, 13, 0.5), lineLogLower = line.x.map(logLower);

  // log p_K on [0, 16] as a Chebyshev series, from its values at the points of the first kind.
  const gapSeries = memo((K) => {
    const count = DEGREE + 1, values = [];
    for (let i = 0; i < count; i++) {
      const z = (FAR / 2) * (1 + Math.cos((Math.PI * (i + 0.5)) / count));
      let sum = 0;
      for (let j = 0; j < line.x.length; j++) {
        const y = line.x[j];
        sum += line.w[j] * Math.exp((K - 2) * lineLogLower[j] - (y * y + (y - z) ** 2) / 2);
      }
      values.push(Math.log(((K * (K - 1)) / (2 * Math.PI)) * sum));
    }
    const series = values.map((_, d) => ((d ? 2 : 1) / count) *
      values.reduce((sum, v, i) => sum + v * Math.cos((Math.PI * d * (i + 0.5)) / count), 0));
    while (Math.abs(series[series.length - 1]) < 1e-14) series.pop(); // rounding errors
    return series;
  }, 256);

  function series(c, u) { // Clenshaw
    let one = 0, two = 0;
    for (let d = c.length - 1; d > 0; d--) {
      const next = c[d] + 2 * u * one - two;
      two = one;
      one = next;
    }
    return c[0] + u * one - two;
  }

  function mesh(kinks) {
    const cuts = kinks.filter((k) => k > 0 && k < FAR).sort((a, b) => a - b);
    const doublings = cuts.length ? Math.max(Math.ceil(Math.log2(0.5 / cuts[0])), 0) : 0;
    const edges = [0, ...cuts];
    for (let i = 1; i < doublings; i++) edges.push(cuts[0] * 2 ** i);
    for (let i = 1; i <= 2 * FAR; i++) edges.push(i / 2);
    return [...new Set(edges)].sort((a, b) => a - b);
  }

  const massOn = (K, low, high) => { // nodes and masses of one panel
    const { x, w } = quadrature([low, high]), c = gapSeries(K);
    return { z: x, mass: w.map((weight, i) => weight * Math.exp(series(c, x[i] / (FAR / 2) - 1))) };
  };
  const wholePanel = memo(massOn);

  function gapNodes(kinks, K, until) { // panels up to where a gap costs nothing
    const edges = mesh(kinks), z = [], mass = [];
    for (let p = 0; p + 1 < edges.length && edges[p] < until; p++) {
      const whole = edges[p + 1] - edges[p] === 0.5 && Number.isInteger(2 * edges[p]);
      const panel = (whole ? wholePanel : massOn)(K, edges[p], edges[p + 1]);
      z.push(...panel.z);
      mass.push(...panel.mass);
    }
    return { z, mass };
  }

  // --- the logarithmic bound ----------------------------------------------------------------------------

  function gapCosts(p, b, prices) {
    const rounds = p.n - p.K, alpha = learnedPulls(p), sigma0 = Math.sqrt(p.s0);
    const reach = (Math.sqrt(p.a) + Math.sqrt(b)) * Math.sqrt((Math.log(p.n) * p.s) / p.s0);
    const levels = prices.map((eta) => eta / sigma0);
    const end = reach / Math.sqrt(Math.max(alpha, 1e-300));
    const { z, mass } = gapNodes([reach / Math.sqrt(rounds + alpha), end, ...levels], p.K, end);
    const pulls = z.map((x, i) => mass[i] * Math.min(Math.max((reach / x) ** 2 - alpha, 0), rounds));
    return levels.map((level, at) => {
      let sum = 0; // nodes increase: gaps below the level cost nothing, nor do those beyond the reach
      for (let i = z.length - 1; i >= 0 && z[i] > level; i--) sum += (z[i] - level) * pulls[i];
      return sigma0 * sum + prices[at] * rounds;
    });
  }

  function logTails(p, sides) { // one sum per side b: they share the rounds and the widths met in them
    const alpha = learnedPulls(p), rounds = knots(p.K + 1, p.n), tail = excessOf(p.a), sums = sides.map(() => 0);
    const optimism = ((p.K - 1) / Math.sqrt(1 + alpha)) * convexSum(rounds, tail);
    let first = 0, met = pooled(0, p.K, alpha);
    for (let i = 0; i < rounds.length; i++) {
      const next = pooled((i + 1 < rounds.length ? rounds[i + 1] : p.n + 1) - 1 - p.K, p.K, alpha);
      const log = Math.log(rounds[i]), gain = next - met;
      first += Math.exp((-p.a / 2) * log) * gain;
      for (let j = 0; j < sides.length; j++) sums[j] += Math.exp((-sides[j] / 2) * log) * gain;
      met = next;
    }
    return sides.map((b, j) => Math.sqrt(p.s) *
      (optimism + ((p.K - 1) * first + (1 + Math.sqrt(p.a / b)) * sums[j]) / Math.sqrt(2 * Math.PI)));
  }

  const logarithmic = (p) => (startOnly(p) ? start(p) : start(p) + gapCosts(p, 1, [0])[0] + logTails(p, [1])[0]);

  // --- the least of those that sum widths or gaps ---------------------------------------------------------------------------------

  const SHARES = [0.125, 0.25, 0.5, 1], SIDES = [0.25, 0.5, 0.75, 1, 1.5];
  const PRICES = [0, ...Array.from({ length: 17 }, (_, i) => 2 ** (-7 + i / 2))];

  function subtracted(p, lam, prices) {
    const rounds = p.n - p.K, edge = 0.5 + learnedPulls(p), root = Math.sqrt(edge);
    const width = (1 + lam) * Math.sqrt(p.a * p.s * Math.log(p.n)), step = lam * Math.sqrt(p.s0);
    const full = width / Math.sqrt(rounds + edge), last = width / root;
    const most = (2 * width) / (Math.sqrt(rounds + edge) + root);
    const value = (worth) => worth <= full ? rounds * (most - worth) : Math.max(width - worth * root, 0) ** 2 / worth;
    const { z, mass } = gapNodes(prices.flatMap((eta) => [(full - eta) / step, (last - eta) / step]), p.K, last / step);
    return prices.map((eta) => {
      let sum = 0;
      for (let i = 0; i < z.length && step * z[i] + eta < last; i++) sum += mass[i] * value(step * z[i] + eta);
      return sum + value(eta) + eta * rounds;
    });
  }

  function widthsOrGaps(p) {
    if (startOnly(p)) return start(p);
    const tail = optimismTail(p), alpha = learnedPulls(p);
    const unit = Math.sqrt((p.a * Math.log(p.n) * p.s) / (p.n / p.K + alpha)), prices = PRICES.map((x) => unit * x);
    const off = logTails(p, SIDES), found = [bonusSum(p) + tail, gapCosts(p, 1, [0])[0] + off[SIDES.indexOf(1)]];
    for (const lam of SHARES) found.push(Math.min(...subtracted(p, lam, prices)) + (1 + lam) * tail);
    SIDES.forEach((b, i) => found.push(Math.min(...gapCosts(p, b, prices)) + off[i]));
    return start(p) + Math.min(...found);
  }

  // --- Theorem 5 repaired -------------------------------------------------------------------------------

  const inflation = (p) => rho(p) > p.K ** 2 ? p.K + 1 : (1 + Math.sqrt(rho(p))) ** 2 / (1 + rho(p) / p.K);

  function theorem2Repaired(p) {
    const first = Math.min(p.K, p.n) * Math.min(1, Math.sqrt(2 * p.s0 * Math.log(p.K)));
    if (startOnly(p)) return first;
    const byPrior = 1 - p.a / (2 * inflation(p)), pieces = (x) => 1 + (x * Math.sqrt(p.a * x)) / 4;
    const failure = (t) => Math.exp(Math.min(0, Math.log(4 * p.K) + byPrior * Math.log(t),
      Math.log(2 * p.K * pieces(Math.log(t))) + (1 + 1 / p.s0 - p.a * Math.log(t)) / 2));
    return first + 2 * bonusSum(p) + fallingSum(knots(p.K + 1, p.n), failure);
  }

  // --- a recorded table, for the bounds that take a second each: cubic interpolation in logarithms ----------

  let table = null;
  const useTable = (data) => { table = data; };

  function nearest(axis, at) { // four neighbouring nodes and Lagrange's weights
    const low = axis[0], high = axis[axis.length - 1];
    if (!(at >= low * (1 - 1e-12) && at <= high * (1 + 1e-12))) return null;
    const x = Math.log(at), known = axis.map(Math.log);
    const place = known.filter((node) => node < x).length;
    const first = Math.min(Math.max(place - 2, 0), known.length - 4), here = known.slice(first, first + 4);
    const weights = here.map((node) => here.reduce((w, other) => (other === node ? w : (w * (x - other)) / (node - other)), 1));
    return { first, weights };
  }

  const reference = { counting: sharp, lower: trivial }; // what the values of the table are divided by

  function interpolated(name, p) { // null outside of the table
    if (!table?.[name]) return null;
    const place = { arms: p.K, rounds: p.n / p.K, rho: rho(p), a: p.a }, axes = Object.entries(table.axes[name]);
    const sides = axes.map(([axis, known]) => nearest(known, place[axis]));
    if (sides.includes(null)) return null;
    const sum = (dim, offset) => dim === axes.length ? table[name].values[offset]
      : sides[dim].weights.reduce((s, w, i) => s + w * sum(dim + 1, offset * axes[dim][1].length + sides[dim].first + i), 0);
    return reference[name](p) * Math.exp(sum(0, 0));
  }

  const counting = (p) => (p.n <= p.K ? trivial(p) : interpolated("counting", p));
  const lower = (p) => interpolated("lower", p);
  const combined = (p) => Math.min(widthsOrGaps(p), counting(p) ?? Infinity);

  // --- hypotheses: null where the theorem applies, else the hypothesis that fails -----------------------

  const needs = {
    theorem1: (p) => (p.a >= 1 ? null : "needs a ≥ 1"),
    knownMu0: (p) => (p.a >= 1 ? null : "needs a ≥ 1"),
    classical: (p) => (p.a >= 1 ? null : "needs a ≥ 1"),
    theorem2: (p) => (p.a >= mConstant(p) ? null : `needs a ≥ m = ${mConstant(p).toPrecision(3)}`),
    theorem2Derived: (p) => needs.theorem2(p),
    logarithmic: (p) => (p.a >= 2 ? null : "needs a ≥ 2"),
    counting: (p) => (counting(p) === null ? "outside the table" : null),
    lower: (p) => (lower(p) === null ? "outside the table" : null),
  };

  const functions = { trivial, theorem1, sharp, logarithmic, counting, combined, lower, theorem2, theorem2Derived, theorem2Repaired,
    knownMu0, classical };
  return { ...functions, functions, needs, useTable, expectedMax, mConstant, upper, excess };
})();
