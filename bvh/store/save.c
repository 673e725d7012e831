#include "bvh/store/format.h"
#include "bvh/tree/tree.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/hash.h"

#include <sightline/store.h>

#include <string.h>

static size_t lines_size(const sl_bvh *bvh)
{
    return bvh->line_count * SLI_LINE;
}

static size_t places_size(const sl_bvh *bvh)
{
    return (size_t)bvh->prim_count * sizeof *bvh->places;
}

/* The format knows of no vertices beside the lines. */
static bool can_save(const sl_bvh *bvh)
{
    return sli_tree_layout(bvh) == SL_LAYOUT_DEFAULT;
}

size_t sl_bvh_save_size(const sl_bvh *bvh)
{
    return can_save(bvh) ? sizeof(sli_store_header) + lines_size(bvh) + places_size(bvh) : 0;
}

static void fill_figures(const sl_bvh_info *info, sli_store_header *header)
{
    header->sah_cost = info->sah_cost;
    header->node_count = info->node_count;
    header->leaf_count = info->leaf_count;
    header->child_count = info->child_count;
    header->reference_count = info->reference_count;
    for (size_t k = 0; k < sizeof info->leaf_histogram / sizeof info->leaf_histogram[0]; k++) {
        header->leaf_histogram[k] = info->leaf_histogram[k];
    }
    header->depth = info->depth;
    header->quality = (uint32_t)info->quality;
}

static uint64_t checksum(const sl_bvh *bvh, const sli_store_header *header)
{
    sli_hasher hasher;
    sli_hash_begin(&hasher);
    sli_hash_add(&hasher, (const uint8_t *)header + SLI_STORE_SUMMED,
                 sizeof *header - SLI_STORE_SUMMED);
    sli_hash_add(&hasher, bvh->lines, lines_size(bvh));
    sli_hash_add(&hasher, bvh->places, places_size(bvh));
    return sli_hash_end(&hasher);
}

static void fill_header(const sl_bvh *bvh, sli_store_header *header)
{
    const uint64_t lines = sizeof *header, places = lines + lines_size(bvh);
    memset(header, 0, sizeof *header);
    memcpy(header->magic, sli_store_magic, sizeof sli_store_magic);
    header->version = SLI_STORE_VERSION;
    header->byte_order = SLI_STORE_BYTE_ORDER;
    header->file_size = sl_bvh_save_size(bvh);
    header->mesh_hash = sl_bvh_mesh_hash(bvh);
    header->section_count = SLI_STORE_SECTIONS;
    header->root = bvh->root;
    header->prim_count = bvh->prim_count;
    header->triangle_count = bvh->triangle_count;
    header->reach = bvh->reach;
    header->bounds = bvh->bounds;
    fill_figures(&bvh->info, header);
    header->section[0] = (sli_store_section){
        .kind = SLI_STORE_LINES, .item_size = SLI_LINE, .offset = lines, .count = bvh->line_count
    };
    header->section[1] = (sli_store_section){ .kind = SLI_STORE_PLACES,
                                              .item_size = sizeof *bvh->places,
                                              .offset = places,
                                              .count = bvh->prim_count };
    header->checksum = checksum(bvh, header);
}

void sl_bvh_save_memory(const sl_bvh *bvh, void *bytes)
{
    sli_store_header header;
    uint8_t *to = bytes;
    if (!can_save(bvh)) {
        return;
    }
    fill_header(bvh, &header);
    memcpy(to, &header, sizeof header);
    memcpy(to + sizeof header, bvh->lines, lines_size(bvh));
    if (bvh->prim_count > 0) {
        memcpy(to + sizeof header + lines_size(bvh), bvh->places, places_size(bvh));
    }
}

sl_result sl_bvh_save(const sl_bvh *bvh, const char *path, sl_error *error)
{
    sli_store_header header;
    if (!can_save(bvh)) {
        return sli_fail(error, SL_UNSUPPORTED, path, SLI_NO_LINE, SLI_NO_BYTE,
                        "tree files hold no compact trees; build one of the default layout");
    }
    fill_header(bvh, &header);
    const sli_piece pieces[] = { { &header, sizeof header },
                                 { bvh->lines, lines_size(bvh) },
                                 { bvh->places, places_size(bvh) } };
    return sli_file_write_pieces(path, pieces, sizeof pieces / sizeof pieces[0], error);
}
