/* gltf/node.c: proves that nodes are a forest: each has at most one parent, and following parents
 * ends.  Later walks rely on it.  On the way transforms are taken to the world, those of nodes
 * outside of the scene, too, which may be joints. */
#include "lib/mesh/gltf/gltf.h"

#include <math.h>

/* The quaternion is x, y, z, w, of any length but 0, which turns nothing.  As transforms are made
 * (sl_transform_from_trs), so that quarter turns are exact; an overflow leaves what is not
 * finite. */
sl_transform sli_gltf_from_trs(const double t[3], const double r[4], const double s[3])
{
    const bool turns = r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0 || r[3] != 0.0;
    sl_transform made;
    if (!sl_transform_from_trs(t, turns ? r : NULL, s, &made)) {
        made = (sl_transform){
            { { NAN, NAN, NAN, NAN }, { NAN, NAN, NAN, NAN }, { NAN, NAN, NAN, NAN } }
        };
    }
    return made;
}

sl_transform sli_gltf_multiply(const sl_transform *a, const sl_transform *b)
{
    sl_transform product;
    for (int i = 0; i < 12; i++) {
        const double *row = a->m[i / 4];
        const int k = i % 4;
        const double sum = row[0] * b->m[0][k] + row[1] * b->m[1][k] + row[2] * b->m[2][k];
        product.m[i / 4][k] = k < 3 ? sum : sum + row[3];
    }
    return product;
}

/* By the determinant's sign, of axes brought to about one length, so that it is no product of tiny
 * numbers. */
bool sli_gltf_mirrors(const sl_transform *m)
{
    double axis[3][3];
    for (int i = 0; i < 3; i++) {
        const double c[3] = { m->m[0][i], m->m[1][i], m->m[2][i] };
        const double most = fmax(fabs(c[0]), fmax(fabs(c[1]), fabs(c[2])));
        for (int j = 0; j < 3; j++) {
            axis[i][j] = most > 0.0 && isfinite(most) ? c[j] / most : 0.0;
        }
    }
    const double *a = axis[0], *b = axis[1], *c = axis[2];
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]) <
           0.0;
}

sl_transform sli_gltf_from_columns(const double m[16])
{
    sl_transform made;
    for (int i = 0; i < 12; i++) {
        made.m[i % 3][i / 3] = m[i / 3 * 4 + i % 3];
    }
    return made;
}

