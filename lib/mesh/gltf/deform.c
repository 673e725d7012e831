/* gltf/deform.c: what moves the vertices of a node's mesh within it: morph targets, by the weights
 * of the node or else of the mesh, and then the node's skin, in the pose in which the file's nodes
 * stand.
 *
 * A skin takes a vertex to the world by a matrix of its own: the sum, over the joints that the
 * vertex names, of weight * world(joint) * inverse bind matrix, in doubles.  Weights are taken as
 * they are given, and a joint whose weight is 0 is not looked at.  Accessors that only weights of 0
 * concern are not looked at, either.
 *
 * Only what is proven of a file may move anything, so proving walks all morph targets and joints;
 * how much there is of them is counted first, since small files may name one accessor very often.
 */
#include "lib/mesh/gltf/gltf.h"

#include <stdio.h>
#include <string.h>

enum { UNSIGNED_BYTE = 5121, UNSIGNED_SHORT = 5123, FLOAT = 5126 };

/* Times that elements may be moved, in all; proving one of what moves them counts as many. */
static const double most_moves = 1073741824.0, moves_of_proof = 100.0;

/* ---- proof: morph targets -------------------------------------------------------------------- */

/* How many weights are not 0; NULL, where none is, stands for the list. */
static sl_result count_weights(sli_gltf *gltf, const sli_gltf_item *item, const json_t **list,
                               size_t *count)
{
    SLI_TRY(sli_gltf_list(gltf, item, "weights", list));
    *count = 0;
    for (size_t i = 0; i < json_array_size(*list); i++) {
        const json_t *weight = json_array_get(*list, i);
        if (!json_is_number(weight)) {
            return sli_gltf_bad(gltf, item, "'weights' holds something that is no number");
        }
        *count += json_number_value(weight) != 0.0;
    }
    *list = *count > 0 ? *list : NULL;
    return SL_OK;
}

/* The weights of a node, or else of its mesh. */
static sl_result find_weights(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_mesh *mesh,
                              size_t *count)
{
    sli_gltf_node *node = &gltf->nodes[item->index];
    sli_gltf_item of_mesh;
    if (node->weights != NULL) {
        return count_weights(gltf, item, &node->weights, count);
    }
    if (!mesh->weighed) {
        SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_MESHES, node->mesh, &of_mesh));
        SLI_TRY(count_weights(gltf, &of_mesh, &mesh->weights, &mesh->weight_count));
        mesh->weighed = true;
    }
    node->weights = mesh->weights;
    *count = mesh->weight_count;
    return SL_OK;
}

/* What morph target `number` adds to positions, and to rows; rows that it does not fit are left
 * out. */
static sl_result prove_target(sli_gltf *gltf, const sli_gltf_item *item, const json_t *targets,
                              size_t number, sli_gltf_primitive *primitive)
{
    const sli_gltf_accessor *positions = &gltf->accessors[primitive->positions], *added;
    sli_gltf_item target = *item;
    uint32_t index;
    target.object = json_array_get(targets, number);
    if (!json_is_object(target.object)) {
        return sli_gltf_bad(gltf, item,
                            "weight %zu is not 0, but 'targets' has no object %zu; it has %zu",
                            number, number, json_array_size(targets));
    }
    snprintf(target.name, sizeof target.name, "%.32s.targets[%zu]", item->name, number);
    SLI_TRY(sli_gltf_reference(gltf, &target, "POSITION", false, SLI_GLTF_ACCESSORS, &index));
    if (index != SL_NONE) {
        SLI_TRY(sli_gltf_prove_accessor(gltf, index, &added));
        if (!sli_gltf_is_position(added) || added->count != positions->count) {
            return sli_gltf_bad(gltf, &target,
                                "'POSITION' is accessors[%lu], which is not %zu elements VEC3 of "
                                "floats (or, quantized, of 8 or 16 bits), one for each vertex",
                                (unsigned long)index, positions->count);
        }
    }
    for (int kind = 0; kind < SLI_GLTF_ROWS; kind++) {
        if (primitive->rows[kind] != SL_NONE &&
            json_object_get(target.object, sli_gltf_row_keys[kind]) != NULL) {
            SLI_TRY(sli_gltf_read_row(gltf, &target, kind, positions, &index));
            primitive->rows[kind] = index != SL_NONE ? primitive->rows[kind] : SL_NONE;
        }
    }
    return SL_OK;
}

