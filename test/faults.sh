#!/bin/sh
# faults.sh: plants one fault at a time in a copy of the sources, and expects the tests to notice.
#
#     sh test/faults.sh            all of them
#     sh test/faults.sh NAME ...   these
#
# FAULTS_TARGETS and FAULTS_TESTS, if set, are what is built and which tests are run (a pattern of
# ctest), where it is known which tests have to notice.
# A fault is one edit: an error bound set to zero, a rule reversed, a box shrunk, a child skipped.
# The tests of rays, editing, attributes and bvh are built and run each time.  A fault that leaves them green makes
# this script fail, and so does an edit that no longer applies.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
asked=" $* "
noticed=0
wrong=0
tests='^(lib/(relation|distance|ray_|drag|gizmo|view|editing|topology|polygon|save|element_set|weighted|transform|hull|polytope|sweep_volume|round|number|parts|attributes|mesh_at)|fuzz/(topology|pick|select)|bvh/)'

prepare() {
    mkdir -p "$work/source"
    (cd "$root" && git ls-files -z | xargs -0 tar cf -) | tar xf - -C "$work/source"
    cmake -S "$work/source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DSIGHTLINE_TOOLS=OFF -DSIGHTLINE_IO=ON \
        >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; exit 1; }
}

# 0: green, 1: red, 2: does not build
build_and_test() {
    # shellcheck disable=SC2086 # words
    cmake --build "$work/build" -j2 ${FAULTS_TARGETS:+--target $FAULTS_TARGETS} \
        >"$work/build.log" 2>&1 || return 2
    (cd "$work/build" && ctest -j2 --timeout 300 --stop-on-failure \
        -R "${FAULTS_TESTS:-$tests}" \
        >"$work/test.log" 2>&1) || return 1
}

# replace FILE FROM TO: the one occurrence of a line fragment
replace() {
    cp "$work/source/$1" "$work/kept" &&
        FROM=$2 TO=$3 awk 'BEGIN { from = ENVIRON["FROM"]; to = ENVIRON["TO"] }
            { i = index($0, from)
              if (i) { n++; $0 = substr($0, 1, i - 1) to substr($0, i + length(from)) }
              print }
            END { exit n == 1 ? 0 : 1 }' "$work/kept" >"$work/source/$1"
}

fault() { # NAME FILE FROM TO
    case "$asked" in "  " | *" $1 "*) ;; *) return ;; esac
    if replace "$2" "$3" "$4"; then
        build_and_test
        case $? in
        0) echo "$1: NOT NOTICED by any test"; wrong=$((wrong + 1)) ;;
        1) echo "$1: noticed by $(sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*.*/\1/p' \
            "$work/test.log" | sort -u | tr '\n' ' ')"; noticed=$((noticed + 1)) ;;
        *) echo "$1: does not build"; tail -20 "$work/build.log"; wrong=$((wrong + 1)) ;;
        esac
    else
        echo "$1: the edit no longer applies to $2"
        wrong=$((wrong + 1))
    fi
    cp "$work/kept" "$work/source/$2"
}

prepare
if build_and_test; then
    echo "no fault: all green"
else
    echo "no fault: the tests fail on their own"
    tail -n 20 "$work/build.log"; tail -n 20 "$work/test.log"
    exit 1
fi

