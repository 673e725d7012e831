/* fuzz_tree.c: any bytes as a tree file, as they are and with a size and a checksum that fit:
 * refused with a message, or a tree that can be asked. */
#include "bvh/store/format.h"
#include "lib/base/hash.h"
#include "test/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

enum { RAYS = 16 };

static void ask(const sl_bvh *bvh)
{
    sl_ray rays[RAYS];
    sl_hit hits[RAYS];
    uint8_t any[RAYS];
    uint64_t counts[RAYS];
    float points[3 * RAYS];
    sl_nearest near[RAYS];
    sl_inside inside[RAYS];
    const sl_options crossings = { .flags = SL_CROSSINGS };
    for (int i = 0; i < RAYS; i++) {
        const float origin[3] = { (float)(i - 8), (float)(i % 5) - 2, (float)(i % 3) - 1 };
        const float dir[3] = { -origin[0], 0.1f - origin[1], (float)(i % 4) * 0.3f - origin[2] };
        rays[i] = sl_ray_make(origin, dir);
        memcpy(points + 3 * i, origin, sizeof origin);
    }
    sl_bvh_closest_many(bvh, sl_rays_of(rays, RAYS), NULL, sl_hits_of(hits), NULL, NULL);
    sl_bvh_any_many(bvh, sl_rays_of(rays, RAYS), NULL, any, NULL, NULL, NULL);
    sl_bvh_all_many(bvh, sl_rays_of(rays, RAYS), &crossings, sl_hits_of(NULL), 0, counts, NULL,
                    NULL);
    sl_bvh_nearest_many(bvh, sl_points_of(points, RAYS, SL_FLOAT), INFINITY, NULL,
                        sl_nearests_of(near, SL_FLOAT), NULL, NULL);
    sl_bvh_winding(bvh, NULL, points, RAYS, NULL, inside, NULL, NULL);
    (void)sl_bvh_closest(bvh, &rays[0], NULL, hits);
    (void)sl_bvh_check(bvh, NULL, NULL);
}

static void open_bytes(const uint8_t *bytes, size_t size)
{
    sl_bvh *bvh;
    sl_error error = { .message = "" };
    if (sl_bvh_load_memory(bytes, size, NULL, &bvh, &error) == SL_OK) {
        ask(bvh);
        sl_bvh_destroy(bvh);
    } else if (bvh != NULL || error.message[0] == '\0') {
        fuzz_fail("refused without words");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    open_bytes(data, size);
    if (size < SLI_STORE_HEAD_MIN) {
        return 0;
    }
    FREED uint8_t *mended = malloc(size);
    sli_store_header header;
    memcpy(mended, data, size);
    memcpy(&header, data, SLI_STORE_HEAD_MIN);
    memcpy(header.magic, sli_store_magic, sizeof header.magic);
    header.version =
        header.section_count == SLI_STORE_SECTIONS ? SLI_STORE_VERSION : SLI_STORE_COMPACT_VERSION;
    header.byte_order = SLI_STORE_BYTE_ORDER;
    header.file_size = size;
    memcpy(mended, &header, SLI_STORE_HEAD_MIN);
    header.checksum = sli_hash(mended + SLI_STORE_SUMMED, size - SLI_STORE_SUMMED);
    memcpy(mended, &header, SLI_STORE_HEAD_MIN);
    open_bytes(mended, size);
    return 0;
}
