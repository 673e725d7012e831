/* Nearest triangles to a point: nodes by distance, the nearest first.
 *
 * The float filter: with e = max(min - p, p - max, 0) on each axis, ex^2 + ey^2 + ez^2 is off by less
 * than 6u of itself (a difference, a square, two sums; coordinates are exact), so times 1 - 8u it
 * is a lower bound on the squared distance of a box, as long as nothing overflows; what underflows
 * only makes the bound smaller.  Where the reach of tree and point is beyond 2^60 or below 2^-40, the
 * same is done in doubles. */

#define NEAR_LEAST 0x1p-40
#define NEAR_MOST 0x1p60
#define NEAR_DOWN (1 - 8 * WALK_U)
#define NEAR_TINY 0x1p-90f /* squares of directions below this have lost bits to underflow */
#define NEAR_DOWN_WIDE (1 - 0x1p-50)

typedef struct near_walk {
    const sli_kernel_point *ask;
    bool wide;
    float at[3];
    float bound;  /* distances that round to more than this are of no use */
    double bound2; /* at least the square of every exact distance that rounds to bound or less */
    int stack_size;
    struct {
        uint32_t ref;
        float    near2;
    } stack[SLI_STACK];
    sl_stats stats;
} near_walk;

static void set_near_bound(near_walk *w, float bound)
{
    const double up = (double)bound + (double)bound * 0x1p-23 + 0x1p-149;
    w->bound = bound;
    w->bound2 = up * up * (1 + 0x1p-50);
}

static void prepare_near(near_walk *w, const sl_bvh *tree, const sli_kernel_point *ask)
{
    double reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        w->at[axis] = ask->point[axis];
        reach = fmax(reach, fabs((double)ask->point[axis]));
    }
    reach += tree->reach;
    w->ask = ask;
    w->wide = !(reach >= NEAR_LEAST && reach <= NEAR_MOST);
    w->stats = (sl_stats){ .rays = 1 };
    w->stack_size = 0;
    set_near_bound(w, ask->limit);
    if (tree->root != SLI_REF_EMPTY) {
        w->stack[0].ref = tree->root;
        w->stack[0].near2 = 0;
        w->stack_size = 1;
    }
}

/* Lower bounds on the squared distances of eight boxes. */
static void near_boxes(const near_walk *w, const sli_node_wide *node, float near2[SLI_WIDTH])
{
    float sum[SLI_WIDTH] = { 0 };
    for (int axis = 0; axis < 3; axis++) {
        const float p = w->at[axis];
        for (int i = 0; i < SLI_WIDTH; i++) {
            const float below = node->bounds[axis][0][i] - p, above = p - node->bounds[axis][1][i];
            const float out = below > above ? below : above;
            const float e = out > 0 ? out : 0;
            sum[i] += e * e;
        }
    }
    for (int i = 0; i < SLI_WIDTH; i++) {
        near2[i] = sum[i] * NEAR_DOWN;
    }
}

/* Rounded down, so that a finite bound in doubles never becomes an infinite one in floats. */
static void near_boxes_wide(const near_walk *w, const sli_node_wide *node, float near2[SLI_WIDTH])
{
    for (int i = 0; i < SLI_WIDTH; i++) {
        double sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double p = w->at[axis];
            const double e = fmax(fmax((double)node->bounds[axis][0][i] - p,
                                       p - (double)node->bounds[axis][1][i]), 0);
            sum += e * e;
        }
        near2[i] = (float)fmin(sum * NEAR_DOWN_WIDE * (1 - 0x1p-23), 0x1.fffffep127);
    }
}

/* Pushes the children that may matter, the nearest last: an insertion sort on the stack itself. */
static void push_near(near_walk *w, const sli_node_wide *node)
{
    float near2[SLI_WIDTH];
    w->stats.nodes++;
    w->stats.boxes += SLI_WIDTH;
    if (w->wide) {
        near_boxes_wide(w, node, near2);
    } else {
        near_boxes(w, node, near2);
    }
    const int first = w->stack_size;
    for (int child = 0; child < SLI_WIDTH; child++) {
        if (node->child[child] == SLI_REF_EMPTY || (double)near2[child] > w->bound2) {
            continue;
        }
        int place = w->stack_size++;
        for (; place > first && w->stack[place - 1].near2 < near2[child]; place--) {
            w->stack[place] = w->stack[place - 1];
        }
        w->stack[place].ref = node->child[child];
        w->stack[place].near2 = near2[child];
    }
}