static sl_result prove_targets(sli_gltf *gltf, const sli_gltf_item *item, const json_t *weights,
                               sli_gltf_primitive *primitive)
{
    const json_t *targets;
    SLI_TRY(sli_gltf_list(gltf, item, "targets", &targets));
    for (size_t i = 0; i < json_array_size(weights); i++) {
        if (json_number_value(json_array_get(weights, i)) != 0.0) {
            SLI_TRY(prove_target(gltf, item, targets, i, primitive));
        }
    }
    return SL_OK;
}

/* ---- proof: skins ---------------------------------------------------------------------------- */

static sl_result find_binds(sli_gltf *gltf, const sli_gltf_item *item, size_t joints,
                            sli_gltf_reader *out)
{
    uint32_t index;
    *out = (sli_gltf_reader){ 0 };
    SLI_TRY(
        sli_gltf_reference(gltf, item, "inverseBindMatrices", false, SLI_GLTF_ACCESSORS, &index));
    if (index == SL_NONE) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_prove_accessor(gltf, index, &out->accessor));
    const bool fits = out->accessor->components == 16 && out->accessor->type == FLOAT &&
                      out->accessor->count >= joints;
    return fits ? SL_OK
                : sli_gltf_bad(gltf, item,
                               "'inverseBindMatrices' is accessors[%lu], which is not a MAT4 of "
                               "floats for each of %zu joints",
                               (unsigned long)index, joints);
}

static sl_result prove_skin(sli_gltf *gltf, uint32_t number)
{
    sli_gltf_skin *skin = &gltf->skins[number];
    sli_gltf_item item;
    const json_t *joints;
    sli_gltf_reader binds;
    size_t mirrored = 0;
    if (skin->proven) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_SKINS, number, &item));
    SLI_TRY(sli_gltf_list(gltf, &item, "joints", &joints));
    if (json_array_size(joints) == 0) {
        return sli_gltf_bad(gltf, &item, "'joints' is missing or empty");
    }
    skin->count = json_array_size(joints);
    SLI_TRY(find_binds(gltf, &item, skin->count, &binds));
    SLI_TRY(sli_gltf_array(gltf, &skin->joints, skin->count, sizeof *skin->joints));
    for (size_t i = 0; i < skin->count; i++) {
        double columns[16] = { [0] = 1, [5] = 1, [10] = 1 };
        uint32_t node;
        SLI_TRY(sli_gltf_as_reference(gltf, &item, "joints", json_array_get(joints, i),
                                      SLI_GLTF_NODES, &node));
        if (binds.accessor != NULL) {
            sli_gltf_read_numbers(&binds, columns);
        }
        const sl_transform bind = sli_gltf_from_columns(columns);
        skin->joints[i] = sli_gltf_multiply(&gltf->nodes[node].world, &bind);
        mirrored += sli_gltf_mirrors(&skin->joints[i]);
    }
    skin->mirrors = mirrored > skin->count / 2;
    skin->proven = true;
    return SL_OK;
}

/* The accessors of set `set` of joints and weights; SL_NONE, twice, where there is no such set. */
static sl_result find_set(const sli_gltf *gltf, const sli_gltf_item *attributes, uint32_t set,
                          uint32_t accessors[2])
{
    char key[24];
    snprintf(key, sizeof key, "JOINTS_%lu", (unsigned long)set);
    accessors[1] = SL_NONE;
    SLI_TRY(sli_gltf_reference(gltf, attributes, key, false, SLI_GLTF_ACCESSORS, &accessors[0]));
    snprintf(key, sizeof key, "WEIGHTS_%lu", (unsigned long)set);
    return accessors[0] == SL_NONE
               ? SL_OK
               : sli_gltf_reference(gltf, attributes, key, true, SLI_GLTF_ACCESSORS, &accessors[1]);
}

