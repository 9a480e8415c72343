/* Pictures of stacks of chips on a felt, many at once, each point met by rays; see kernel.py and painting.py.

One source for a card (compiled as CUDA) and for a processor. Lengths are millimetres around the foot of the scene's
camera: x right in its view, y away, z up; colours are B, G, R in 0..255. A ray meets the height z at p + z * d.
*/
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define PART __device__ static
#else
#include <math.h>
#include <stdint.h>
#define PART static
#endif

#define STACKS 4
#define LEVELS 20
#define COLOURS 11
#define TINTS 16
#define EDGE_ROWS 12
#define FACE_PX 144
#define RADIUS 19.5f
#define HEIGHT 3.3f
#define LAMPS 4
#define CAPSULES 3
#define FOOT_MM 4.5f
#define MIXED 16
#define SHADOW 1.2f  /* as long as a stack is high */

typedef struct {
    float foot_x, foot_y, px_per_mm, sine, cosine, distance, cos_roll, sin_roll;
    float lamps[LAMPS][3], powers[LAMPS], lamp_size, sky, bounce, bevel, chamfer, groove, groove_width, foot, gloss, gamma;
    float near_dark, near_reach;
    float glint, glint_wide, glint_below, glint_plain, slip, uneven, ring, ring_on_side, ring_on_face, ring_below;
    float felt[3];
    float print_kind, print_x, print_y, print_wide, print_high, print_thick, ink[3];
    float card_there, card_x, card_y, card_cos, card_sin, paper[3];
    float capsules[CAPSULES][5], capsules_there, cover[3];
    float veil_dark, veil_x, veil_y, veil_at, veil_wide;
    float low[STACKS], reach[STACKS], middle[STACKS][2];
    float fade_x, fade_y;
} Scene;

typedef struct {
    const Scene *scenes;
    const int *counts;           /* n, STACKS */
    const float *places;         /* n, STACKS, LEVELS, 2 */
    const float *turns;          /* n, STACKS, LEVELS: degrees */
    const int *colours;          /* n, STACKS, LEVELS */
    const int *designs;          /* n, COLOURS */
    const float *tints;          /* n, COLOURS, TINTS, 3 */
    const unsigned char *edges;  /* designs, EDGE_ROWS, 360 */
    const unsigned char *faces;  /* designs, FACE_PX, FACE_PX */
    const float *grain;          /* n, rows, columns */
    float *seen, *bare;          /* n, rows, columns, 3 */
    unsigned char *owners;       /* n, rows, columns: 1 the first stack in front, 2 it lies behind something, 0 else */
    int rows, columns, finer;
} Work;

typedef struct { float x, y, z; } Spot;

typedef struct { float px, py, dx, dy; } Ray;

PART float clipped(float value, float low, float high) { return fminf(fmaxf(value, low), high); }

PART unsigned mixed(unsigned a) {
    a ^= a >> 16; a *= 0x7feb352dU; a ^= a >> 15; a *= 0x846ca68bU; a ^= a >> 16;
    return a;
}

