/* gltf/accessor.c: an accessor is proven once: that every byte of every element is there, and that
 * a sparse one replaces elements that there are, in rising order.  After that readers check
 * nothing. */
#include "lib/mesh/format/bytes.h"
#include "lib/mesh/gltf/gltf.h"

enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT = 5125, FLOAT = 5126 };

/* In bytes; 0 for what is no type of components. */
static int size_of_type(uint64_t type)
{
    return type == BYTE || type == UNSIGNED_BYTE     ? 1
           : type == SHORT || type == UNSIGNED_SHORT ? 2
           : type == UNSIGNED_INT || type == FLOAT   ? 4
                                                     : 0;
}

static double accessor_component(const uint8_t *at, int type, bool normalized)
{
    double value = 0.0, most = 1.0;
    switch (type) {
    case BYTE:
        value = (double)(at[0] < 128 ? at[0] : at[0] - 256);
        most = 127.0;
        break;
    case UNSIGNED_BYTE:
        value = (double)at[0];
        most = 255.0;
        break;
    case SHORT:
        value = (double)(sli_little16(at) < 32768 ? sli_little16(at) : sli_little16(at) - 65536);
        most = 32767.0;
        break;
    case UNSIGNED_SHORT:
        value = (double)sli_little16(at);
        most = 65535.0;
        break;
    case UNSIGNED_INT:
        value = (double)sli_little32(at);
        most = 4294967295.0;
        break;
    default:
        return sli_float_of_bits(sli_little32(at));
    }
    value = normalized ? value / most : value;
    return normalized && value < -1.0 ? -1.0 : value;
}

static uint32_t index_at(const uint8_t *at, int size)
{
    return size == 1 ? at[0] : size == 2 ? sli_little16(at) : sli_little32(at);
}

/* ---- proof ----------------------------------------------------------------------------------- */

/* count elements of size bytes within a view, from byteOffset of item on; *stride as given or size.
 */
static sl_result find_elements(sli_gltf *gltf, const sli_gltf_item *item, uint32_t view,
                               size_t count, size_t size, const uint8_t **at, size_t *stride)
{
    uint64_t begin;
    size_t step = 0;
    sli_gltf_bytes bytes = { 0 };
    SLI_TRY(sli_gltf_whole(gltf, item, "byteOffset", 0, SIZE_MAX / 2, &begin));
    SLI_TRY(sli_gltf_view(gltf, view, &bytes, &step));
    if (step != 0 && step < size) {
        return sli_gltf_bad(gltf, item,
                            "its elements of %zu bytes do not fit the stride %zu of "
                            "bufferViews[%lu]",
                            size, step, (unsigned long)view);
    }
    *stride = step != 0 ? step : size;
    /* The last element needs no stride; count is below 2^32 and stride below 2^9. */
    const uint64_t needed =
        count == 0 ? 0 : (uint64_t)(count - 1) * (uint64_t)*stride + (uint64_t)size;
    if (begin > bytes.size || needed > bytes.size - begin) {
        return sli_gltf_bad(gltf, item,
                            "its %zu elements need %llu bytes from byte %llu on, but "
                            "bufferViews[%lu] has %zu",
                            count, (unsigned long long)needed, (unsigned long long)begin,
                            (unsigned long)view, bytes.size);
    }
    *at = bytes.at + begin;
    return SL_OK;
}

static sl_result prove_order(sli_gltf *gltf, const sli_gltf_item *item,
                             const sli_gltf_accessor *accessor)
{
    const sli_gltf_sparse *sparse = &accessor->sparse;
    uint32_t last = 0;
    for (size_t i = 0; i < sparse->count; i++) {
        const uint32_t index =
            index_at(sparse->indices + i * (size_t)sparse->index_size, sparse->index_size);
        if (index >= accessor->count || (i > 0 && index <= last)) {
            return sli_gltf_fail(gltf, SL_BAD_INDEX, item,
                                 "index %zu of its sparse elements is %lu, which is %s; mend the "
                                 "file or export it anew",
                                 i, (unsigned long)index,
                                 index >= accessor->count ? "beyond the last element"
                                                          : "not above the one before");
        }
        last = index;
    }
    return SL_OK;
}

/* The bytes of elements that have no stride, in the view that an element names. */
static sl_result find_packed(sli_gltf *gltf, const sli_gltf_item *item, size_t count, size_t size,
                             const uint8_t **at)
{
    uint32_t view;
    size_t stride = 0;
    SLI_TRY(sli_gltf_reference(gltf, item, "bufferView", true, SLI_GLTF_VIEWS, &view));
    SLI_TRY(find_elements(gltf, item, view, count, size, at, &stride));
    return stride == size ? SL_OK
                          : sli_gltf_bad(gltf, item, "bufferViews[%lu] may have no stride",
                                         (unsigned long)view);
}

static sl_result prove_indices(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_sparse *sparse)
{
    sli_gltf_item indices;
    uint64_t type = 0;
    SLI_TRY(sli_gltf_object(gltf, item, "indices", &indices));
    if (indices.object == NULL) {
        return sli_gltf_bad(gltf, item, "'indices' is missing");
    }
    SLI_TRY(sli_gltf_whole(gltf, &indices, "componentType", SLI_GLTF_NEEDED, 65535, &type));
    if (type != UNSIGNED_BYTE && type != UNSIGNED_SHORT && type != UNSIGNED_INT) {
        return sli_gltf_bad(gltf, &indices, "'componentType' is %llu instead of 5121, 5123 or 5125",
                            (unsigned long long)type);
    }
    sparse->index_size = size_of_type(type);
    return find_packed(gltf, &indices, sparse->count, (size_t)sparse->index_size, &sparse->indices);
}

