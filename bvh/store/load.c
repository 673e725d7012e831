/* sl_bvh_load, _load_memory and _map: opens tree files.  Each number of the head is tested before
 * it is used; prove.c proves what the sections hold. */
#include "bvh/store/format.h"
#include "bvh/store/prove.h"
#include "bvh/tree/fill_child_masks.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/memory.h"

#include <sightline/store.h>

#include <string.h>

/* The bytes of a tree file. */
typedef struct source {
    const char *path; /* NULL: memory */
    const uint8_t *bytes;
    size_t size;
    sl_error *error;
} source;

#define REFUSE(from, code, at, ...)                                                                \
    sli_fail((from)->error, code, (from)->path, SLI_NO_LINE, (int64_t)(at), __VA_ARGS__)

bool sl_bvh_is_file(const void *bytes, size_t size)
{
    return size >= sizeof sli_store_magic &&
           memcmp(bytes, sli_store_magic, sizeof sli_store_magic) == 0;
}

/* The sections of a version; 0: an unknown version. */
static uint32_t sections_of_version(uint32_t version)
{
    return version == SLI_STORE_VERSION           ? SLI_STORE_SECTIONS
           : version == SLI_STORE_COMPACT_VERSION ? SLI_STORE_COMPACT_SECTIONS
                                                  : 0;
}

static sl_result refuse_head(const source *from, size_t size)
{
    return REFUSE(from, SL_BAD_DATA, from->size,
                  "the file ends within its head of %zu bytes; it was cut", size);
}

static sl_result read_header(const source *from, sli_store_header *header)
{
    if (!sl_bvh_is_file(from->bytes, from->size)) {
        return REFUSE(from, SL_BAD_DATA, 0, "no tree file: it begins with other bytes");
    }
    if (from->size < SLI_STORE_HEAD_MIN) {
        return refuse_head(from, SLI_STORE_HEAD_MIN);
    }
    memset(header, 0, sizeof *header);
    memcpy(header, from->bytes, SLI_STORE_HEAD_MIN);
    if (header->byte_order == 0x04030201) {
        return REFUSE(from, SL_UNSUPPORTED, 12,
                      "written on a machine with the other byte order; build the tree anew");
    }
    if (header->byte_order != SLI_STORE_BYTE_ORDER) {
        return REFUSE(from, SL_BAD_DATA, 12, "the mark of the byte order is neither order");
    }
    const uint32_t sections = sections_of_version(header->version);
    if (sections == 0) {
        return REFUSE(from, SL_UNSUPPORTED, 8,
                      "version %lu of the format; this library reads versions %d and %d",
                      (unsigned long)header->version, SLI_STORE_VERSION, SLI_STORE_COMPACT_VERSION);
    }
    if (from->size < sli_store_head_size(sections)) {
        return refuse_head(from, sli_store_head_size(sections));
    }
    memcpy(header, from->bytes, sli_store_head_size(sections));
    return header->file_size == from->size
               ? SL_OK
               : REFUSE(from, SL_BAD_DATA, 16, "%zu bytes, where the head says %llu; %s",
                        from->size, (unsigned long long)header->file_size,
                        from->size < header->file_size ? "it was cut" : "something follows it");
}

/* Sections follow the head and one another, to the end of the file. */
static bool are_in_line(const sli_store_header *header)
{
    static const uint8_t zeros[sizeof header->zeros] = { 0 };
    uint64_t end = sli_store_head_size(header->section_count);
    for (uint32_t i = 0; i < header->section_count; i++) {
        const sli_store_section *at = &header->section[i];
        const uint32_t item_size = i + 1 == SLI_STORE_LINES ? SLI_LINE : sizeof(uint32_t);
        if (at->kind != i + 1 || at->item_size != item_size || at->offset != end ||
            at->count > (header->file_size - end) / item_size ||
            memcmp(at->zeros, zeros, sizeof at->zeros) != 0) {
            return false;
        }
        end += at->count * item_size;
    }
    return end == header->file_size && memcmp(header->zeros, zeros, sizeof zeros) == 0;
}