static uint32_t next_near_leaf(near_walk *w, const sl_bvh *tree)
{
    while (w->stack_size > 0) {
        w->stack_size--;
        const uint32_t ref = w->stack[w->stack_size].ref;
        if ((double)w->stack[w->stack_size].near2 > w->bound2) {
            continue;
        }
        if ((ref & SLI_REF_LEAF) != 0) {
            return ref;
        }
        push_near(w, sli_tree_node(tree, ref));
    }
    return SLI_REF_EMPTY;
}

/* Corners of four triangles seen from the point, along one axis: [corner][lane]. */
typedef struct near_corners {
    float axis[3][3][SLI_PACK];
} near_corners;

static float clamped(float x)
{
    const float positive = x > 0 ? x : 0; /* a NaN, from a side without length, is 0 */
    return positive < 1 ? positive : 1;
}

/* The nearest point of each triangle, roughly: of the three sides, or of the plane where all three
 * sides have the point within.  Nothing depends on how well this is done but speed. */
static void near_guess(const near_corners *c, float r[3][SLI_PACK])
{
    for (int i = 0; i < SLI_PACK; i++) {
        const float ax = c->axis[0][0][i], ay = c->axis[1][0][i], az = c->axis[2][0][i];
        const float bx = c->axis[0][1][i], by = c->axis[1][1][i], bz = c->axis[2][1][i];
        const float cx = c->axis[0][2][i], cy = c->axis[1][2][i], cz = c->axis[2][2][i];
        const float ux = bx - ax, uy = by - ay, uz = bz - az; /* a to b */
        const float vx = cx - bx, vy = cy - by, vz = cz - bz; /* b to c */
        const float wx = ax - cx, wy = ay - cy, wz = az - cz; /* c to a */
        const float s = clamped(-(ux * ax + uy * ay + uz * az) / (ux * ux + uy * uy + uz * uz));
        const float t = clamped(-(vx * bx + vy * by + vz * bz) / (vx * vx + vy * vy + vz * vz));
        const float q = clamped(-(wx * cx + wy * cy + wz * cz) / (wx * wx + wy * wy + wz * wz));
        float x = ax + s * ux, y = ay + s * uy, z = az + s * uz, best = x * x + y * y + z * z;
        const float tx = bx + t * vx, ty = by + t * vy, tz = bz + t * vz;
        const float qx = cx + q * wx, qy = cy + q * wy, qz = cz + q * wz;
        const float t2 = tx * tx + ty * ty + tz * tz, q2 = qx * qx + qy * qy + qz * qz;
        x = t2 < best ? tx : x;
        y = t2 < best ? ty : y;
        z = t2 < best ? tz : z;
        best = t2 < best ? t2 : best;
        x = q2 < best ? qx : x;
        y = q2 < best ? qy : y;
        z = q2 < best ? qz : z;
        const float nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        /* The point lies within a side where (side x normal) . corner >= 0. */
        const float in_u = (uy * nz - uz * ny) * ax + (uz * nx - ux * nz) * ay + (ux * ny - uy * nx) * az;
        const float in_v = (vy * nz - vz * ny) * bx + (vz * nx - vx * nz) * by + (vx * ny - vy * nx) * bz;
        const float in_w = (wy * nz - wz * ny) * cx + (wz * nx - wx * nz) * cy + (wx * ny - wy * nx) * cz;
        const float least_uv = in_u < in_v ? in_u : in_v, least = least_uv < in_w ? least_uv : in_w;
        const float h = (nx * ax + ny * ay + nz * az) / (nx * nx + ny * ny + nz * nz);
        r[0][i] = least > 0 ? h * nx : x;
        r[1][i] = least > 0 ? h * ny : y;
        r[2][i] = least > 0 ? h * nz : z;
    }
}

/* Lower bounds on the squared distances of four triangles.
 *
 * A triangle lies on the far side of any plane that its corners w lie beyond: for every direction r
 * the distance is at least min w . r / |r|.  With m = max |x| + |y| + |z| of the corners, the
 * computed dot products are off by less than 8u m |r| (a rounding in each w, three products, two sums;
 * |w| <= m), and the division by |r|^2 of the square by less than 8u of itself.  A direction that
 * is zero or not finite bounds nothing: 0. */