sl_transform sli_gltf_node_transform(const sli_gltf *gltf, uint32_t node)
{
    return gltf->nodes[node].skin == SL_NONE ? gltf->nodes[node].world : sl_transform_identity();
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* matrix, or translation, rotation and scale. */
static sl_result read_local(sli_gltf *gltf, const sli_gltf_item *item, sl_transform *out)
{
    double m[16], t[3] = { 0, 0, 0 }, r[4] = { 0, 0, 0, 1 }, s[3] = { 1, 1, 1 };
    bool there;
    SLI_TRY(sli_gltf_numbers(gltf, item, "matrix", 16, m, &there));
    if (there) {
        *out = sli_gltf_from_columns(m);
        const bool affine = m[3] == 0.0 && m[7] == 0.0 && m[11] == 0.0 && m[15] == 1.0;
        return affine ? SL_OK
                      : sli_gltf_bad(gltf, item, "the last row of 'matrix' is not 0, 0, 0, 1");
    }
    SLI_TRY(sli_gltf_numbers(gltf, item, "translation", 3, t, &there));
    SLI_TRY(sli_gltf_numbers(gltf, item, "rotation", 4, r, &there));
    SLI_TRY(sli_gltf_numbers(gltf, item, "scale", 3, s, &there));
    *out = sli_gltf_from_trs(t, r, s);
    return SL_OK;
}

/* KHR_node_visibility hides a node and all below. */
static sl_result read_hidden(sli_gltf *gltf, const sli_gltf_item *item, bool *hidden)
{
    sli_gltf_item extension;
    bool visible;
    SLI_TRY(sli_gltf_extension(gltf, item, "KHR_node_visibility", &extension));
    SLI_TRY(sli_gltf_bool(gltf, &extension, "visible", &visible));
    *hidden =
        !gltf->input->hidden_nodes && json_is_false(json_object_get(extension.object, "visible"));
    return SL_OK;
}

/* Links children to their parent, in order. */
static sl_result node_adopt(sli_gltf *gltf, const sli_gltf_item *item)
{
    const json_t *children;
    const sl_result result = sli_gltf_list(gltf, item, "children", &children);
    uint32_t *link = &gltf->nodes[item->index].first_child;
    for (size_t i = 0; result == SL_OK && i < json_array_size(children); i++) {
        uint32_t child;
        SLI_TRY(sli_gltf_as_reference(gltf, item, "children", json_array_get(children, i),
                                      SLI_GLTF_NODES, &child));
        sli_gltf_node *node = &gltf->nodes[child];
        if (node->parent != SL_NONE) {
            return sli_gltf_bad(gltf, item,
                                "its child nodes[%lu] is one of nodes[%lu] already; glTF nodes "
                                "have one parent",
                                (unsigned long)child, (unsigned long)node->parent);
        }
        node->parent = item->index;
        *link = child;
        link = &node->next_sibling;
    }
    return result;
}

uint32_t sli_gltf_next_node(const sli_gltf *gltf, uint32_t node)
{
    const sli_gltf_node *nodes = gltf->nodes;
    if (nodes[node].first_child != SL_NONE) {
        return nodes[node].first_child;
    }
    while (node != SL_NONE && nodes[node].next_sibling == SL_NONE) {
        node = nodes[node].parent;
    }
    return node != SL_NONE ? nodes[node].next_sibling : SL_NONE;
}

/* Reaches a node, after its parent: what holds for that holds for it. */
static void node_reach(sli_gltf_node *nodes, uint32_t number)
{
    sli_gltf_node *node = &nodes[number];
    node->rooted = true;
    if (node->parent != SL_NONE) {
        node->world = sli_gltf_multiply(&nodes[node->parent].world, &node->world);
        node->hidden = node->hidden || nodes[node->parent].hidden;
    }
}

/* With one parent each, nodes that are reached from no root are in cycles or below such; as many
 * steps up as there are nodes end in one. */
static sl_result reach_all(sli_gltf *gltf)
{
    const size_t count = gltf->counts[SLI_GLTF_NODES];
    for (size_t i = 0; i < count; i++) {
        uint32_t at = gltf->nodes[i].parent == SL_NONE ? (uint32_t)i : SL_NONE;
        for (; at != SL_NONE; at = sli_gltf_next_node(gltf, at)) {
            node_reach(gltf->nodes, at);
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)i;
        if (gltf->nodes[i].rooted) {
            continue;
        }
        for (size_t steps = 0; steps < count; steps++) {
            at = gltf->nodes[at].parent;
        }
        sli_gltf_item item;
        SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_NODES, at, &item));
        return sli_gltf_bad(gltf, &item, "it is its own ancestor");
    }
    return SL_OK;
}

sl_result sli_gltf_prove_nodes(sli_gltf *gltf)
{
    const size_t count = gltf->counts[SLI_GLTF_NODES];
    SLI_TRY(sli_gltf_array(gltf, &gltf->nodes, count, sizeof *gltf->nodes));
    for (size_t i = 0; i < count; i++) {
        sli_gltf_node *node = &gltf->nodes[i];
        node->parent = node->first_child = node->next_sibling = SL_NONE;
        node->mesh = node->skin = node->listed = SL_NONE;
    }
    for (size_t i = 0; i < count; i++) {
        sli_gltf_node *node = &gltf->nodes[i];
        sli_gltf_item item;
        SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_NODES, (uint32_t)i, &item));
        SLI_TRY(node_adopt(gltf, &item));
        SLI_TRY(sli_gltf_reference(gltf, &item, "mesh", false, SLI_GLTF_MESHES, &node->mesh));
        SLI_TRY(sli_gltf_reference(gltf, &item, "skin", false, SLI_GLTF_SKINS, &node->skin));
        SLI_TRY(sli_gltf_list(gltf, &item, "weights", &node->weights));
        SLI_TRY(read_hidden(gltf, &item, &node->hidden));
        SLI_TRY(read_local(gltf, &item, &node->world));
    }
    return reach_all(gltf);
}
