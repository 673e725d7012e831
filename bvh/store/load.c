/* The head says where everything is: each number of it is looked at before it is used.  What lies in
 * the sections is prove.c's. */
#include "bvh/store/format.h"
#include "bvh/store/prove.h"
#include "bvh/tree/tree.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/hash.h"
#include "lib/base/memory.h"

#include <sightline/store.h>

#include <stddef.h>
#include <string.h>

/* Bytes to be opened. */
typedef struct source {
    const char *path; /* NULL: memory */
    const uint8_t *bytes;
    size_t size;
    sl_error *error;
} source;

#define REFUSE(from, code, at, ...)                                                                \
    sli_fail((from)->error, code, (from)->path, SLI_NO_LINE, (int64_t)(at), __VA_ARGS__)

sl_open_def sl_default_open_def(void)
{
    return (sl_open_def){ .size = sizeof(sl_open_def) };
}

bool sl_is_bvh_file(const void *bytes, size_t size)
{
    return size >= sizeof sli_store_magic &&
           memcmp(bytes, sli_store_magic, sizeof sli_store_magic) == 0;
}

static sl_result read_header(const source *from, sli_store_header *header)
{
    if (!sl_is_bvh_file(from->bytes, from->size)) {
        return REFUSE(from, SL_BAD_DATA, 0, "no tree file: it begins with other bytes");
    }
    if (from->size < sizeof *header) {
        return REFUSE(from, SL_BAD_DATA, from->size,
                      "the file ends within its head of %zu bytes; it was cut", sizeof *header);
    }
    memcpy(header, from->bytes, sizeof *header);
    if (header->byte_order == 0x04030201) {
        return REFUSE(from, SL_UNSUPPORTED, 12,
                      "written on a machine with the other byte order; build the tree anew");
    }
    if (header->byte_order != SLI_STORE_BYTE_ORDER) {
        return REFUSE(from, SL_BAD_DATA, 12, "the mark of the byte order is neither order");
    }
    if (header->version != SLI_STORE_VERSION) {
        return REFUSE(from, SL_UNSUPPORTED, 8,
                      "version %lu of the format; this library reads version %d",
                      (unsigned long)header->version, SLI_STORE_VERSION);
    }
    return header->file_size == from->size
               ? SL_OK
               : REFUSE(from, SL_BAD_DATA, 16, "%zu bytes, where the head says %llu; it was cut",
                        from->size, (unsigned long long)header->file_size);
}

/* The two sections follow the head and one another, to the end of the file. */
static bool are_sections(const sli_store_header *header)
{
    const sli_store_section *lines = &header->section[0], *places = &header->section[1];
    static const uint8_t zeros[sizeof header->zeros] = { 0 };
    return header->section_count == SLI_STORE_SECTIONS && lines->kind == SLI_STORE_LINES &&
           lines->item_size == SLI_LINE && lines->offset == sizeof *header &&
           lines->count >= SLI_HEADER_LINES && lines->count <= SLI_MAX_LINES &&
           places->kind == SLI_STORE_PLACES && places->item_size == sizeof(uint32_t) &&
           places->offset == lines->offset + lines->count * SLI_LINE &&
           places->count == header->prim_count &&
           header->file_size == places->offset + places->count * sizeof(uint32_t) &&
           memcmp(header->zeros, zeros, sizeof zeros) == 0 &&
           memcmp(lines->zeros, zeros, sizeof lines->zeros) == 0 &&
           memcmp(places->zeros, zeros, sizeof places->zeros) == 0;
}

/* What even a trusted file must have right, since stacks and tables are laid out by it. */
static sl_result check_header(const source *from, const sli_store_header *header)
{
    if (!are_sections(header)) {
        return REFUSE(from, SL_BAD_DATA, 192, "the table of sections is not that of a tree");
    }
    const bool empty = header->root == SLI_REF_EMPTY;
    if (header->depth > SLI_MAX_DEPTH || (header->depth == 0) != empty ||
        (!empty && header->root != SLI_HEADER_LINES) || header->quality > SL_QUALITY_HIGH) {
        return REFUSE(from, SL_BAD_DATA, 44, "the root, depth or quality in the head is not one");
    }
    return SL_OK;
}

static sl_result check_sum(const source *from, const sli_store_header *header)
{
    const uint64_t sum =
        sli_hash(from->bytes + SLI_STORE_SUMMED, from->size - SLI_STORE_SUMMED);
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
    info->quality = (sl_quality)header->quality;
    sli_tree_measure_container(tree);
}