static void near_triangles(const near_walk *w, const sli_tri_pack *pack, float near2[SLI_PACK])
{
    near_corners c;
    float r[3][SLI_PACK];
    for (int axis = 0; axis < 3; axis++) {
        for (int v = 0; v < 3; v++) {
            for (int i = 0; i < SLI_PACK; i++) {
                c.axis[axis][v][i] = pack->axis[axis].vertex[v][i] - w->at[axis];
            }
        }
    }
    near_guess(&c, r);
    for (int i = 0; i < SLI_PACK; i++) {
        float least = INFINITY, m = 0;
        for (int v = 0; v < 3; v++) {
            const float x = c.axis[0][v][i], y = c.axis[1][v][i], z = c.axis[2][v][i];
            const float along = x * r[0][i] + y * r[1][i] + z * r[2][i];
            const float size = fabsf(x) + fabsf(y) + fabsf(z);
            least = along < least ? along : least;
            m = size > m ? size : m;
        }
        const float reach = fabsf(r[0][i]) + fabsf(r[1][i]) + fabsf(r[2][i]);
        const float r2 = r[0][i] * r[0][i] + r[1][i] * r[1][i] + r[2][i] * r[2][i];
        const float sure = least - 8 * WALK_U * m * reach;
        const float bound = sure * sure / r2 * NEAR_DOWN;
        near2[i] = sure > 0 && r2 > NEAR_TINY && bound < INFINITY ? bound : 0;
    }
}

/* Bit i: lane i holds a triangle; near2 bounds its squared distance from below. */
static uint32_t near_lanes(near_walk *w, const sli_tri_pack *pack, float near2[SLI_PACK])
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < SLI_PACK; i++) {
        lanes |= (uint32_t)(pack->axis[0].meta[i] != SL_NONE) << i;
        near2[i] = 0;
    }
    w->stats.triangles += (uint64_t)(__builtin_popcount(lanes));
    if (!w->wide) {
        near_triangles(w, pack, near2);
    }
    return lanes;
}

/* The lane with the smallest bound. */
static int nearest_lane(uint32_t lanes, const float near2[SLI_PACK])
{
    int best = __builtin_ctz(lanes);
    for (uint32_t rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        best = near2[lane] < near2[best] ? lane : best;
    }
    return best;
}

/* The nearest point of one lane, in the shape of a hit: t is the distance. */
static bool near_lane(near_walk *w, const sli_tri_pack *pack, int lane, sl_hit *hit)
{
    const uint32_t prim = pack->axis[0].meta[lane];
    if (!sli_kernel_wants(&w->ask->filter, prim, pack->axis[1].meta[lane])) {
        return false;
    }
    float v[3][3];
    sli_nearest_point nearest;
    const double point[3] = { w->at[0], w->at[1], w->at[2] };
    lane_corners(pack, lane, v);
    const bool found =
        sli_point_triangle(point, v[0], v[1], v[2], w->ask->limit, w->bound, &nearest);
    w->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
    w->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
    w->stats.hits += found;
    *hit = (sl_hit){ .t = nearest.distance, .u = nearest.u, .v = nearest.v, .prim = prim };
    return found;
}

/* Keeps the capacity nearest.  With shrink the search narrows as soon as so many are found, and what
 * lies beyond is not counted. */
static size_t traverse_nearest(const sl_bvh *tree, const sli_kernel_point *ask, bool shrink,
                               sl_hit *hits, size_t capacity, sl_stats *stats)
{
    near_walk w;
    size_t total = 0;
    prepare_near(&w, tree, ask);
    for (;;) {
        const uint32_t leaf = next_near_leaf(&w, tree);
        if (leaf == SLI_REF_EMPTY) {
            break;
        }
        const sli_tri_pack *pack = sli_tree_pack(tree, leaf);
        float near2[SLI_PACK];
        for (uint32_t lanes = near_lanes(&w, pack, near2); lanes != 0;) {
            const int lane = nearest_lane(lanes, near2);
            if ((double)near2[lane] > w.bound2) {
                w.stats.float_stage += (uint64_t)(__builtin_popcount(lanes));
                break; /* the others are no nearer */
            }
            lanes &= ~(1u << lane);
            sl_hit hit;
            if (!near_lane(&w, pack, lane, &hit)) {
                continue;
            }
            sli_hit_heap_add(hits, capacity, total++, &hit);
            if (shrink && total >= capacity && hits[0].t < w.bound) {
                set_near_bound(&w, hits[0].t);
            }
        }
    }
    sli_hit_heap_sort(hits, capacity, total);
    add_stats_to(&w.stats, stats);
    return total;
}