static sl_result prove_sparse(sli_gltf *gltf, const sli_gltf_item *item, size_t size,
                              sli_gltf_accessor *accessor)
{
    sli_gltf_item sparse, values;
    uint64_t count = 0;
    SLI_TRY(sli_gltf_object(gltf, item, "sparse", &sparse));
    if (sparse.object == NULL) {
        return SL_OK;
    }
    SLI_TRY(sli_gltf_whole(gltf, &sparse, "count", SLI_GLTF_NEEDED, accessor->count, &count));
    accessor->sparse.count = (size_t)count;
    SLI_TRY(prove_indices(gltf, &sparse, &accessor->sparse));
    SLI_TRY(sli_gltf_object(gltf, &sparse, "values", &values));
    if (values.object == NULL) {
        return sli_gltf_bad(gltf, &sparse, "'values' is missing");
    }
    SLI_TRY(find_packed(gltf, &values, accessor->sparse.count, size, &accessor->sparse.values));
    return prove_order(gltf, &sparse, accessor);
}

/* Components of an element, 0 for those that are of no use here. */
static sl_result read_shape(sli_gltf *gltf, const sli_gltf_item *item, int *components)
{
    static const char *const shapes[] = {
        "SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"
    };
    const char *shape;
    size_t length;
    *components = 0;
    SLI_TRY(sli_gltf_text(gltf, item, "type", &shape, &length));
    if (shape == NULL) {
        return sli_gltf_bad(gltf, item, "'type' is missing");
    }
    for (int i = 0; i < 7; i++) {
        if (strcmp(shape, shapes[i]) == 0) {
            *components = i < 4 ? i + 1 : i == 6 ? 16 : 0;
            return SL_OK;
        }
    }
    return sli_gltf_bad(gltf, item, "'type' is '%.20s', which is none of glTF", shape);
}

static sl_result read_header(sli_gltf *gltf, const sli_gltf_item *item, sli_gltf_accessor *out)
{
    uint64_t type = 0, count = 0;
    SLI_TRY(sli_gltf_whole(gltf, item, "componentType", SLI_GLTF_NEEDED, 65535, &type));
    if (size_of_type(type) == 0) {
        return sli_gltf_bad(gltf, item, "'componentType' is %llu, which is none of glTF",
                            (unsigned long long)type);
    }
    SLI_TRY(sli_gltf_whole(gltf, item, "count", SLI_GLTF_NEEDED, 0xFFFFFFFE, &count));
    SLI_TRY(sli_gltf_bool(gltf, item, "normalized", &out->normalized));
    out->type = (int)type;
    out->count = (size_t)count;
    return read_shape(gltf, item, &out->components);
}

sl_result sli_gltf_prove_accessor(sli_gltf *gltf, uint32_t index, const sli_gltf_accessor **out)
{
    sli_gltf_accessor *accessor = &gltf->accessors[index];
    *out = accessor;
    if (accessor->proven || (gltf->optional && accessor->failed != SL_OK)) {
        return accessor->failed;
    }
    sli_gltf_item item;
    uint32_t view = SL_NONE;
    sl_result result = sli_gltf_element(gltf, SLI_GLTF_ACCESSORS, index, &item);
    result = SLI_THEN(result, read_header(gltf, &item, accessor));
    result = SLI_THEN(result,
                      sli_gltf_reference(gltf, &item, "bufferView", false, SLI_GLTF_VIEWS, &view));
    /* Small matrices are nothing that is read, and need no further proof. */
    const size_t size =
        (size_t)size_of_type((uint64_t)accessor->type) * (size_t)accessor->components;
    accessor->without_view = view == SL_NONE;
    if (result == SL_OK && view != SL_NONE && size > 0) {
        result = find_elements(gltf, &item, view, accessor->count, size, &accessor->at,
                               &accessor->stride);
    }
    if (result == SL_OK && size > 0) {
        result = prove_sparse(gltf, &item, size, accessor);
    }
    accessor->proven = result == SL_OK;
    accessor->failed = result;
    return result;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The bytes of the next element; NULL where it is zero. */
static const uint8_t *next_element(sli_gltf_reader *reader)
{
    const sli_gltf_accessor *accessor = reader->accessor;
    const sli_gltf_sparse *sparse = &accessor->sparse;
    const size_t element = reader->next++;
    if (reader->sparse_next < sparse->count) {
        const size_t i = reader->sparse_next;
        const size_t size =
            (size_t)size_of_type((uint64_t)accessor->type) * (size_t)accessor->components;
        if (index_at(sparse->indices + i * (size_t)sparse->index_size, sparse->index_size) ==
            element) {
            reader->sparse_next++;
            return sparse->values + i * size;
        }
    }
    return accessor->at != NULL ? accessor->at + element * accessor->stride : NULL;
}

void sli_gltf_read_numbers(sli_gltf_reader *reader, double *out)
{
    const sli_gltf_accessor *accessor = reader->accessor;
    const uint8_t *element = next_element(reader);
    const size_t size = (size_t)size_of_type((uint64_t)accessor->type);
    for (int i = 0; i < accessor->components; i++) {
        out[i] = element != NULL ? accessor_component(element + (size_t)i * size, accessor->type,
                                                      accessor->normalized)
                                 : 0.0;
    }
}

uint32_t sli_gltf_read_index(sli_gltf_reader *reader)
{
    const uint8_t *element = next_element(reader);
    return element != NULL ? index_at(element, size_of_type((uint64_t)reader->accessor->type)) : 0;
}