static sl_result prove_set(sli_gltf *gltf, const sli_gltf_item *item, const uint32_t accessors[2],
                           sli_gltf_primitive *primitive)
{
    const size_t count = gltf->accessors[primitive->positions].count;
    const sli_gltf_accessor *is[2];
    for (int i = 0; i < 2; i++) {
        SLI_TRY(sli_gltf_prove_accessor(gltf, accessors[i], &is[i]));
        const int type = is[i]->type;
        const bool small = type == UNSIGNED_BYTE || type == UNSIGNED_SHORT;
        const bool fits =
            i == 0 ? small && !is[i]->normalized : type == FLOAT || (small && is[i]->normalized);
        if (!fits || is[i]->components != 4 || is[i]->count != count) {
            return sli_gltf_bad(gltf, item,
                                "accessors[%lu], its %s, is not %zu elements VEC4 of %s, one for "
                                "each vertex",
                                (unsigned long)accessors[i], i == 0 ? "joints" : "weights", count,
                                i == 0 ? "8 or 16 bits without sign"
                                       : "floats or normalized 8 or 16 bits");
        }
    }
    sli_gltf_reader joints = { .accessor = is[0] }, weights = { .accessor = is[1] };
    for (size_t i = 0; i < count; i++) {
        double joint[4], weight[4];
        sli_gltf_read_numbers(&joints, joint);
        sli_gltf_read_numbers(&weights, weight);
        for (int k = 0; k < 4; k++) {
            if (weight[k] != 0.0 && joint[k] >= primitive->joint_end) {
                primitive->joint_end = (uint32_t)joint[k] + 1;
                primitive->joint_at = (uint32_t)i;
            }
        }
    }
    return SL_OK;
}

static sl_result prove_joints(sli_gltf *gltf, const sli_gltf_item *item, uint32_t skin,
                              uint32_t sets, sli_gltf_primitive *primitive)
{
    sli_gltf_item attributes;
    SLI_TRY(sli_gltf_object(gltf, item, "attributes", &attributes));
    if (sets == 0) {
        return sli_gltf_bad(gltf, item, "a node gives it skins[%lu], but it has no JOINTS_0",
                            (unsigned long)skin);
    }
    for (; primitive->sets < sets; primitive->sets++) {
        uint32_t accessors[2];
        SLI_TRY(find_set(gltf, &attributes, primitive->sets, accessors));
        SLI_TRY(prove_set(gltf, item, accessors, primitive));
    }
    if (primitive->joint_end > gltf->skins[skin].count) {
        return sli_gltf_fail(gltf, SL_BAD_INDEX, item,
                             "its vertex %lu has joint %lu, but skins[%lu] has %zu, counted from "
                             "0; mend the file or export it anew",
                             (unsigned long)primitive->joint_at,
                             (unsigned long)primitive->joint_end - 1, (unsigned long)skin,
                             gltf->skins[skin].count);
    }
    return SL_OK;
}

/* ---- proof: both ----------------------------------------------------------------------------- */

static uint32_t count_sets(const json_t *attributes)
{
    char key[24] = "JOINTS_0";
    uint32_t sets = 0;
    while (json_object_get(attributes, key) != NULL) {
        snprintf(key, sizeof key, "JOINTS_%lu", (unsigned long)++sets);
    }
    return sets;
}

static sl_result prove_primitive(sli_gltf *gltf, const sli_gltf_item *node, size_t weights,
                                 size_t times, sli_gltf_primitive *primitive)
{
    const sli_gltf_node *at = &gltf->nodes[node->index];
    const uint32_t sets =
        at->skin == SL_NONE ? 0 : count_sets(json_object_get(primitive->object, "attributes"));
    const size_t movers = weights + 2 * (size_t)sets;
    sli_gltf_item item;
    gltf->most_movers = movers > gltf->most_movers ? movers : gltf->most_movers;
    gltf->moves += moves_of_proof * (double)(1 + movers);
    gltf->moves += (double)times *
                   ((double)json_array_size(at->weights) +
                    (double)gltf->accessors[primitive->positions].count * (double)(weights + sets));
    if (gltf->moves > most_moves) {
        return sli_gltf_fail(gltf, SL_TOO_LARGE, node,
                             "up to here morph targets and joints move vertices %.0f times; at "
                             "most %.0f are possible",
                             gltf->moves, most_moves);
    }
    SLI_TRY(sli_gltf_primitive_item(gltf, at->mesh, primitive->number, primitive->object, &item));
    SLI_TRY(prove_targets(gltf, &item, at->weights, primitive));
    return at->skin == SL_NONE ? SL_OK : prove_joints(gltf, &item, at->skin, sets, primitive);
}