fault delta-zero bvh/kernel/plain/ray.inl '#define SHEAR_ERROR 10.0f' '#define SHEAR_ERROR 0.0f'
fault edge-bound-zero bvh/kernel/plain/ray.inl '(1 + 16 * WALK_U)' '0.0f'
fault slab-error-zero bvh/kernel/plain/ray.inl '#define SLAB_ERROR_SHARE (8 * WALK_U)' '#define SLAB_ERROR_SHARE 0.0f'
fault frustum-any-point bvh/kernel/packet/frustum_lines.inl 'if (!one_number(from))' 'if (false)'
fault frustum-any-direction bvh/kernel/packet/frustum_make.inl 'if (!one_number(p->rays->dir[axis]))' 'if (false)'
fault frustum-parallel-side bvh/kernel/packet/frustum_pack.inl 'f12_muladd(c->of_side, off, f12_splat(FRUSTUM_TINY))' 'f12_splat(0)'
fault frustum-few-shallow bvh/kernel/packet/frustum_few.inl '(shallow >> lane & 1) * 0xFFFF' '0'
fault frustum-few-let-go bvh/kernel/packet/frustum_few.inl 'p->hits->held_from[ray] <= p->bound[ray]' 'false'
fault float-limits-exact bvh/kernel/filter/tri_interval.inl 'fabsf(by_z)' '0 * by_z'
fault tie-rule-reversed lib/geom/intersect/hit_heap.c 'a->prim < b->prim' 'a->prim > b->prim'
fault tmax-exclusive lib/geom/exact/ray_triangle_exact.c 'end < 0 || (end == 0 && !ray->open_end)' 'end < 0'
fault tmin-exclusive lib/geom/exact/ray_triangle_exact.c 'start < 0 || (start == 0 && ray->open_start)' 'start <= 0'
fault contact-point-crosses lib/geom/contact/relation.c 'last < 0 && first < 0 && ' ''
fault contact-runs-back lib/geom/contact/relation.c 'flip_a != flip_b' 'false'
fault contact-share-rounded lib/geom/contact/points.c 'share->high, share->low' 'share->high, 0'
fault curves-rounding-joins bvh/contact/segments.c 'sli_is_same_common(of, &other)' 'true'
fault winding-third-left-out lib/mesh/boundary_clusters.c 'sums.cut * (1 + 0x1p-20)' 'sums.cut * 0x1p-20'
fault winding-caps-uncrossed bvh/kernel/plain/boundary.inl '~boundary_met(block, point)' '15'
fault winding-bound-ignored bvh/query/winding.c 'told = away > error' 'told = away > 0'
fault curves-inside-kept bvh/contact/merge.c '2 * rising == outlines' 'rising == outlines'
fault clash-flush-touches bvh/contact/instances/pair.c ' || counted.relation == SL_COPLANAR_SAME' ''
fault clash-version-unseen bvh/contact/instances/changed.c '= at->tree->lineage.version' '= 1'
fault clash-skip-unseen bvh/contact/instances/changed.c 'is[i].family != NULL && is[i].version == 0' 'false'
fault clash-lower-unasked bvh/contact/instances/clashes.c 'k > i || !s->has_changed[k]' 'k > i'
fault clash-step-is-a-grid bvh/contact/instances/solids.c 'sli_transformed_grid(at)' 'at->grid'
fault still-no-rounding bvh/scene/still.c '(out.fixed + rho)' '(out.fixed + 0 * rho)'
fault still-shared-by-numbers bvh/scene/still.c 'rank == 0 || !sli_table_repeats(&c->trees, rank)' 'c != NULL || rank == 0'
fault still-boxes-not-met bvh/scene/still.c 'boxes_met(c) < (double)STILL_BOXES_MET' 'boxes_met(c) >= 0'
fault still-not-carried bvh/query/world_rays.c '!world->still && is_unmoved(q->bvh)' 'is_unmoved(q->bvh)'
fault still-first-lost bvh/kernel/instance/intersect.h 'still->first + source.instance' 'source.instance'
fault still-ignored-seen bvh/kernel/instance/intersect.h '? SLI_USES_IGNORE : 0' '? 0u : 0u'
fault sweep-no-reach bvh/kernel/instance/to_local.inl 'if (most > 0) {' 'if (most > 1e30) {'
fault sweep-no-margin bvh/kernel/sweep/space.inl '+ 2 * off + 8' '- 2e-3 + 8'
fault sweep-starts-nowhere bvh/kernel/sweep/ball.inl 'at_start & f8_bits_le(length, f8_splat(s->inner))' 'at_start'
fault sweep-all-is-beyond bvh/kernel/sweep/contact.inl 'beyond = shared || height < -0x1p-36 * sizes' 'beyond = true'
fault sweep-too-far bvh/kernel/sweep/space.inl 'f8_add(t, step)' 'f8_add(t, f8_add(step, f8_splat(0.01f)))'
fault all-cut-twice bvh/kernel/stream/leaves_all.inl 'return before != SLI_SLOT_FIRST;' 'return false;'
fault all-cut-sure bvh/kernel/stream/leaves_all.inl '~fl_bits_ne(before, 0)' '~(fl_bits_ne(before, 0) & 0)'
fault all-without-copies bvh/query/world_rays.c 'q->kind == SLI_QUERY_ALL ? &q->bvh->world' 'false ? &q->bvh->world'
fault child-skipped bvh/kernel/plain/box.inl 'for (int rank = 0; met' 'for (int rank = 1; met'
fault exact-sign-guessed lib/geom/exact/intersection.c 'm->sign[i] = sli_expansion_sign(n, h);' \
    'm->sign[i] = m->edge[i].value > 0 ? 1 : -1;'