PART float chance(unsigned *state) {
    *state = mixed(*state + 0x9e3779b9U);
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

PART Ray ray_of(const Scene *scene, float column, float row) {
    float dx = column - scene->foot_x, dy = row - scene->foot_y;
    float across = (scene->cos_roll * dx + scene->sin_roll * dy) / scene->px_per_mm;
    float up = -(-scene->sin_roll * dx + scene->cos_roll * dy) / scene->px_per_mm;
    float far = scene->distance, sine = scene->sine, cosine = scene->cosine;
    float below = far * sine - up * cosine;
    Ray ray;
    ray.py = up * far / below;
    ray.dy = -(up * sine + far * cosine) / below;
    ray.px = across * (1.0f + ray.py * cosine / far);
    ray.dx = across * (ray.dy * cosine - sine) / far;
    return ray;
}

/* The z between which a ray is within the radius of an upright axis; false: nowhere. */
PART int within(Ray ray, float x, float y, float radius, float *low, float *high) {
    float ox = ray.px - x, oy = ray.py - y;
    float a = ray.dx * ray.dx + ray.dy * ray.dy, b = ox * ray.dx + oy * ray.dy;
    float inner = b * b - a * (ox * ox + oy * oy - radius * radius);
    if (inner <= 0.0f || a < 1e-9f) return 0;
    float root = sqrtf(inner);
    *low = (-b - root) / a;
    *high = (-b + root) / a;
    return 1;
}

/* How much of a lamp's light reaches a place: 0 where another stack is between. */
PART float reached(const Work *work, int n, Spot spot, const float *lamp, int own) {
    const Scene *scene = work->scenes + n;
    if (lamp[2] < 0.05f) return 1.0f;
    Ray ray;
    ray.dx = lamp[0] / lamp[2];
    ray.dy = lamp[1] / lamp[2];
    ray.px = spot.x - spot.z * ray.dx;
    ray.py = spot.y - spot.z * ray.dy;
    for (int stack = 0; stack < STACKS; stack++) {
        int count = work->counts[n * STACKS + stack];
        if (stack == own || count == 0) continue;
        float low, high;
        if (!within(ray, scene->middle[stack][0], scene->middle[stack][1], RADIUS, &low, &high)) continue;
        if (high > spot.z + 0.01f && low < (float)count * HEIGHT) return 0.0f;
    }
    return 1.0f;
}

/* What is left of the light from all above at a place beside other stacks. */
PART float open_sky(const Work *work, int n, Spot spot, int own) {
    const Scene *scene = work->scenes + n;
    float left = 1.0f;
    for (int stack = 0; stack < STACKS; stack++) {
        int count = work->counts[n * STACKS + stack];
        if (stack == own || count == 0) continue;
        float high = (float)count * HEIGHT - spot.z;
        if (high <= 0.0f) continue;
        float ox = spot.x - scene->middle[stack][0], oy = spot.y - scene->middle[stack][1];
        float apart = fmaxf(sqrtf(ox * ox + oy * oy) - RADIUS, 0.0f);
        left *= 1.0f - scene->near_dark * expf(-apart / scene->near_reach) * clipped(high / 6.0f, 0.0f, 1.0f);
    }
    return left;
}

/* How bright a place with a normal is; one that lies flat in the open is 1. */
PART float shade(const Work *work, int n, Spot spot, float nx, float ny, float nz, int own, unsigned *state) {
    const Scene *scene = work->scenes + n;
    float raw = (scene->sky * (0.5f + 0.5f * nz) + scene->bounce * (0.5f - 0.5f * nz)) * open_sky(work, n, spot, own);
    float flat = scene->sky;
    for (int k = 0; k < LAMPS; k++) {
        float power = scene->powers[k];
        if (power <= 0.0f) continue;
        float lamp[3];
        for (int axis = 0; axis < 3; axis++)
            lamp[axis] = scene->lamps[k][axis] + scene->lamp_size * (chance(state) - 0.5f) * (axis < 2 ? 1.0f : 0.5f);
        float facing = nx * lamp[0] + ny * lamp[1] + nz * lamp[2];
        flat += power * fmaxf(scene->lamps[k][2], 0.0f);
        if (facing > 0.0f) raw += power * facing * reached(work, n, spot, lamp, own);
    }
    return powf(clipped(raw / flat, 0.0f, 1.6f), scene->gamma);
}

PART void tinted(const Work *work, int n, int colour, int index, float *out) {
    const float *tints = work->tints + ((long)n * COLOURS + colour) * TINTS * 3;
    const float *tint = tints + (index & (MIXED - 1)) * 3;
    for (int c = 0; c < 3; c++) out[c] = index & MIXED ? 0.6f * tint[c] + 0.4f * tints[2 * 3 + c] : tint[c];
}

typedef struct { long at; int level, last, design, colour, stack; float x, y, ax, ay; } Chip;

PART Chip chip_of(const Work *work, int n, int stack, int level) {
    Chip chip;
    chip.at = ((long)n * STACKS + stack) * LEVELS + level;
    chip.level = level;
    chip.stack = stack;
    chip.last = level + 1 == work->counts[n * STACKS + stack];
    chip.colour = work->colours[chip.at];
    chip.design = work->designs[n * COLOURS + chip.colour];
    chip.x = work->places[2 * chip.at];
    chip.y = work->places[2 * chip.at + 1];
    chip.ax = chip.last ? chip.x : work->places[2 * chip.at + 2];
    chip.ay = chip.last ? chip.y : work->places[2 * chip.at + 3];
    return chip;
}

/* How far below a chip's upper rim its side is at a share of its height, or from the nearer rim: millimetres. */
PART float from_rim(float share, float below_too) {
    return fminf(1.0f - share, below_too > 0.0f ? share : 1.0f) * HEIGHT;
}

PART void side(const Work *work, int n, Chip chip, Spot spot, unsigned *state, float *out) {
    const Scene *scene = work->scenes + n;
    float fx = (spot.x - chip.x) / RADIUS, fy = (spot.y - chip.y) / RADIUS;
    float share = clipped(spot.z / HEIGHT - (float)chip.level, 0.0f, 0.999f);
    int column = (int)floorf(atan2f(fx, -fy) * 57.29578f - work->turns[chip.at] + 0.5f) % 360;
    column = column < 0 ? column + 360 : column;
    int row = (int)((1.0f - share) * EDGE_ROWS);
    row = row < 0 ? 0 : row > EDGE_ROWS - 1 ? EDGE_ROWS - 1 : row;
    float colour[3];
    int glints = scene->glint > 0.0f && from_rim(share, scene->glint_below) < scene->glint_wide;
    int tint = work->edges[((long)chip.design * EDGE_ROWS + row) * 360 + column];
    tinted(work, n, chip.colour, glints && scene->glint_plain > 0.0f ? 0 : tint, colour);
    float bevel = fmaxf(fmaxf(scene->bevel, scene->chamfer / HEIGHT), 1e-3f);
    float tilt = fmaxf(share - (1.0f - bevel), 0.0f) / bevel - fmaxf(bevel - share, 0.0f) / bevel;
    float angle = tilt * 1.0471976f, flat = cosf(angle);
    float edge = chip.last ? share : fminf(share, 1.0f - share);
    unsigned joint = (unsigned)chip.at + (chip.last || share < 0.5f ? 0U : 1U);
    float own = 1.0f - scene->uneven * (float)(mixed(joint * 2654435761U + 77U) & 1023U) / 1023.0f;
    float dark = edge / scene->groove_width;
    float lit = shade(work, n, spot, fx * flat, fy * flat, sinf(angle), chip.stack, state);
    lit *= (1.0f - scene->groove * own * expf(-dark * dark)) * (1.0f - scene->foot * expf(-spot.z / FOOT_MM));
    float hung = fx * (chip.ax - chip.x) + fy * (chip.ay - chip.y);
    if (!chip.last && hung > 0.0f)
        lit *= 1.0f - 0.45f * clipped(1.0f - (1.0f - share) * HEIGHT / fmaxf(1.5f * hung, 1e-3f), 0.0f, 1.0f);
    float shine = fx * scene->lamps[0][0] + fy * scene->lamps[0][1] - 0.9f;
    shine = scene->gloss * 255.0f * expf(-shine * shine / 0.02f);
    if (glints) shine += scene->glint * 255.0f;
    float off = from_rim(share, scene->ring_below) / fmaxf(scene->ring_on_side, 1e-3f);
    lit *= 1.0f + scene->ring * expf(-off * off);
    for (int c = 0; c < 3; c++) out[c] = colour[c] * lit + shine;
}

PART void face(const Work *work, int n, Chip chip, Spot spot, unsigned *state, float *out) {
    const Scene *scene = work->scenes + n;
    float ox = spot.x - chip.x, oy = spot.y - chip.y;
    float angle = atan2f(ox, -oy) - (work->turns[chip.at] + scene->slip) * 0.017453293f;
    float reach = sqrtf(ox * ox + oy * oy) * ((FACE_PX / 2 - 1.0f) / RADIUS), half = FACE_PX / 2 - 0.5f;
    int column = (int)(half + sinf(angle) * reach + 0.5f), row = (int)(half + cosf(angle) * reach + 0.5f);
    column = column < 0 ? 0 : column > FACE_PX - 1 ? FACE_PX - 1 : column;
    row = row < 0 ? 0 : row > FACE_PX - 1 ? FACE_PX - 1 : row;
    float colour[3];
    tinted(work, n, chip.colour, work->faces[((long)chip.design * FACE_PX + row) * FACE_PX + column], colour);
    float lit = shade(work, n, spot, 0.0f, 0.0f, 1.0f, chip.stack, state);
    if (!chip.last) {
        float bx = spot.x - chip.ax, by = spot.y - chip.ay;
        float away = fmaxf(sqrtf(bx * bx + by * by) - RADIUS, 0.0f);
        lit *= 1.0f - (0.35f + 0.5f * scene->groove) * expf(-away / 1.2f);
    }
    float inner = fmaxf(RADIUS - sqrtf(ox * ox + oy * oy), 0.0f) / fmaxf(scene->ring_on_face, 1e-3f);
    lit *= 1.0f + scene->ring * expf(-inner * inner);
    for (int c = 0; c < 3; c++) out[c] = colour[c] * lit;
}

/* Whether a ray meets a disc around a chip's axis. */
PART int over(Ray ray, Chip chip, float z, float radius) {
    float ox = ray.px + z * ray.dx - chip.x, oy = ray.py + z * ray.dy - chip.y;
    return ox * ox + oy * oy <= radius * radius;
}

/* The height at which a ray meets a part of a chip's side from outside; -1: nowhere. */
PART float beside(Ray ray, Chip chip, float radius, float low, float high) {
    float from, to;
    return within(ray, chip.x, chip.y, radius, &from, &to) && to <= high && to >= low ? to : -1.0f;
}

/* The height at which a ray first meets a stack, and the chip; a face has the height of its chip's upper side.

Rims that are cut off are two steps: half as narrow over their whole height.
*/
PART float meets(const Work *work, int n, Ray ray, int stack, Chip *met, int *on_face) {
    const Scene *scene = work->scenes + n;
    int count = work->counts[n * STACKS + stack];
    float low, high;
    if (count == 0) return -1.0f;
    if (!within(ray, scene->middle[stack][0], scene->middle[stack][1], scene->reach[stack], &low, &high)) return -1.0f;
    if (high < 0.0f || low > (float)count * HEIGHT) return -1.0f;
    int first = (int)floorf(high / HEIGHT), last = (int)floorf(low / HEIGHT);
    first = first > count - 1 ? count - 1 : first;
    last = last - 1 < 0 ? 0 : last - 1;
    for (int level = first; level >= last; level--) {
        Chip chip = chip_of(work, n, stack, level);
        float top = (float)(level + 1) * HEIGHT, cut = scene->chamfer, narrow = RADIUS - 0.5f * cut;
        *met = chip;
        *on_face = 1;
        if (over(ray, chip, top, narrow)) return top;
        *on_face = 0;
        float z = beside(ray, chip, narrow, top - cut, top);
        if (z > 0.0f) return z;
        if (cut > 0.0f && over(ray, chip, top - cut, RADIUS)) return top - 0.5f * cut;
        z = beside(ray, chip, RADIUS, top - HEIGHT + cut, top - cut);
        if (z > 0.0f) return z;
        z = beside(ray, chip, narrow, top - HEIGHT, top - HEIGHT + cut);
        if (z > 0.0f) return z;
    }
    return -1.0f;
}

PART int printed(const Scene *scene, float x, float y) {
    float ox = x - scene->print_x, oy = y - scene->print_y;
    if (scene->print_kind == 1.0f) return fabsf(sqrtf(ox * ox + oy * oy) - scene->print_wide) < 0.5f * scene->print_thick;
    if (scene->print_kind == 2.0f) {
        float outside = fmaxf(fabsf(ox) - scene->print_wide, fabsf(oy) - scene->print_high);
        return fabsf(outside) < 0.5f * scene->print_thick;
    }
    if (scene->print_kind == 3.0f)  /* strokes, as of large letters */
        return fabsf(oy) < scene->print_high && fabsf(ox) < scene->print_wide &&
               fabsf(fmodf(fabsf(ox + 0.4f * oy), 3.5f * scene->print_thick)) < scene->print_thick;
    return 0;
}

PART int on_card(const Scene *scene, float x, float y) {
    float cx = x - scene->card_x, cy = y - scene->card_y;
    float across = scene->card_cos * cx + scene->card_sin * cy, along = -scene->card_sin * cx + scene->card_cos * cy;
    return scene->card_there > 0.0f && fabsf(across) < 31.5f && fabsf(along) < 44.0f;
}

PART void felt_at(const Scene *scene, Ray ray, float grain, float *bare) {
    const float *paint = printed(scene, ray.px, ray.py) ? scene->ink : scene->felt;
    for (int c = 0; c < 3; c++) bare[c] = paint[c] + grain;
}

PART void ground(const Work *work, int n, Ray ray, const float *bare, unsigned *state, float *seen) {
    const Scene *scene = work->scenes + n;
    Spot spot = {ray.px, ray.py, 0.0f};
    int card = on_card(scene, spot.x, spot.y);
    float lit = shade(work, n, spot, 0.0f, 0.0f, 1.0f, -1, state);
    for (int c = 0; c < 3; c++) seen[c] = (card ? scene->paper[c] : bare[c]) * lit;
}

PART int covered(const Scene *scene, float x, float y) {
    for (int k = 0; k < (int)scene->capsules_there; k++) {
        const float *c = scene->capsules[k];
        float vx = c[2] - c[0], vy = c[3] - c[1], wx = x - c[0], wy = y - c[1];
        float along = clipped((vx * wx + vy * wy) / fmaxf(vx * vx + vy * vy, 1e-6f), 0.0f, 1.0f);
        float ox = wx - along * vx, oy = wy - along * vy;
        if (ox * ox + oy * oy < c[4] * c[4]) return 1;
    }
    return 0;
}

/* Whether a ray passes so near a stack that one beside it may meet it, or meets the felt where its shadow may end. */
PART int near_stack(const Work *work, int n, Ray ray) {
    const Scene *scene = work->scenes + n;
    float low, high, beyond = 1.5f / scene->px_per_mm;
    for (int stack = 0; stack < STACKS; stack++) {
        int count = work->counts[n * STACKS + stack];
        if (count == 0) continue;
        float ox = ray.px - scene->middle[stack][0], oy = ray.py - scene->middle[stack][1];
        float shaded = scene->reach[stack] + SHADOW * (float)count * HEIGHT;
        if (ox * ox + oy * oy < shaded * shaded) return 1;
        if (!within(ray, scene->middle[stack][0], scene->middle[stack][1], scene->reach[stack] + beyond, &low, &high))
            continue;
        if (high >= -HEIGHT && low <= (float)(count + 1) * HEIGHT) return 1;
    }
    return 0;
}

/* What a place without a stack shows: print 1, a card 2, what covers it 4. */
PART int shown(const Scene *scene, float column, float row) {
    Ray ray = ray_of(scene, column, row);
    return printed(scene, ray.px, ray.py) + 2 * on_card(scene, ray.px, ray.py) + 4 * covered(scene, column, row);
}

/* How many rays each way a pixel needs: one where there is nothing but even felt, print, card or cover. */
PART int rays_each_way(const Work *work, int n, int row, int column) {
    const Scene *scene = work->scenes + n;
    if (near_stack(work, n, ray_of(scene, (float)column, (float)row))) return work->finer;
    int here = shown(scene, (float)column, (float)row);
    for (int corner = 0; corner < 4; corner++) {
        float x = (float)column + (corner % 2 ? 0.5f : -0.5f), y = (float)row + (corner / 2 ? 0.5f : -0.5f);
        if (shown(scene, x, y) != here) return work->finer;
    }
    return 1;
}

PART void paint_pixel(const Work *work, int n, int row, int column) {
    const Scene *scene = work->scenes + n;
    long at = ((long)n * work->rows + row) * work->columns + column;
    unsigned state = mixed((unsigned)at * 2654435761U + 12345U);
    int finer = rays_each_way(work, n, row, column);
    float seen[3] = {0, 0, 0}, bare[3] = {0, 0, 0}, share = 1.0f / (float)(finer * finer);
    int mine = 0, behind = 0;
    for (int sub = 0; sub < finer * finer; sub++) {
        float x = (float)column + ((float)(sub % finer) + 0.5f) / (float)finer - 0.5f;
        float y = (float)row + ((float)(sub / finer) + 0.5f) / (float)finer - 0.5f;
        Ray ray = ray_of(scene, x, y);
        float highest = -1.0f, own = -1.0f, here[3], felt[3];
        Chip chip, one;
        int on_face = 0, flat;
        for (int stack = 0; stack < STACKS; stack++) {
            float z = meets(work, n, ray, stack, &one, &flat);
            own = stack == 0 ? z : own;
            if (z > highest) {
                highest = z;
                chip = one;
                on_face = flat;
            }
        }
        int hidden = covered(scene, x, y);
        felt_at(scene, ray, work->grain[at], felt);
        if (hidden) {
            for (int c = 0; c < 3; c++) here[c] = scene->cover[c];
        } else if (highest >= 0.0f) {
            Spot spot = {ray.px + highest * ray.dx, ray.py + highest * ray.dy, highest};
            if (on_face) face(work, n, chip, spot, &state, here);
            else side(work, n, chip, spot, &state, here);
        } else {
            ground(work, n, ray, felt, &state, here);
        }
        float veil = 1.0f;
        if (scene->veil_dark > 0.0f)
            veil -= scene->veil_dark / (1.0f + expf((x * scene->veil_x + y * scene->veil_y - scene->veil_at) / scene->veil_wide));
        float fade = 1.0f + scene->fade_x * (x / (float)work->columns - 0.5f) + scene->fade_y * (y / (float)work->rows - 0.5f);
        for (int c = 0; c < 3; c++) {
            seen[c] += clipped(here[c] * veil * fade, 0.0f, 255.0f) * share;
            bare[c] += clipped(felt[c] * fade, 0.0f, 255.0f) * share;
        }
        mine += own >= 0.0f && own >= highest && !hidden;
        behind += own >= 0.0f && (own < highest || hidden);
    }
    for (int c = 0; c < 3; c++) {
        work->seen[3 * at + c] = seen[c];
        work->bare[3 * at + c] = bare[c];
    }
    work->owners[at] = 2 * mine > finer * finer ? 1 : 2 * behind > finer * finer ? 2 : 0;
}

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
extern "C" __global__ void paint(
#else
void paint(
#endif
    const Scene *scenes, const int *counts, const float *places, const float *turns, const int *colours,
    const int *designs, const float *tints, const unsigned char *edges, const unsigned char *faces, const float *grain,
    float *seen, float *bare, unsigned char *owners, int number, int rows, int columns, int finer) {
    Work work = {scenes, counts, places, turns, colours, designs, tints, edges, faces, grain,
                 seen, bare, owners, rows, columns, finer};
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
    long index = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (index < (long)number * rows * columns)
        paint_pixel(&work, (int)(index / (rows * columns)), (int)(index / columns % rows), (int)(index % columns));
#else
    #pragma omp parallel for schedule(dynamic, 8)
    for (int line = 0; line < number * rows; line++)
        for (int column = 0; column < columns; column++)
            paint_pixel(&work, line / rows, line % rows, column);
#endif
}

/* Planes weighed along their rows (across) or columns with odd numbers of weights, the same ones for every so many. */
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
extern "C" __global__ void weigh(
    const float *planes, const float *weights, float *out, int number, int each, int rows, int columns, int taps,
    int across) {
    long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (long)number * rows * columns) return;
    int column = (int)(at % columns), row = (int)(at / columns % rows);
    long plane = at / ((long)rows * columns);
    const float *from = planes + plane * rows * columns, *weight = weights + plane / each * taps;
    float sum = 0.0f;
    for (int k = 0; k < taps; k++) {
        int there = (across ? column : row) + k - taps / 2, most = (across ? columns : rows) - 1;
        there = there < 0 ? 0 : there > most ? most : there;
        sum += weight[k] * from[across ? (long)row * columns + there : (long)there * columns + column];
    }
    out[at] = sum;
}
#else
/* One row of a plane, added to what is there already: moved by so many columns, the first or last one repeated. */
static void add_row(const float *from, float weight, int moved, int columns, float *out) {
    int first = moved < 0 ? -moved : 0, end = moved > 0 ? columns - moved : columns;
    first = first > columns ? columns : first;
    end = end < first ? first : end;
    for (int column = 0; column < first; column++) out[column] += weight * from[0];
    for (int column = first; column < end; column++) out[column] += weight * from[column + moved];
    for (int column = end; column < columns; column++) out[column] += weight * from[columns - 1];
}

void weigh(
    const float *planes, const float *weights, float *out, int number, int each, int rows, int columns, int taps,
    int across) {
    #pragma omp parallel for
    for (long line = 0; line < (long)number * rows; line++) {
        long plane = line / rows;
        int row = (int)(line % rows);
        const float *from = planes + plane * rows * columns, *weight = weights + plane / each * taps;
        float *to = out + line * columns;
        for (int column = 0; column < columns; column++) to[column] = 0.0f;
        for (int k = 0; k < taps; k++) {
            int moved = k - taps / 2, there = across ? row : row + moved;
            there = there < 0 ? 0 : there > rows - 1 ? rows - 1 : there;
            if (weight[k] > 1e-6f) add_row(from + (long)there * columns, weight[k], across ? moved : 0, columns, to);
        }
    }
}
#endif