static bool are_sections(const sli_store_header *header)
{
    const sli_store_section *at = header->section;
    const uint64_t lines = at[0].count, vertex_floats = at[2].count, masks = at[3].count;
    return header->section_count == sections_of_version(header->version) && are_in_line(header) &&
           lines >= SLI_HEADER_LINES && lines <= SLI_MAX_LINES &&
           at[1].count == header->prim_count &&
           (header->version == SLI_STORE_VERSION || sli_are_vertices(vertex_floats)) &&
           (masks == 0 || masks == header->prim_count);
}

/* Limits that even a trusted file must keep to, since stacks and tables are sized by them. */
static sl_result check_header(const source *from, const sli_store_header *header)
{
    if (!are_sections(header)) {
        return REFUSE(from, SL_BAD_DATA, 192, "the table of sections is not that of a tree");
    }
    const bool empty = header->root == SLI_REF_EMPTY;
    if (header->depth > SLI_MAX_DEPTH || (header->depth == 0) != empty ||
        (!empty && header->root != SLI_HEADER_LINES) || header->quality > SL_BVH_QUALITY_HIGH) {
        return REFUSE(from, SL_BAD_DATA, 44, "the root, depth or quality in the head is not one");
    }
    return SL_OK;
}

static sl_result check_sum(const source *from, const sli_store_header *header)
{
    const uint64_t sum = sli_hash(from->bytes + SLI_STORE_SUMMED, from->size - SLI_STORE_SUMMED);
    return sum == header->checksum
               ? SL_OK
               : REFUSE(from, SL_BAD_DATA, 24, "the checksum is wrong: bytes of it were changed");
}

static void take_header(const sli_store_header *header, sl_bvh *tree)
{
    sl_bvh_info *info = &tree->info;
    tree->root = header->root;
    tree->triangle_count = header->triangle_count;
    tree->reach = header->reach;
    tree->bounds = header->bounds;
    info->triangle_count = header->triangle_count;
    info->reference_count = (size_t)header->reference_count;
    info->node_count = (size_t)header->node_count;
    info->leaf_count = (size_t)header->leaf_count;
    info->child_count = (size_t)header->child_count;
    for (size_t k = 0; k < sizeof info->leaf_histogram / sizeof info->leaf_histogram[0]; k++) {
        info->leaf_histogram[k] = (size_t)header->leaf_histogram[k];
    }
    info->depth = header->depth;
    info->sah_cost = header->sah_cost;
    info->quality = (sl_bvh_quality)header->quality;
    sli_tree_measure_container(tree);
}

/* The items of a section; NULL where it is empty or does not exist. */
static const void *section_at(const source *from, const sli_store_section *section)
{
    return section->count > 0 ? from->bytes + section->offset : NULL;
}

/* A tree over the bytes, or a copy of them. */
static sl_bvh *make_tree(const source *from, const sli_store_header *header,
                         const sl_allocator *allocator, bool copy)
{
    const sli_store_section *at = header->section;
    const sli_tree_parts parts = { .lines = section_at(from, &at[0]),
                                   .slots = section_at(from, &at[1]),
                                   .vertices = section_at(from, &at[2]),
                                   .masks = section_at(from, &at[3]),
                                   .line_count = (size_t)at[0].count,
                                   .prim_count = header->prim_count,
                                   .vertex_floats = (size_t)at[2].count };
    return copy ? sli_tree_copy(allocator, &parts) : sli_tree_borrow(allocator, &parts);
}

/* Proves the tree, and fills the masks below its nodes.  Without a proof it is not read beyond its
 * head, and only a compact tree says there whether it has masks. */
static sl_result load_prove(const source *from, const sli_store_header *header, bool trusted,
                            sl_bvh *tree)
{
    bool masked = false;
    if (trusted) {
        if (header->version == SLI_STORE_VERSION || tree->masks != NULL) {
            sli_child_masks_forget(tree);
        }
        return SL_OK;
    }
    const sl_result result =
        sli_store_prove(tree, from->path, header->section[0].offset, &masked, from->error);
    if (result == SL_OK && masked) {
        SLI_TRY(sli_had_memory(from->error, sli_child_masks_reserve(tree)));
        sli_child_masks_fill(tree);
        sli_tree_measure_container(tree);
    }
    return result;
}