fault own-origin-before-tmin bvh/kernel/instance/one.inl 's->ray->exact.tmin != 0' 'false'
fault zero-without-proof lib/geom/exact/intersection_dd.c '(size + x->error) * (1 + 0x1p-40) < step' 'step >= 0'
fault in-plane-closed lib/geom/exact/ray_triangle_exact.c '(ray->open_end && is_in_plane' '(is_in_plane'
fault ends-closed-lost bvh/kernel/filter/tri_axis_aligned.inl \
    '(query->flags & SL_OPEN_END) != 0 ? d8_bits_eq(t, one) : 0' 'd8_bits_eq(t, one)'
fault wide-open-end bvh/kernel/filter/tri8_wide.inl '(query->flags & SL_OPEN_END) != 0 ? p->of_end.zero : 0' '0'
fault ends-side-turned bvh/kernel/filter/tri8_ends.inl '(from.above & to.above) |' '(from.above & to.below) |'
fault ends-any-zero bvh/kernel/filter/tri8_ends.inl 'exact & d8_bits_eq(value, zero)' 'exact'
fault ends-across-any bvh/kernel/stream/leaves_ends.inl 'across[axis] = fl_add(across[axis], away[axis])' \
    'across[axis] = away[axis]'
fault wide-any-zero bvh/kernel/filter/tri8_wide.inl 'd8_mul(raise, d8_splat(0x1p-54))' \
    'd8_mul(raise, d8_splat(0x1p-30))'
fault wide-limit-turned bvh/kernel/filter/tri8_wide.inl \
    '.less = (of.below & p->front) | (of.above & p->back)' \
    '.less = (of.below & p->back) | (of.above & p->front)'
fault axis-rest-left bvh/kernel/filter/tri_axis_aligned.inl \
    'd8_bits_eq(back.high, way) & d8_bits_eq(back.low, d8_splat(0))' 'd8_bits_eq(t, t)'
fault double-bound-zero lib/geom/exact/ray_triangle_exact.c '{ det, 16 * EPS * permanent }' '{ det, 0 * permanent }'
fault box-shrunk bvh/tree/node_wide.h 'node->bounds[axis][1][child] = max[axis];' \
    'node->bounds[axis][1][child] = max[axis] * (child == 3 ? 1 - 0x1p-24f : 1);'
fault weighted-bound-zero lib/geom/exact/weighted.c 'in_doubles.size * 0x1p-101' 'in_doubles.size * 0'
fault vectors-are-points lib/geom/transform/inverse.c 'kind == SL_POINT ? moved : none' 'moved'
fault normal-not-mirrored lib/geom/transform/normal.c '!sure ? 0 : det.high > 0 ? 1 : -1' '!sure ? 0 : 1'
fault row-missing-kept lib/mesh/builder_row.c 'of->indices[i] < of->count ? of->indices[i] : SL_NONE' 'of->indices[i]'
fault row-unread-zero lib/mesh/format/obj.c 'row[count] = NAN;' 'row[count] = 0;'
fault rows-without-triangles lib/mesh/arrays.c 'parts->triangle_count + 1 : 0' 'parts->triangle_count : 0'
fault saved-v-upside-down lib/mesh/save/save.c 'v_down != format->v_down' 'v_down == format->v_down'
fault saved-vertices-of-the-first-node lib/mesh/save/glb.c 'g->vertices[node->first + i]] = (uint32_t)i' \
    'g->vertices[i]] = (uint32_t)i'
