/* attributes.c: memory for tables of texture coordinates, normals and colours. */
#include "lib/mesh/attributes.h"

#include "lib/base/memory.h"

const char *sli_attribute_name(size_t slot)
{
    static const char *const names[SLI_KINDS] = { "normal", "texture coordinate", "colour" };
    return names[slot];
}

void sli_attribute_free(const sli_attribute *of, const sl_allocator *allocator)
{
    sli_free_array(allocator, of->values, of->values_capacity, sizeof *of->values);
    sli_free_array(allocator, of->indices, of->indices_capacity, sizeof *of->indices);
}

void sli_attributes_free(const sli_attributes *attributes, const sl_allocator *allocator)
{
    for (size_t slot = 0; slot < SLI_KINDS; slot++) {
        sli_attribute_free(&attributes->of[slot], allocator);
    }
}

bool sli_attribute_alloc(sli_attributes *attributes, size_t slot, size_t count, size_t triangles,
                         const sl_allocator *allocator)
{
    const size_t components = sli_components(slot);
    sli_attribute of = { .count = count };
    if (count > SIZE_MAX / components || triangles > SIZE_MAX / 3) {
        return false;
    }
    of.values_capacity = count * components;
    of.values = sli_alloc_array(allocator, of.values_capacity, sizeof *of.values);
    if (triangles > 0 && of.values != NULL) {
        of.indices_capacity = 3 * triangles;
        of.indices = sli_alloc_array(allocator, of.indices_capacity, sizeof *of.indices);
    }
    if (of.values == NULL || (triangles > 0 && of.indices == NULL)) {
        sli_attribute_free(&of, allocator);
        return false;
    }
    attributes->of[slot] = of;
    return true;
}
