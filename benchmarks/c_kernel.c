/* The reference kernels in C: one run of one policy, on the same random streams as the Numba kernels.
 *
 * The same work as reucb/_engine: index policies on arms grouped by count (pairing heaps, compensated sums) or dense
 * (one slot per arm), Thompson sampling with one draw per arm. As there, PCG64 and the common case of the ziggurat are
 * part of the loop, with NumPy's tables; beta variates come from NumPy's own libnpyrandom on both sides.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "numpy/random/bitgen.h"

double random_beta(bitgen_t *, double, double);

/* ---- NumPy's PCG64 stream, uniforms and ziggurat normals, inlined ---- */

typedef unsigned __int128 wide;
typedef struct { wide value, step; } pcg;

static uint64_t edge[256];
static double width[256], height[256];
static const double radius = 3.6541528853610087963519472518, inverse = 0.27366123732975827203338247596;

void tables(const uint64_t *ki, const double *wi, const double *fi) {
    memcpy(edge, ki, sizeof edge);
    memcpy(width, wi, sizeof width);
    memcpy(height, fi, sizeof height);
}

static inline uint64_t word(pcg *g) {
    const wide multiplier = ((wide)2549297995355413924ULL << 64) + 4865540595714422341ULL;
    g->value = g->value * multiplier + g->step;
    uint64_t high = (uint64_t)(g->value >> 64), mixed = high ^ (uint64_t)g->value;
    unsigned turn = (unsigned)(high >> 58);
    return mixed >> turn | mixed << (-turn & 63);
}

static inline double uniform(pcg *g) { return (double)(word(g) >> 11) * (1.0 / 9007199254740992.0); }

static __attribute__((noinline)) double rare(pcg *g, uint64_t out) {
    for (;; out = word(g)) {
        unsigned layer = out & 0xff;
        uint64_t size = (out >> 9) & 0x000fffffffffffffULL;
        double x = (double)size * width[layer];
        if (out >> 8 & 1) x = -x;
        if (size < edge[layer]) return x;
        if (layer == 0) {
            for (;;) {
                double far = -inverse * log1p(-uniform(g)), up = -log1p(-uniform(g));
                if (up + up > far * far) return size >> 8 & 1 ? -(radius + far) : radius + far;
            }
        }
        if ((height[layer - 1] - height[layer]) * uniform(g) + height[layer] < exp(-0.5 * x * x)) return x;
    }
}

static inline double normal(pcg *g) {
    uint64_t out = word(g);
    int64_t size = (int64_t)(out >> 9 & 0x000fffffffffffffULL), bit = (int64_t)(out >> 8 & 1);
    if ((uint64_t)size >= edge[out & 0xff]) return rare(g, out);
    return (double)((size ^ -bit) + bit) * width[out & 0xff];
}

enum { LINEAR, BLUP, PLUGIN, KL, TS_GAUSSIAN, TS_BERNOULLI };

typedef struct {
    int rule, anova, grouped;
    int64_t arms, slots, rounds, last;
    double scale, loglog, mu0, sigma0_sq, sigma_sq, alpha, beta;
    double center, total, total_lo, within, within_lo, all, all_lo, cross;
    int64_t *count;                 /* of each arm */
    double *mean, *sum_of, *sum_of_lo; /* sums compensated, so that equal rewards in any order give equal means */
    int32_t *child, *next, *prev;   /* pairing heap */
    double *n, *top, *size, *weight, *shrink, *spread, *sum, *sum_lo, *index; /* of each slot */
    int64_t *arm;
} state;

static inline void add(double *hi, double *lo, double value) {
    double old = *hi, sum = old + value, back = sum - old;
    *lo += (old - (sum - back)) + (value - back);
    *hi = sum;
}

/* ---- pairing heaps: higher mean first, then lower arm ---- */

static inline int above(const double *mean, int32_t i, int32_t j) {
    return mean[i] > mean[j] || (mean[i] == mean[j] && i < j);
}