/* Loads; the arguments are already checked. */
static sl_result open_bytes(const source *from, const sl_bvh_load_def *def,
                            const sl_allocator *allocator, bool copy, sl_bvh **out)
{
    sli_store_header header;
    const bool trusted = (def->flags & SL_LOAD_TRUSTED) != 0;
    sl_result result = read_header(from, &header);
    result = result == SL_OK ? check_header(from, &header) : result;
    if (result == SL_OK && !trusted) {
        result = check_sum(from, &header);
    }
    if (result != SL_OK) {
        return result;
    }
    sl_bvh *tree = make_tree(from, &header, allocator, copy);
    SLI_TRY(sli_had_memory(from->error, tree != NULL));
    if (!sli_own_world_reserve(tree)) {
        sl_bvh_destroy(tree);
        return sli_fail_memory(from->error);
    }
    take_header(&header, tree);
    result = load_prove(from, &header, trusted, tree);
    if (result != SL_OK) {
        sl_bvh_destroy(tree);
        return result;
    }
    sli_own_world_fill(tree);
    *out = tree;
    return SL_OK;
}

/* The caller's options; of the flags only those of the call. */
static sl_result read_def(const sl_bvh_load_def *options, uint32_t flags, sl_bvh_load_def *def,
                          sl_error *error)
{
    *def = options != NULL ? *options : (sl_bvh_load_def){ 0 };
    if ((def->flags & ~flags) != 0) {
        return sli_refuse(error, "flags %#lx are unknown here",
                          (unsigned long)(def->flags & ~flags));
    }
    return sli_check_allocator(&def->hooks.allocator, error);
}

sl_result sl_bvh_load_memory(const void *bytes, size_t size, const sl_bvh_load_def *options,
                             sl_bvh **out, sl_error *error)
{
    sl_bvh_load_def def;
    const source from = { .bytes = bytes, .size = size, .error = error };
    *out = NULL;
    SLI_TRY(read_def(options, SL_LOAD_TRUSTED | SL_LOAD_IN_PLACE, &def, error));
    const bool copy = (def.flags & SL_LOAD_IN_PLACE) == 0;
    if (!copy && (uintptr_t)bytes % SLI_STORE_ALIGN != 0) {
        return sli_refuse(error, "bytes that are used in place must be aligned to %d",
                          SLI_STORE_ALIGN);
    }
    const sl_allocator allocator = sli_allocator(&def.hooks.allocator);
    return open_bytes(&from, &def, &allocator, copy, out);
}

static sl_result open_file(const char *path, const sl_bvh_load_def *options, bool map, sl_bvh **out,
                           sl_error *error)
{
    sl_bvh_load_def def;
    sli_file file;
    *out = NULL;
    SLI_TRY(read_def(options, SL_LOAD_TRUSTED, &def, error));
    const sl_allocator allocator = sli_allocator(&def.hooks.allocator);
    SLI_TRY(sli_file_map(path, &allocator, &file, error));
    const source from = { .path = path, .bytes = file.bytes, .size = file.size, .error = error };
    const bool copy = !map || (uintptr_t)file.bytes % SLI_STORE_ALIGN != 0;
    sl_result result = open_bytes(&from, &def, &allocator, copy, out);
    if (result == SL_OK && !copy) {
        (*out)->file = file;
    } else {
        sli_file_close(&file);
    }
    return result;
}

sl_result sl_bvh_load(const char *path, const sl_bvh_load_def *def, sl_bvh **out, sl_error *error)
{
    return open_file(path, def, false, out, error);
}

sl_result sl_bvh_map(const char *path, const sl_bvh_load_def *def, sl_bvh **out, sl_error *error)
{
    return open_file(path, def, true, out, error);
}
