/* A ray against the triangles of a leaf: who may be hit.  Conservative: only sure misses are
 * dropped, everybody else goes to the exact decision.
 *
 * Woop's sheared image (Woop, Benthin and Wald, Watertight Ray/Triangle Intersection, 2013) with a
 * bound E on the error of each edge function e = P x Q:
 *     E = delta (|Px| + |Py| + |Qx| + |Qy|) + 2 delta^2 + 3u (|Px Qy| + |Py Qx|)
 * A lane is a sure miss when one edge is < -E and another > E.  NaN and overflow are no sure miss. */

/* One edge of every lane: adds to the lanes where it is surely positive, surely negative. */
static void edge_signs(const float px[SLI_PACK], const float py[SLI_PACK],
                       const float qx[SLI_PACK], const float qy[SLI_PACK], float delta,
                       uint32_t above[SLI_PACK], uint32_t below[SLI_PACK])
{
    for (int i = 0; i < SLI_PACK; i++) {
        const float left = px[i] * qy[i], right = py[i] * qx[i];
        const float sizes = fabsf(px[i]) + fabsf(py[i]) + fabsf(qx[i]) + fabsf(qy[i]);
        const float bound = (delta * (sizes + 2 * delta) +
                             3 * WALK_U * (fabsf(left) + fabsf(right))) * EDGE_ERROR;
        const float edge = left - right;
        above[i] |= edge > bound;
        below[i] |= edge < -bound;
    }
}

/* Bit i: lane i holds a triangle that is not surely missed. */
static uint32_t filter_lanes(walk *w, const sli_tri_pack *pack)
{
    uint32_t used = 0, missed = 0;
    for (uint32_t i = 0; i < SLI_PACK; i++) {
        used |= (uint32_t)(pack->axis[0].meta[i] != SL_NONE) << i;
        w->stats.triangles += pack->axis[0].meta[i] != SL_NONE;
    }
    if (w->wide) {
        return used;
    }
    float x[3][SLI_PACK], y[3][SLI_PACK];
    uint32_t above[SLI_PACK] = { 0 }, below[SLI_PACK] = { 0 };
    for (int v = 0; v < 3; v++) {
        for (int i = 0; i < SLI_PACK; i++) {
            const float z = pack->axis[w->axis[2]].vertex[v][i] - w->origin[2];
            x[v][i] = pack->axis[w->axis[0]].vertex[v][i] - w->origin[0] - w->shear[0] * z;
            y[v][i] = pack->axis[w->axis[1]].vertex[v][i] - w->origin[1] - w->shear[1] * z;
        }
    }
    for (int v = 0; v < 3; v++) {
        const int p = (v + 1) % 3, q = (v + 2) % 3;
        edge_signs(x[p], y[p], x[q], y[q], w->delta, above, below);
    }
    for (uint32_t i = 0; i < SLI_PACK; i++) {
        missed |= (above[i] & below[i]) << i;
    }
    w->stats.float_stage += (uint64_t)(__builtin_popcount(missed & used));
    return used & ~missed;
}

/* The corners of one lane, as the exact decision wants them. */
static void lane_corners(const sli_tri_pack *pack, int lane, float v[3][3])
{
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            v[corner][axis] = pack->axis[axis].vertex[corner][lane];
        }
    }
}

static void count_stage(walk *w, sli_stage stage, bool hit)
{
    w->stats.double_stage += stage == SLI_STAGE_DOUBLE;
    w->stats.exact_stage += stage == SLI_STAGE_EXACT;
    w->stats.hits += hit;
}

/* The exact hit on one lane, if there is one; t_bound as in sli_exact_ray_hit. */
static bool hit_lane(walk *w, const sli_tri_pack *pack, int lane, float t_bound, sl_hit *hit)
{
    const uint32_t prim = pack->axis[0].meta[lane];
    if (!sli_kernel_wants(&w->ray->filter, prim, pack->axis[1].meta[lane])) {
        return false;
    }
    float v[3][3];
    sli_exact_hit exact;
    lane_corners(pack, lane, v);
    const bool found = sli_exact_ray_hit(&w->ray->exact, v[0], v[1], v[2], (int)w->ray->cull,
                                         t_bound, &exact);
    count_stage(w, exact.stage, found);
    if (found) {
        *hit = (sl_hit){
            .t = exact.t, .u = exact.u, .v = exact.v, .prim = prim, .flags = exact.flags
        };
    }
    return found;
}