static inline int32_t meld(state *s, int32_t i, int32_t j) {
    if (above(s->mean, j, i)) { int32_t swap = i; i = j; j = swap; }
    int32_t child = s->child[i];
    s->next[j] = child;
    if (child >= 0) s->prev[child] = j;
    s->prev[j] = i;
    s->child[i] = j;
    return i;
}

static int32_t combine(state *s, int32_t first) {
    if (first < 0) return -1;
    int32_t stack = -1, i = first;
    while (i >= 0) {
        int32_t j = s->next[i];
        if (j < 0) { s->next[i] = stack; stack = i; break; }
        int32_t following = s->next[j], winner = meld(s, i, j);
        s->next[winner] = stack;
        stack = winner;
        i = following;
    }
    int32_t root = stack;
    for (i = s->next[root]; i >= 0;) {
        int32_t following = s->next[i];
        root = meld(s, root, i);
        i = following;
    }
    s->next[root] = s->prev[root] = -1;
    return root;
}

static inline int32_t push(state *s, int32_t root, int32_t arm) {
    s->child[arm] = s->next[arm] = s->prev[arm] = -1;
    return root < 0 ? arm : meld(s, root, arm);
}

/* ---- one reward enters ---- */

static void set_count(state *s, int64_t slot, int64_t count) {
    double n = (double)count;
    s->n[slot] = n;
    if (s->rule > BLUP) return;
    if (isinf(s->sigma0_sq)) {
        s->weight[slot] = 1.0;
        s->spread[slot] = sqrt(s->sigma_sq / n);
        return;
    }
    double largest = fmax(s->sigma0_sq, s->sigma_sq), v0 = s->sigma0_sq / largest, v = s->sigma_sq / largest;
    double g = n / (n * v0 + v), shrink = v / (n * v0 + v);
    s->shrink[slot] = shrink;
    if (s->rule == LINEAR) {
        s->weight[slot] = v0 * g;
        s->spread[slot] = sqrt(v0 * g * (s->sigma_sq / n));
    } else {
        s->weight[slot] = g;
        s->spread[slot] = s->sigma0_sq * shrink;
    }
}

static inline void show(state *s, int64_t slot, int64_t arm) {
    s->arm[slot] = arm;
    s->top[slot] = s->mean[arm] - s->center;
}

static inline int64_t find(const state *s, double count) {
    for (int64_t slot = 0; slot < s->slots; slot++)
        if (s->n[slot] == count) return slot;
    return -1;
}

static inline int sums(const state *s) { return s->rule == BLUP || s->rule == PLUGIN; }

static void leave(state *s, int64_t slot) {
    s->size[slot] -= 1.0;
    if (s->size[slot] > 0.0) {
        show(s, slot, combine(s, s->child[s->arm[slot]])); /* the pulled arm is always its group's top */
        return;
    }
    int64_t last = --s->slots;
    if (slot == last) return;
    double *rows[] = {s->n, s->top, s->size, s->weight, s->shrink, s->spread, s->sum, s->sum_lo};
    for (int row = 0; row < 8; row++) rows[row][slot] = rows[row][last];
    s->arm[slot] = s->arm[last];
}

static void enter(state *s, int64_t slot, int64_t count, int64_t arm) {
    if (slot < 0) {
        slot = s->slots++;
        set_count(s, slot, count);
        s->size[slot] = s->sum[slot] = s->sum_lo[slot] = 0.0;
        push(s, -1, arm);
        show(s, slot, arm);
    } else if (push(s, s->arm[slot], arm) == arm) {
        show(s, slot, arm);
    }
    s->size[slot] += 1.0;
    if (sums(s)) add(&s->sum[slot], &s->sum_lo[slot], s->mean[arm] - s->center);
}