fault weld-first-row lib/mesh/weld.c 'merged_agree(j, slot) ? weld' '(slot == 1 || merged_agree(j, slot)) ? weld'
fault split-by-number lib/mesh/split.c '? j->rows[slot][row] : SL_NONE' '? row : SL_NONE'
fault corner-without-white lib/mesh/split.c '{ 1, 1, 1, 1 } }' '{ 0 } }'
fault hit-corner-without lib/mesh/at.c 'if (row == SL_NONE) {' 'if (corner == 0 && row == SL_NONE) {'

fault drag-vanishing-point-reached lib/geom/gizmo/slide.c 'w >= least_w' 'w > 0'
fault drag-axis-undamped lib/geom/gizmo/slide.c 'square >= least ? square : least' 'square'
fault drag-plane-bound-wider lib/geom/gizmo/slide.c '2 * (root - 1), d, inner' '4 * (root - 1), d, inner'
fault drag-ring-centre-entered lib/geom/gizmo/rotate.c '< NEAREST * plane.norm' '< 0.5 * plane.norm'
fault drag-turns-truncated lib/geom/gizmo/rotate.c '/ (2 * PI) + 0.5)' '/ (2 * PI))'
fault drag-still-not-seen lib/geom/gizmo/drag.c 'if (!dragged->still) {' 'if (dragged != NULL) {'
fault drag-factor-from-nan lib/geom/gizmo/scale.c 'factor < drag->factor_min ? drag->factor_min : factor' \
    'fmax(factor, drag->factor_min)'
fault ring-behind-picked lib/geom/gizmo/pick.c 'behind <= BEHIND * s->size' 'behind <= 2 * s->size'
fault view-y-upside-down lib/geom/camera/view.c 'clip[1] / clip[3] * view->y_sign)' 'clip[1] / clip[3])'
fault crease-of-nan lib/mesh/topology/features.c \
    'if (!sli_finite(p[0], 3) || !sli_finite(p[1], 3) || !sli_finite(p[2], 3)) {' 'if (p[0] == NULL) {'
fault crease-same-way lib/mesh/topology/features.c 'same_way ? -sli_dot(a, b)' 'same_way ? sli_dot(a, b)'
fault edge-same-way lib/mesh/topology/kinds.c 'uses++ > 0 && t->vertices' 'uses++ > 1 && t->vertices'
fault seam-one-end lib/mesh/topology/kinds.c 'const uint32_t from = same_way ? side' 'const uint32_t from = !same_way ? side'
fault update-flips-half lib/mesh/topology/features.c '(before ^ now) & SLI_EDGE_FEATURE' \
    'before & ~now & SLI_EDGE_FEATURE'
fault set-few-outside lib/mesh/sets/convert.c 'near && !c->outside' 'near'
fault flood-across-features lib/mesh/sets/flood.c 'flood_stops(f, edge) || !flood_cross(f, edge)' '!flood_cross(f, edge)'

fault pick-bounds-without-slack bvh/pick/screen.c '(SLACK * sizes + margin)' '0 * (sizes + margin)'
fault pick-near-plane-cuts-boxes bvh/pick/screen.c 'sli_row_high(&at->near, box) < 0' \
    'sli_row_low(&at->near, box) < 0'
fault pick-near-plane-one-end bvh/pick/along.c 'if (given[i].front < 0) {' \
    'if (given[i].front < 0 && i == 0) {'
fault pick-occluder-outline-wider bvh/pick/occluder.c 'line[2] -= reach->margin + 2 * error;' \
    'line[2] += 0.05 + 0 * error;'
fault pick-occluder-behind-near-plane bvh/pick/occluder.c 'if (!(-sign * at > 2 * slack)) {' \
    'if (sign * at > INFINITY) {'
fault pick-occluder-covers-most bvh/pick/occluder.c 'occluder->within == SLI_REACH_SAMPLES' \
    'occluder->within > SLI_REACH_SAMPLES / 2'
