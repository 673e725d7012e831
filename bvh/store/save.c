/* sl_bvh_save and _save_memory: writes a tree as format.h lays it out. */
#include "bvh/store/format.h"
#include "bvh/tree/tree.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"

#include <sightline/store.h>

#include <string.h>

/* The sections and their items, in the order of their table. */
typedef struct sections {
    sli_store_section section[SLI_STORE_COMPACT_SECTIONS];
    sli_piece piece[SLI_STORE_COMPACT_SECTIONS];
    uint32_t count;
    uint64_t end; /* of the file */
} sections;

static void save_add(sections *all, const void *items, size_t item_size, size_t count)
{
    all->section[all->count] = (sli_store_section){
        .kind = all->count + 1, .item_size = (uint32_t)item_size, .offset = all->end, .count = count
    };
    all->piece[all->count++] = (sli_piece){ items, count * item_size };
    all->end += count * item_size;
}

static sections sections_of(const sl_bvh *bvh)
{
    const bool compact = sli_tree_layout(bvh) == SL_BVH_LAYOUT_COMPACT;
    const uint32_t count = compact ? SLI_STORE_COMPACT_SECTIONS : SLI_STORE_SECTIONS;
    sections all = { .end = sli_store_head_size(count) };
    save_add(&all, bvh->lines, SLI_LINE, bvh->line_count);
    save_add(&all, bvh->slots, sizeof *bvh->slots, bvh->prim_count);
    if (compact) {
        save_add(&all, bvh->vertices, sizeof *bvh->vertices, bvh->vertex_floats);
        save_add(&all, bvh->masks, sizeof *bvh->masks, bvh->masks != NULL ? bvh->prim_count : 0);
    }
    return all;
}

/* The cost as measured, whatever was refitted before. */
static void fill_figures(const sl_bvh *bvh, sli_store_header *header)
{
    sl_bvh measured = *bvh;
    if (bvh->cost_error > 0) {
        sli_tree_measure(&measured);
    }
    const sl_bvh_info *info = &measured.info;
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

static uint64_t save_checksum(const sections *all, const sli_store_header *header)
{
    sli_hasher hasher;
    sli_hash_begin(&hasher);
    sli_hash_add(&hasher, (const uint8_t *)header + SLI_STORE_SUMMED,
                 sli_store_head_size(all->count) - SLI_STORE_SUMMED);
    for (uint32_t i = 0; i < all->count; i++) {
        sli_hash_add(&hasher, all->piece[i].bytes, all->piece[i].size);
    }
    return sli_hash_end(&hasher);
}

static void fill_header(const sl_bvh *bvh, const sections *all, sli_store_header *header)
{
    memset(header, 0, sizeof *header);
    memcpy(header->magic, sli_store_magic, sizeof sli_store_magic);
    header->version =
        all->count == SLI_STORE_SECTIONS ? SLI_STORE_VERSION : SLI_STORE_COMPACT_VERSION;
    header->byte_order = SLI_STORE_BYTE_ORDER;
    header->file_size = all->end;
    header->mesh_hash = sl_bvh_mesh_hash(bvh);
    header->section_count = all->count;
    header->root = bvh->root;
    header->prim_count = bvh->prim_count;
    header->triangle_count = bvh->triangle_count;
    header->reach = bvh->reach;
    header->bounds = bvh->bounds;
    fill_figures(bvh, header);
    memcpy(header->section, all->section, all->count * sizeof all->section[0]);
    header->checksum = save_checksum(all, header);
}

size_t sl_bvh_save_memory(const sl_bvh *bvh, void *bytes)
{
    sli_store_header header;
    uint8_t *to = bytes;
    if (bvh->instances != NULL) {
        return 0;
    }
    const sections all = sections_of(bvh);
    if (bytes == NULL) {
        return (size_t)all.end;
    }
    fill_header(bvh, &all, &header);
    memcpy(to, &header, sli_store_head_size(all.count));
    for (uint32_t i = 0; i < all.count; i++) {
        if (all.piece[i].size > 0) {
            memcpy(to + all.section[i].offset, all.piece[i].bytes, all.piece[i].size);
        }
    }
    return (size_t)all.end;
}

sl_result sl_bvh_save(const sl_bvh *bvh, const char *path, sl_error *error)
{
    const sections all = sections_of(bvh);
    sli_store_header header;
    sli_piece pieces[1 + SLI_STORE_COMPACT_SECTIONS];
    if (bvh->instances != NULL) {
        return sli_fail_plain(error, SL_UNSUPPORTED,
                              "a scene is not saved; save the trees of its instances, and build it "
                              "anew over them");
    }
    fill_header(bvh, &all, &header);
    pieces[0] = (sli_piece){ &header, sli_store_head_size(all.count) };
    memcpy(pieces + 1, all.piece, all.count * sizeof all.piece[0]);
    return sli_file_write_pieces(path, pieces, 1 + all.count, error);
}
