/* gltf/no_meshopt.c: gltf/meshopt.c where there is no meshoptimizer.  Files that can be read
 * without the extension still are. */
#include "lib/mesh/gltf/gltf.h"

bool sli_gltf_has_meshopt(void)
{
    return false;
}

sl_result sli_gltf_meshopt_view(sli_gltf *gltf, const sli_gltf_item *view,
                                const sli_gltf_item *extension, sli_gltf_bytes *out, size_t *stride)
{
    (void)extension;
    *out = (sli_gltf_bytes){ 0 };
    *stride = 0;
    return sli_gltf_fail(gltf, SL_UNSUPPORTED, view,
                         "this build has no meshoptimizer to read EXT_meshopt_compression with");
}
