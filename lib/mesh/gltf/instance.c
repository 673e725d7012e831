/* gltf/instance.c: a node may say that its mesh is there many times.
 * Source: Khronos, EXT_mesh_gpu_instancing. */
#include "lib/mesh/gltf/gltf.h"

static sl_result find_column(sli_gltf *gltf, const sli_gltf_item *attributes, const char *key,
                             int components, sli_gltf_reader *out, sli_gltf_instances *instances)
{
    uint32_t accessor;
    *out = (sli_gltf_reader){ 0 };
    SLI_TRY(sli_gltf_reference(gltf, attributes, key, false, SLI_GLTF_ACCESSORS, &accessor));
    if (accessor == SL_NONE) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_prove_accessor(gltf, accessor, &out->accessor));
    if (out->accessor->components != components) {
        return sli_gltf_bad(gltf, attributes, "'%s' is accessors[%lu], whose elements are no VEC%d",
                            key, (unsigned long)accessor, components);
    }
    if (!instances->plain && instances->count != out->accessor->count) {
        return sli_gltf_bad(gltf, attributes, "its attributes have different numbers of instances");
    }
    instances->plain = false;
    instances->count = out->accessor->count;
    return SL_OK;
}

sl_result sli_gltf_find_instances(sli_gltf *gltf, uint32_t node, sli_gltf_instances *out)
{
    sli_gltf_item item, extension, attributes;
    *out = (sli_gltf_instances){ .plain = true, .count = 1 };
    SLI_TRY(sli_gltf_element(gltf, SLI_GLTF_NODES, node, &item));
    SLI_TRY(sli_gltf_extension(gltf, &item, "EXT_mesh_gpu_instancing", &extension));
    if (extension.object == NULL) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_object(gltf, &extension, "attributes", &attributes));
    SLI_TRY(find_column(gltf, &attributes, "TRANSLATION", 3, &out->translation, out));
    SLI_TRY(find_column(gltf, &attributes, "ROTATION", 4, &out->rotation, out));
    return find_column(gltf, &attributes, "SCALE", 3, &out->scale, out);
}

sl_transform sli_gltf_next_instance(sli_gltf_instances *instances, const sl_transform *node)
{
    if (instances->plain) {
        return *node;
    }
    double t[3] = { 0, 0, 0 }, r[4] = { 0, 0, 0, 1 }, s[3] = { 1, 1, 1 };
    if (instances->translation.accessor != NULL) {
        sli_gltf_read_numbers(&instances->translation, t);
    }
    if (instances->rotation.accessor != NULL) {
        sli_gltf_read_numbers(&instances->rotation, r);
    }
    if (instances->scale.accessor != NULL) {
        sli_gltf_read_numbers(&instances->scale, s);
    }
    const sl_transform local = sli_gltf_from_trs(t, r, s);
    return sli_gltf_multiply(node, &local);
}