/* A tree over the bytes, or a copy of them. */
static sl_bvh *make_tree(const source *from, const sli_store_header *header,
                         const sl_allocator *allocator, bool copy)
{
    const size_t lines = (size_t)header->section[0].count;
    const uint8_t *at = from->bytes + header->section[0].offset;
    const uint8_t *places = from->bytes + header->section[1].offset;
    if (!copy) {
        return sli_tree_borrow(allocator, at, lines, places, header->prim_count);
    }
    sl_bvh *tree = sli_tree_create(allocator, lines, header->prim_count);
    if (tree != NULL) {
        memcpy(tree->lines, at, lines * SLI_LINE);
        if (header->prim_count > 0) {
            memcpy(tree->places, places, (size_t)header->prim_count * sizeof *tree->places);
        }
    }
    return tree;
}

/* Opens checked arguments. */
static sl_result open_bytes(const source *from, const sl_open_def *def,
                            const sl_allocator *allocator, bool copy, sl_bvh **out)
{
    sli_store_header header;
    const bool trusted = (def->flags & SL_TRUSTED) != 0;
    sl_result result = read_header(from, &header);
    result = result == SL_OK ? check_header(from, &header) : result;
    if (result == SL_OK && !trusted) {
        result = check_sum(from, &header);
    }
    if (result != SL_OK) {
        return result;
    }
    sl_bvh *tree = make_tree(from, &header, allocator, copy);
    if (tree == NULL) {
        return sli_fail_memory(from->error);
    }
    take_header(&header, tree);
    if (!trusted && !sli_store_prove(tree, from->path, sizeof header, from->error)) {
        sl_bvh_destroy(tree);
        return SL_BAD_DATA;
    }
    *out = tree;
    return SL_OK;
}

static sl_result check_def(const sl_open_def *def, uint32_t flags, sl_error *error)
{
    if (def->size != sizeof *def) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "the options were not made by sl_default_open_def");
    }
    if ((def->flags & ~flags) != 0) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT, "flags %#lx are unknown here",
                              (unsigned long)(def->flags & ~flags));
    }
    return SL_OK;
}

sl_result sl_bvh_load_memory(const void *bytes, size_t size, const sl_open_def *options,
                             sl_bvh **out, sl_error *error)
{
    const sl_open_def def = options != NULL ? *options : sl_default_open_def();
    const source from = { .bytes = bytes, .size = size, .error = error };
    *out = NULL;
    const sl_result result = check_def(&def, SL_TRUSTED | SL_IN_PLACE, error);
    if (result != SL_OK) {
        return result;
    }
    const bool copy = (def.flags & SL_IN_PLACE) == 0;
    if (!copy && (uintptr_t)bytes % SLI_STORE_ALIGN != 0) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "bytes that are used in place must be aligned to %d",
                              SLI_STORE_ALIGN);
    }
    const sl_allocator allocator = sli_allocator(&def.allocator);
    return open_bytes(&from, &def, &allocator, copy, out);
}

static sl_result open_file(const char *path, const sl_open_def *options, bool map, sl_bvh **out,
                           sl_error *error)
{
    const sl_open_def def = options != NULL ? *options : sl_default_open_def();
    sli_file file;
    *out = NULL;
    sl_result result = check_def(&def, SL_TRUSTED, error);
    if (result != SL_OK) {
        return result;
    }
    const sl_allocator allocator = sli_allocator(&def.allocator);
    result = sli_file_map(path, &allocator, &file, error);
    if (result != SL_OK) {
        return result;
    }
    const source from = { .path = path, .bytes = file.bytes, .size = file.size, .error = error };
    const bool copy = !map || (uintptr_t)file.bytes % SLI_STORE_ALIGN != 0;
    result = open_bytes(&from, &def, &allocator, copy, out);
    if (result == SL_OK && !copy) {
        (*out)->file = file;
    } else {
        sli_file_close(&file);
    }
    return result;
}

sl_result sl_bvh_load(const char *path, const sl_open_def *def, sl_bvh **out, sl_error *error)
{
    return open_file(path, def, false, out, error);
}

sl_result sl_bvh_map(const char *path, const sl_open_def *def, sl_bvh **out, sl_error *error)
{
    return open_file(path, def, true, out, error);
}
