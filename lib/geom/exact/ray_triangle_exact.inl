/* The decisions of predicates.h about one ray and one triangle, for one type of corner: CORNER,
 * which BEGIN takes.  NAMED gives the names; FROM_SIDES says what the filters start from. */
int NAMED(sli_exact_ray_side)(const sli_exact_ray *ray, const CORNER v0[3], const CORNER v1[3],
                              const CORNER v2[3], int cull, sli_decision_stage *stage)
{
    intersection m;
    double low, high;
    BEGIN(&m, ray, v0, v1, v2);
    const bool hit = ray_triangle_exact_decide(&m, cull, INFINITY, &low, &high, FROM_SIDES);
    *stage = m.stage;
    return hit ? m.sign_d : 0;
}

bool NAMED(sli_exact_ray_hits)(const sli_exact_ray *ray, const CORNER v0[3], const CORNER v1[3],
                               const CORNER v2[3], int cull, sli_decision_stage *stage)
{
    return NAMED(sli_exact_ray_side)(ray, v0, v1, v2, cull, stage) != 0;
}

int NAMED(sli_exact_weight_sign)(const sli_exact_ray *ray, const CORNER v0[3], const CORNER v1[3],
                                 const CORNER v2[3], int i, sli_decision_stage *stage)
{
    intersection m;
    BEGIN(&m, ray, v0, v1, v2);
    if (!filter_weight(&m, i, FROM_SIDES)) {
        sli_intersection_settle_weight(&m, i);
    }
    *stage = m.stage;
    return m.sign[i];
}

bool NAMED(sli_exact_compare_t)(const sli_exact_ray *ray, const CORNER v0[3], const CORNER v1[3],
                                const CORNER v2[3], double limit, int *sign,
                                sli_decision_stage *stage)
{
    intersection m;
    double low, high;
    BEGIN(&m, ray, v0, v1, v2);
    if (!find_signs(&m, false, FROM_SIDES)) {
        return false;
    }
    bound_t(&m, &low, &high, FROM_SIDES);
    m.stage = SLI_STAGE_DOUBLE;
    *sign = compare_limit(&m, low, high, limit);
    *stage = m.stage;
    return true;
}

#undef CORNER
#undef NAMED
#undef BEGIN
#undef FROM_SIDES