sl_result sli_gltf_prove_deform(sli_gltf *gltf, uint32_t node, sli_gltf_mesh *mesh, size_t times)
{
    sli_gltf_node *at = &gltf->nodes[node];
    sli_gltf_item item;
    size_t weights;
    SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_NODES, node, &item));
    SLI_TRY(find_weights(gltf, &item, mesh, &weights));
    SLI_TRY(at->skin == SL_NONE ? SL_OK : prove_skin(gltf, at->skin));
    for (size_t i = 0; i < mesh->count && (weights > 0 || at->skin != SL_NONE); i++) {
        SLI_TRY(prove_primitive(gltf, &item, weights, times, &mesh->primitives[i]));
    }
    return SL_OK;
}

/* ---- moving ---------------------------------------------------------------------------------- */

sl_result sli_gltf_prepare_deform(sli_gltf *gltf)
{
    return sli_gltf_array(gltf, &gltf->movers, gltf->most_movers, sizeof *gltf->movers);
}

/* Of an object that is proven; SL_NONE where it names none. */
static uint32_t proven_reference(const sli_gltf *gltf, const json_t *object, const char *key)
{
    const sli_gltf_item item = { .object = object, .kind = SLI_GLTF_KINDS };
    uint32_t index = SL_NONE;
    (void)sli_gltf_reference(gltf, &item, key, false, SLI_GLTF_ACCESSORS, &index);
    return index;
}

void sli_gltf_begin_deform(const sli_gltf *gltf, uint32_t node, const sli_gltf_primitive *primitive,
                           const char *key, uint32_t accessor, sli_gltf_deform *out)
{
    const sli_gltf_node *at = &gltf->nodes[node];
    const json_t *targets = json_object_get(primitive->object, "targets");
    *out = (sli_gltf_deform){ .elements.accessor = &gltf->accessors[accessor],
                              .targets = gltf->movers };
    for (size_t i = 0; i < json_array_size(at->weights); i++) {
        const double weight = json_number_value(json_array_get(at->weights, i));
        const uint32_t added =
            weight != 0.0 ? proven_reference(gltf, json_array_get(targets, i), key) : SL_NONE;
        if (added != SL_NONE) {
            out->targets[out->target_count++] =
                (sli_gltf_mover){ { .accessor = &gltf->accessors[added] }, weight };
        }
    }
    out->sets = out->targets + out->target_count;
    if (at->skin == SL_NONE) {
        return;
    }
    const sli_gltf_item attributes = { .object = json_object_get(primitive->object, "attributes"),
                                       .kind = SLI_GLTF_KINDS };
    out->joints = gltf->skins[at->skin].joints;
    for (; out->set_count < primitive->sets; out->set_count++) {
        uint32_t accessors[2];
        (void)find_set(gltf, &attributes, (uint32_t)out->set_count, accessors);
        for (int i = 0; i < 2; i++) {
            out->sets[2 * out->set_count + (size_t)i] =
                (sli_gltf_mover){ .reader.accessor = &gltf->accessors[accessors[i]] };
        }
    }
}

/* The sum over all joints of the next vertex. */
static void deform_matrix(sli_gltf_deform *deform)
{
    deform->matrix = (sl_transform){ { { 0 } } };
    for (size_t set = 0; set < deform->set_count; set++) {
        double joint[4], weight[4];
        sli_gltf_read_numbers(&deform->sets[2 * set].reader, joint);
        sli_gltf_read_numbers(&deform->sets[2 * set + 1].reader, weight);
        for (int k = 0; k < 4; k++) {
            const double *m = weight[k] != 0.0 ? &deform->joints[(uint32_t)joint[k]].m[0][0] : NULL;
            for (int i = 0; m != NULL && i < 12; i++) {
                deform->matrix.m[i / 4][i % 4] += weight[k] * m[i];
            }
        }
    }
}

void sli_gltf_read_deformed(sli_gltf_deform *deform, double out[4])
{
    memset(out, 0, 4 * sizeof *out);
    sli_gltf_read_numbers(&deform->elements, out);
    for (size_t i = 0; i < deform->target_count; i++) {
        double added[4] = { 0 };
        sli_gltf_read_numbers(&deform->targets[i].reader, added);
        for (int k = 0; k < 4; k++) {
            out[k] += deform->targets[i].weight * added[k];
        }
    }
    if (deform->joints != NULL) {
        deform_matrix(deform);
    }
}