fault pick-tie-corner bvh/pick/candidate.h '(of)->corner, ~(of)->kind' \
    '~(of)->corner, ~(of)->kind'
fault pick-tie-kind bvh/pick/candidate.h '(of)->corner, ~(of)->kind' \
    '(of)->corner, (of)->kind'
fault pick-tie-instance bvh/pick/candidate.h '((const uint32_t[]){ (of)->instance,' \
    '((const uint32_t[]){ ~(of)->instance,'
fault pick-owner-one-end bvh/pick/candidate.h 'return ends == 2;' 'return ends >= 1;'
fault pick-owner-blocks bvh/pick/candidate.h 'return ends == 2;' 'return ends > 2;'
fault pick-masks-not-read bvh/pick/query.c 'out->deadline = 0;' \
    'out->deadline = 0, out->options.item.mask = 0;'
fault pick-culled-offered bvh/pick/visibility.c 'if (options->cull == SL_CULL_NONE) {' \
    'if (options != NULL) {'
fault contact-no-room-in-instances bvh/contact/walk/carry.c 'out->slack[k] = slack +' \
    'out->slack[k] = 0 * slack +'
fault contact-no-room-under-transforms bvh/contact/walk/carry.c 'out->slack[axis] = error *' \
    'out->slack[axis] = 0 * error *'
fault contact-cut-counts-again bvh/contact/walk/once.c 's < slot_a || (s == slot_a && t < slot_b)' 'false'
fault contact-planes-are-sure bvh/kernel/contact/leaf.inl 'd4_muladd(d4_splat(16 * LEAF_EPS), permanent, plane->away)' \
    'plane->away'
fault contact-crossing-unknown bvh/kernel/contact/leaf.inl 'near & leaf_known(&of_a) & leaf_known(&of_b)' 'near'
fault contact-fan-not-turned bvh/kernel/contact/leaf.inl 'd4_sub(zero, a.side)' 'a.side'
fault contact-fronts-of-mirrored bvh/kernel/contact/leaf.inl 'transformed->mirrored && i >= 3' 'false'
fault contact-other-gap bvh/kernel/contact/dual.inl 'gap[at[side]]' 'gap[at[0]]'
fault contact-margin-short bvh/contact/walk/dual.c 'margin * dual->unit : 0' '0.99 * margin * dual->unit : 0'
fault pick-cull-of-mirrored bvh/pick/visibility.c 'side != (sli_world_cull(options, transformed) ==' \
    'side != (options->cull =='
fault pick-culled-hides bvh/pick/search.c 's->options.cull != SL_CULL_NONE ||' 'false ||'
fault pick-other-name-kept bvh/pick/search_pool.c 'if (!sli_candidate_is_better(candidate, other)) {' \
    'if (other != NULL) {'
fault pick-finds-nothing-beforehand bvh/pick/search.c 's->met || s->cut_short;' 's->cut_short;'
fault pick-limit-short bvh/pick/search_pool.c 'pixels * pixels * (1 + 0x1p-40)' 'pixels * pixels * (1 - 0x1p-10)'
fault pick-sight-closed-end bvh/pick/visibility.c 'sli_exact_ray_from_segment_d(&line, SL_OPEN_END' \
    'sli_exact_ray_from_segment_d(&line, 0'

fault select-box-bounds-inwards bvh/select/judge_shown.c 'b->low[axis][i] = at - by[i];' \
    'b->low[axis][i] = at + by[i];'
fault select-class-reversed bvh/select/judge_shown.c 'classes[i] = side[i] > 0 ?' \
    'classes[i] = side[i] < 0 ?'
fault select-child-skipped bvh/select/walk.c 'if (node->child[child] != SLI_REF_EMPTY && !is_alike' \
    'if (child > 0 && node->child[child] != SLI_REF_EMPTY && !is_alike'
fault select-split-as-whole bvh/select/walk.c ' || sli_pack_is_split(pack, lane)' ''
fault select-pixel-parity-lost bvh/select/region_pixels.c 'r->words[(column - 1) / 64] ^=' \
    'r->words[(column - 1) / 64] |='