static void regroup(state *s, int64_t arm, int64_t count, double mean) {
    int64_t target = find(s, (double)(count + 1));
    if (count == 0) {
        s->mean[arm] = mean;
        enter(s, target, 1, arm);
        return;
    }
    int64_t slot = s->last;
    if (target < 0 && s->size[slot] == 1.0) {
        s->mean[arm] = mean;
        set_count(s, slot, count + 1);
        show(s, slot, arm);
        s->sum[slot] = s->top[slot];
        s->sum_lo[slot] = 0.0;
        return;
    }
    if (sums(s)) add(&s->sum[slot], &s->sum_lo[slot], -(s->mean[arm] - s->center));
    if (target == s->slots - 1 && s->size[slot] == 1.0) target = slot;
    leave(s, slot);
    s->mean[arm] = mean;
    enter(s, target, count + 1, arm);
}

static void moments(state *s, int64_t arm, double reward) {
    double n = (double)s->count[arm], rounds = (double)s->rounds, within = reward - s->mean[arm];
    add(&s->within, &s->within_lo, n / (n + 1.0) * within * within);
    if (rounds > 0.0) {
        double total = (reward - s->center) - (s->total + s->total_lo) / rounds;
        add(&s->all, &s->all_lo, rounds / (rounds + 1.0) * total * total);
    }
    add(&s->total, &s->total_lo, reward - s->center);
    s->cross += 2.0 * (rounds - n);
}

static void update(state *s, int64_t arm, double reward) {
    if (s->rounds == 0 && sums(s)) s->center = reward;
    if (s->rule == PLUGIN) moments(s, arm, reward);
    int64_t count = s->count[arm];
    add(&s->sum_of[arm], &s->sum_of_lo[arm], reward);
    double mean = (s->sum_of[arm] + s->sum_of_lo[arm]) / (double)(count + 1);
    if (s->grouped) {
        regroup(s, arm, count, mean);
    } else {
        s->mean[arm] = mean;
        set_count(s, arm, count + 1);
        show(s, arm, arm);
        s->sum[arm] = s->top[arm];
    }
    s->count[arm] = count + 1;
    s->rounds++;
}

/* ---- the index rules ---- */

static inline double rate(const state *s) {
    double t = (double)(s->rounds + 1), value = log(t);
    if (s->loglog != 0.0 && t >= 3.0) value += s->loglog * log(value);
    return fmax(value, 0.0);
}

static void fit(state *s) {
    double sigma0_sq = s->sigma0_sq, sigma_sq = s->sigma_sq;
    int64_t slots = s->slots;
    double *restrict n = s->n, *restrict weight = s->weight, *restrict shrink = s->shrink;
    double *restrict spread = s->spread, *restrict size = s->size, *restrict sum = s->sum;
    double *restrict sum_lo = s->sum_lo, *restrict index = s->index, *restrict top = s->top;
    if (s->rule == PLUGIN) {
        double within = s->within + s->within_lo, free = (double)(s->rounds - s->arms);
        sigma_sq = free > 0.0 ? within / free : 0.0;
        double between = (s->all - s->within) + (s->all_lo - s->within_lo);
        if (s->anova) between -= (double)(s->arms - 1) * sigma_sq;
        sigma0_sq = s->cross > 0.0 && between > 0.0 ? between * ((double)s->rounds / s->cross) : 0.0;
        sigma0_sq = fmax(sigma0_sq, sigma_sq / (double)s->rounds);
        double largest = fmax(sigma0_sq, sigma_sq), v0 = 1.0, v = 0.0;
        if (sigma_sq > 0.0) { v0 = sigma0_sq / largest; v = sigma_sq / largest; }
        for (int64_t i = 0; i < slots; i++) {
            double scale = 1.0 / (n[i] * v0 + v);
            weight[i] = n[i] * scale;
            shrink[i] = v * scale;
            spread[i] = sigma0_sq * (v * scale);
        }
    }
    double g0 = 0.0, g1 = 0.0, s0 = 0.0, s1 = 0.0; /* two chains of additions side by side */
    for (int64_t i = 0; i + 1 < slots; i += 2) {
        g0 += size[i] * weight[i];
        s0 += weight[i] * (sum[i] + sum_lo[i]);
        g1 += size[i + 1] * weight[i + 1];
        s1 += weight[i + 1] * (sum[i + 1] + sum_lo[i + 1]);
    }
    if (slots % 2) {
        g0 += size[slots - 1] * weight[slots - 1];
        s0 += weight[slots - 1] * (sum[slots - 1] + sum_lo[slots - 1]);
    }
    double largest = fmax(sigma0_sq, sigma_sq), mu0 = (s0 + s1) / (g0 + g1), of_mu0 = largest / (g0 + g1);
    double v0 = sigma_sq > 0.0 ? sigma0_sq / largest : 1.0, step = sqrt(s->scale * rate(s));
    for (int64_t i = 0; i < slots; i++)
        index[i] = mu0 + v0 * weight[i] * (top[i] - mu0) + step * sqrt(spread[i] + shrink[i] * shrink[i] * of_mu0);
}

