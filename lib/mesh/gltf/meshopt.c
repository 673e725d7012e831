/* gltf/meshopt.c: buffer views compressed with EXT_meshopt_compression, through meshoptimizer,
 * whose decoders are made for hostile bytes as long as counts and sizes are of the kinds that they
 * state. Source: Khronos, EXT_meshopt_compression (2022). */
#include "lib/mesh/gltf/gltf.h"

#include <meshoptimizer.h>
#include <string.h>

bool sli_gltf_has_meshopt(void)
{
    return true;
}

/* What the extension says. */
typedef struct packed {
    sli_gltf_bytes bytes;
    size_t count, stride;
    const char *mode, *filter;
} packed;

static sl_result read_packed(sli_gltf *gltf, const sli_gltf_item *item, packed *out)
{
    uint64_t count, stride;
    size_t length;
    SLI_TRY(sli_gltf_whole(gltf, item, "count", SLI_GLTF_NEEDED, 0xFFFFFFFE, &count));
    SLI_TRY(sli_gltf_whole(gltf, item, "byteStride", SLI_GLTF_NEEDED, 256, &stride));
    SLI_TRY(sli_gltf_text(gltf, item, "mode", &out->mode, &length));
    SLI_TRY(sli_gltf_text(gltf, item, "filter", &out->filter, &length));
    out->count = (size_t)count;
    out->stride = (size_t)stride;
    out->mode = out->mode != NULL ? out->mode : "";
    out->filter = out->filter != NULL ? out->filter : "NONE";
    return sli_gltf_range(gltf, item, &out->bytes);
}

/* Whether the decoder of the mode may be called. */
static bool meshopt_fits(const packed *what)
{
    if (strcmp(what->mode, "ATTRIBUTES") == 0) {
        return what->stride > 0 && what->stride % 4 == 0;
    }
    const bool triangles = strcmp(what->mode, "TRIANGLES") == 0;
    return (triangles || strcmp(what->mode, "INDICES") == 0) &&
           (what->stride == 2 || what->stride == 4) && (!triangles || what->count % 3 == 0);
}

static bool meshopt_decode(const packed *what, uint8_t *to)
{
    const uint8_t *bytes = what->bytes.at;
    const size_t size = what->bytes.size;
    return (strcmp(what->mode, "ATTRIBUTES") == 0
                ? meshopt_decodeVertexBuffer(to, what->count, what->stride, bytes, size)
            : strcmp(what->mode, "TRIANGLES") == 0
                ? meshopt_decodeIndexBuffer(to, what->count, what->stride, bytes, size)
                : meshopt_decodeIndexSequence(to, what->count, what->stride, bytes, size)) == 0;
}

/* False where the filter is none, or not one for such elements. */
static bool undo_filter(const packed *what, uint8_t *bytes)
{
    if (strcmp(what->filter, "NONE") == 0) {
        return true;
    }
    if (strcmp(what->mode, "ATTRIBUTES") != 0) {
        return false;
    }
    if (strcmp(what->filter, "EXPONENTIAL") == 0) {
        meshopt_decodeFilterExp(bytes, what->count, what->stride);
        return true;
    }
    if (strcmp(what->filter, "QUATERNION") == 0 && what->stride == 8) {
        meshopt_decodeFilterQuat(bytes, what->count, what->stride);
        return true;
    }
    if (strcmp(what->filter, "OCTAHEDRAL") == 0 && (what->stride == 4 || what->stride == 8)) {
        meshopt_decodeFilterOct(bytes, what->count, what->stride);
        return true;
    }
    return false;
}

static sl_result meshopt_unpack(sli_gltf *gltf, const sli_gltf_item *view, const packed *what,
                                sli_gltf_bytes *out)
{
    if (!meshopt_fits(what)) {
        return sli_gltf_bad(gltf, view,
                            "EXT_meshopt_compression has no mode '%.20s' for %zu elements of %zu "
                            "bytes",
                            what->mode, what->count, what->stride);
    }
    uint8_t *bytes;
    SLI_TRY(sli_gltf_array(gltf, &bytes, what->count, what->stride));
    if (!meshopt_decode(what, bytes)) {
        return sli_gltf_bad(gltf, view, "its bytes are not what EXT_meshopt_compression makes");
    }
    if (!undo_filter(what, bytes)) {
        return sli_gltf_bad(gltf, view,
                            "EXT_meshopt_compression has no filter '%.20s' for elements of %zu "
                            "bytes",
                            what->filter, what->stride);
    }
    *out = (sli_gltf_bytes){ .at = bytes, .size = what->count * what->stride, .there = true };
    return SL_OK;
}

sl_result sli_gltf_meshopt_view(sli_gltf *gltf, const sli_gltf_item *view,
                                const sli_gltf_item *extension, sli_gltf_bytes *out, size_t *stride)
{
    sli_gltf_bytes *kept = &gltf->views[view->index];
    uint64_t step;
    sl_result result = sli_gltf_whole(gltf, view, "byteStride", 0, 256, &step);
    if (result == SL_OK && gltf->optional) {
        result = kept->failed;
    }
    if (result == SL_OK && !kept->there) {
        packed what;
        result = read_packed(gltf, extension, &what);
        result = SLI_THEN(result, meshopt_unpack(gltf, view, &what, kept));
        kept->failed = result;
    }
    *out = *kept;
    *stride = result == SL_OK ? (size_t)step : 0;
    return result;
}