fault select-overlaps-kept bvh/select/region/lasso_sides.c \
    'points_sort(points, 2 * count, 2 * count);' 'points_sort(points, 2 * count, count);'
fault select-inside-tie-turned bvh/select/region/lasso_tree.c \
    'sign = lasso_tree_order(than->step[i][0][axis], than->step[i][1][axis]);' \
    'sign = lasso_tree_order(than->step[i][1][axis], than->step[i][0][axis]);'
fault polygon-order-not-kept lib/mesh/polygon.c 'stay_in_order(sweep, top, high)' 'true'
fault polygon-sides-run-back lib/mesh/polygon.c 'turn == 0 && sweep' 'turn != 0 && sweep'
fault polygon-passes-anyhow lib/mesh/polygon.c 'side >= 0 && runs_right' 'side >= 0 || runs_right'
fault polygon-fan-goes-round lib/mesh/polygon_fan.c '(half_round && !further)' 'false'
fault polygon-quad-in-doubt lib/mesh/polygon_fan.c '0x1p-50 *' '-1 *'
fault select-cut-counts-as-inside bvh/select/outline.c '!outline->cut &&' ''
fault select-far-plane-of-some bvh/select/outline.c 'if (view->has_far) {' \
    'if (view->has_far && count < 3) {'
fault select-brush-open bvh/select/region/planar.c 'sli_number_sign(&square, unsure) >= 0' \
    'sli_number_sign(&square, unsure) > 0'
fault select-border-pierces bvh/select/region/planar.c '(below > 0 && above > 0)' 'below + above > 0'
fault select-mask-not-read bvh/select/walk.c 'ref, pack->mask[lane])' 'ref, UINT32_MAX)'
fault select-culled-taken-whole bvh/select/selection.c '&& s->ray.cull == SL_CULL_NONE;' ';'
fault select-culled-counted bvh/select/selection.c \
    'if (sli_triangle_is_culled(&s->screen.eye, &s->ray, transformed,' \
    'if (0 && sli_triangle_is_culled(&s->screen.eye, &s->ray, transformed,'