static void linear(state *s) {
    double step = sqrt(s->scale * rate(s)), mu0 = s->mu0;
    double *restrict index = s->index, *restrict weight = s->weight, *restrict top = s->top;
    double *restrict spread = s->spread;
    for (int64_t i = 0; i < s->slots; i++) index[i] = mu0 + weight[i] * (top[i] - mu0) + step * spread[i];
}

static int64_t highest(const state *s) {
    int64_t best = 0;
    double value = s->index[0];
    for (int64_t i = 1; i < s->slots; i++)
        if (s->index[i] >= value && (s->index[i] > value || s->arm[i] < s->arm[best])) {
            best = i;
            value = s->index[i];
        }
    return best;
}

static double divergence(double p, double q) {
    double value = 0.0;
    if (p > 0.0) value += p * log(p / q);
    if (p < 1.0) value += q >= 1.0 ? INFINITY : (1.0 - p) * log((1.0 - p) / (1.0 - q));
    return fmax(value, 0.0);
}

static double kl_upper(double p, double level) {
    if (p >= 1.0 || level <= 0.0) return p;
    if (p <= 0.0) return 1.0 - exp(-level);
    double entropy = -p * log(p) - (1.0 - p) * log1p(-p);
    double q = fmin(p + sqrt(0.5 * level), 1.0 - exp(-(level + entropy) / (1.0 - p)));
    if (q >= 1.0) return 1.0;
    for (int i = 0; i < 60; i++) {
        double step = (divergence(p, q) - level) / ((q - p) / (q * (1.0 - q)));
        if (!(step > 1e-16 * q)) break;
        q = fmax(q - step, p);
    }
    return q;
}

static int64_t kl_slot(state *s) {
    double level = rate(s);
    for (int64_t i = 0; i < s->slots; i++) s->index[i] = fmin(1.0, s->top[i] + sqrt(0.5 * level / s->n[i]));
    int64_t best = highest(s);
    double value = kl_upper(s->top[best], level / s->n[best]);
    for (int64_t i = 0; i < s->slots; i++) {
        double p = s->top[i];
        if (i == best || s->index[i] < value || divergence(p, fmax(p, value)) > level / s->n[i]) continue;
        double other = kl_upper(p, level / s->n[i]);
        if (other > value || (other == value && s->arm[i] < s->arm[best])) { best = i; value = other; }
    }
    return best;
}

static int64_t select_arm(state *s) {
    if (s->rounds < s->arms) return s->rounds;
    if (s->rule == KL) {
        s->last = kl_slot(s);
    } else {
        if (s->rule == LINEAR) linear(s); else fit(s);
        s->last = highest(s);
    }
    return s->arm[s->last];
}

/* ---- Thompson sampling: weight and spread hold the posterior ---- */