fault select-eye-behind bvh/pick/screen.c 'out.kind = eye[3] > 0 ? 1 : -1;' 'out.kind = 1;'
fault select-owner-of-any bvh/select/visibility_batch.c 'sli_corners_have_ends(v, side->end)' 'true'
fault select-totals-not-read bvh/select/elements.c 's->totals != NULL ? s->totals[at] : 1' '1'
fault select-pixels-stay bvh/select/pixels.c ': p->counted[word] & ~now;' ': 0 & ~now;'
fault solids-own-cuts bvh/contact/solid/solids.c '!sli_pieces_cut(&c->job->pieces, corners)' 'false'
fault solids-ends-unsorted bvh/contact/solid/cut.c 'fractions_sort(bigs, low, high);' ';'
fault solids-one-side bvh/contact/solid/witness.c '(way >> (i - 1) & 1) != 0' 'false'
fault solids-regions-alike bvh/contact/solid/regions.c 'if (region_has(solid, i) &&' 'if (false &&'
fault solids-corners-not-asked bvh/contact/solid/solids.c 'sli_solid_meet_at_corners(job);' ';'
fault solids-no-splits bvh/contact/solid/pieces.c 'cuts_meet(bigs, cut, other, &at) &&' 'false &&'
fault solids-same-by-count bvh/contact/solid/same.c 'corners[i].count != 0' 'false'
fault big-no-second-borrow lib/geom/exact/arithmetic/big.c '| (first < carry)' ''
fault distance-bound-zero lib/geom/contact/distance.c '64 * EPS * s.reach' '0 * s.reach'
fault distance-unsure-refused lib/geom/contact/candidate.c 'c->count == 3 && spans == SLI_UNSURE' 'false'
fault distance-point-highest lib/geom/contact/distance_exact.c 'if (order < 0) {' 'if (order != 0) {'
fault distance-tie-last bvh/contact/distance.c 'order == 0 && before) {' 'order == 0) {'
fault distance-separation-guessed lib/geom/contact/separation.c 'exact && rest == 0 ? gap' 'gap < INFINITY ? gap'
fault clash-any-no-margin bvh/contact/clash_any.c 'if (!ended && margin > 0) {' 'if (false) {'
fault distance-plane-moved bvh/contact/nearest_first.c 'w->end[1] = end[1];' 'w->end[1] = end[1] - 0.01;'
fault axes-error-none lib/geom/convex/axes.c '32 * EPS * sli_dot(size, axes->reach)' '0'
fault axes-edge-of-none-counts lib/geom/convex/axes_exact.c 'sign[0] * sign[1] < 0' 'false'
fault sweep-normal-one-sided lib/geom/sweep/polytope.c 'if (!exact.is_ahead || !exact.is_behind) {' 'if (false) {'
fault sweep-edge-in-plane lib/geom/sweep/polytope.c 'return kept->is && (' 'return (kept->is || true) && ('
fault sweep-first-is-alone lib/geom/sweep/polytope.c 'other_high < out->entry_low' 'true'
fault sweep-rests-inside lib/geom/sweep/polytope.c 'out->inside && touch == 0' 'true'
fault sweep-grazes-last lib/geom/sweep/round.c 'if (left.sign <= 0) {' 'if (left.sign >= 0) {'
fault sweep-slides-into lib/geom/sweep/polytope.c 'order == 0 || !found.inside' 'order == 0'
fault sweep-floor-is-all lib/geom/sweep/polytope.c '(!sweep->moves || sweep->ignore_grazing)' 'true'
fault sweep-grazes-round lib/geom/sweep/round.c 'event == SLI_CELL_GRAZES && round->ignore_grazing' 'false'
fault sweep-flat-grazes lib/geom/sweep/take.c 'out->ignore_grazing && out->mover.solid' 'out->ignore_grazing'
fault sweep-close-rounds-down lib/geom/sweep/sphere.c 'out->t_safe = sli_dd_cut(&sum);' 'out->t_safe = sum.high;'
fault sweep-root-sure lib/geom/sweep/sphere_entry.c 'unsure + most * (2 * part + bend + SLI_SPHERE_FEW)' '0'
fault sweep-cone-forgotten lib/geom/sweep/sphere_entry.c '-x > off || (off == 0 && x <= 0)' 'x < INFINITY || off == 0'
fault sweep-miss-guessed lib/geom/sweep/sphere.c 'near > reach + SLI_SPHERE_FEW * size' 'near > 0.99 * reach + 0 * size'
fault parts-sure lib/geom/exact/arithmetic/parts.h '16 * SLI_PART' '0 * SLI_PART'
fault sweep-safe-is-late lib/geom/exact/arithmetic/rounding.c 'return (sli_rounded){ up ? next : down, down };' \
    'return (sli_rounded){ up ? next : down, up ? next : down };'
fault number-underflow-forgotten lib/geom/exact/arithmetic/number.h 'loses ? error + SLI_LOST : error' 'error'
fault scene-t-high bvh/kernel/filter/dd8.inl 'd8_add(at.low, rest)' 'd8_sub(rest, rest)'
fault scene-packet-loses bvh/kernel/instance/packet.inl '    s->lost = s->apart;' '    s->lost = s->apart & there;'
fault own-origins-are-floats bvh/kernel/instance/to_local8.inl 'rest[axis] = d8_to_f8(d8_sub(lines->base[axis], d8_from_f8(at[axis])));' \
    'rest[axis] = f8_splat(0);'
fault own-origins-begin-at-0 bvh/kernel/instance/to_local8.inl 'out->tmin = rays->tmin;' 'out->tmin = zero;'
fault hull-forgets-points lib/geom/convex/hull.c 'if (lost[i]) {' 'if (false) {'
fault hull-flat-is-one-triangle lib/geom/overlap/hull_overlap.c '(hull->faces > 0 ? hull->faces : 1); i += 2' '1; i += 2'
fault hull-planes-are-faces lib/geom/convex/hull.c '(plane[i] == i) == (pass == 0)' 'pass == 0'

echo "$noticed faults noticed, $wrong not"
[ "$wrong" = 0 ]