static void posterior(state *s, int64_t arm) {
    double n = (double)s->count[arm], mean = s->mean[arm];
    if (s->rule == TS_GAUSSIAN) {
        double scale = 1.0 / (n * s->sigma0_sq + s->sigma_sq);
        s->weight[arm] = s->mu0 + n * s->sigma0_sq * scale * (mean - s->mu0);
        s->spread[arm] = sqrt(s->sigma0_sq * (s->sigma_sq * scale));
    } else {
        double wins = nearbyint(mean * n);
        s->weight[arm] = s->alpha + wins;
        s->spread[arm] = s->beta + (n - wins);
    }
}

static int64_t sample(const state *s, pcg *normals, bitgen_t *own) {
    int64_t best = 0;
    double value = -INFINITY;
    pcg stream = *normals;
    for (int64_t arm = 0; arm < s->arms; arm++) {
        double draw = s->rule == TS_GAUSSIAN ? s->weight[arm] + s->spread[arm] * normal(&stream)
                                             : random_beta(own, s->weight[arm], s->spread[arm]);
        if (draw > value) { best = arm; value = draw; }
    }
    *normals = stream;
    return best;
}

static void learn(state *s, int64_t arm, double reward) {
    s->count[arm]++;
    add(&s->sum_of[arm], &s->sum_of_lo[arm], reward);
    s->mean[arm] = (s->sum_of[arm] + s->sum_of_lo[arm]) / (double)s->count[arm];
    s->rounds++;
    posterior(s, arm);
}

/* params: scale, loglog, mu0, sigma0_sq, sigma_sq, alpha, beta. law: 0 Gaussian, 1 Bernoulli. */
void run(int rule, int anova, int grouped, int64_t arms, int64_t horizon, const double *params, int law, double sigma,
         const double *means, const uint64_t *words, bitgen_t *own, const int64_t *marks, int64_t n_marks, double *out) {
    pcg rewards = {(wide)words[0] << 64 | words[1], (wide)words[2] << 64 | words[3]};
    pcg normals = {(wide)words[4] << 64 | words[5], (wide)words[6] << 64 | words[7]};
    state s = {.rule = rule, .anova = anova, .grouped = grouped, .arms = arms, .scale = params[0], .loglog = params[1],
               .mu0 = params[2], .sigma0_sq = params[3], .sigma_sq = params[4], .alpha = params[5],
               .beta = params[6]};
    double *doubles = calloc((size_t)arms * 12, sizeof(double));
    int64_t *longs = calloc((size_t)arms * 2, sizeof(int64_t));
    int32_t *ints = malloc((size_t)arms * 3 * sizeof(int32_t));
    memset(ints, -1, (size_t)arms * 3 * sizeof(int32_t));
    double **rows[] = {&s.mean, &s.sum_of, &s.sum_of_lo, &s.n, &s.top, &s.size,
                       &s.weight, &s.shrink, &s.spread, &s.sum, &s.sum_lo, &s.index};
    for (int row = 0; row < 12; row++) *rows[row] = doubles + row * arms;
    s.count = longs; s.arm = longs + arms;
    s.child = ints; s.next = ints + arms; s.prev = ints + 2 * arms;
    int sampling = rule >= TS_GAUSSIAN;
    if (!grouped) {
        s.slots = arms;
        for (int64_t i = 0; i < arms; i++) { s.arm[i] = i; s.size[i] = 1.0; if (sampling) posterior(&s, i); }
    }
    double best = means[0], regret = 0.0;
    for (int64_t i = 1; i < arms; i++) best = fmax(best, means[i]);
    for (int64_t t = 1, mark = 0; t <= horizon; t++) {
        int64_t arm = sampling ? sample(&s, &normals, own) : select_arm(&s);
        double reward = law ? (uniform(&rewards) < means[arm] ? 1.0 : 0.0)
                            : means[arm] + sigma * normal(&rewards);
        if (sampling) learn(&s, arm, reward); else update(&s, arm, reward);
        regret += best - means[arm];
        if (mark < n_marks && t == marks[mark]) out[mark++] = regret;
    }
    free(doubles); free(longs); free(ints);
}
