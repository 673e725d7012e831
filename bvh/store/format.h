/* format.h: a tree file, byte by byte; docs/file-format.md describes it for other readers.
 *
 *   offset size field
 *        0    8 magic       89 'S' 'L' 'T' '\r' '\n' 1A '\n': a transfer as text changes it
 *        8    4 version     1, or 2 for a tree of the compact layout
 *       12    4 byte_order  0x01020304 in the writer's order
 *       16    8 file_size   of the whole file
 *       24    8 checksum    XXH3 (64 bits, seed 0) of all bytes behind this field
 *       32    8 mesh_hash   sl_bvh_mesh_hash
 *       40    4 section_count   2, or 4 in version 2
 *       44    4 root        a reference (node_wide.h)
 *       48    4 prim_count  triangles of the mesh, those left out included
 *       52    4 triangle_count   in the tree
 *       56    4 reach       the largest |coordinate|
 *       60    4 quality     sl_bvh_quality
 *       64   24 bounds      min, max
 *       88    8 sah_cost
 *       96    8 node_count
 *      104    8 leaf_count
 *      112    8 child_count
 *      120    8 reference_count
 *      128   40 leaf_histogram
 *      168    4 depth
 *      172   20 zeros
 *      192   32 section: lines
 *      224   32 section: slots
 *      256   32 section: vertices, floats    \ in version 2
 *      288   32 section: masks               /
 *      then     what the sections hold, one after the other; the lines at a multiple of 64
 *
 * A section: its kind, bytes of one item, offset of the first, number of items, zeros to 32 bytes.
 * Numbers are in the byte order of the machine that wrote them. */
#pragma once

#include <sightline/bvh.h>

#include <assert.h>

enum { SLI_STORE_VERSION = 1, SLI_STORE_COMPACT_VERSION = 2 };

enum { SLI_STORE_BYTE_ORDER = 0x01020304, SLI_STORE_ALIGN = 64 };

/* Kinds of sections; a section's kind is one more than its place in the table. */
enum {
    SLI_STORE_LINES = 1,
    SLI_STORE_SLOTS = 2,
    SLI_STORE_SECTIONS = 2,
    SLI_STORE_VERTICES = 3,
    SLI_STORE_MASKS = 4, /* one for each triangle of the mesh, or none */
    SLI_STORE_COMPACT_SECTIONS = 4
};

typedef struct sli_store_section {
    uint32_t kind, item_size;
    uint64_t offset, count;
    uint8_t zeros[8];
} sli_store_section;

typedef struct sli_store_header {
    uint8_t magic[8];
    uint32_t version, byte_order;
    uint64_t file_size, checksum, mesh_hash;
    uint32_t section_count, root, prim_count, triangle_count;
    float reach;
    uint32_t quality;
    sl_aabb bounds;
    double sah_cost;
    uint64_t node_count, leaf_count, child_count, reference_count, leaf_histogram[5];
    uint32_t depth;
    uint8_t zeros[20];
    sli_store_section section[SLI_STORE_COMPACT_SECTIONS];
} sli_store_header;

static_assert(sizeof(sli_store_header) == 320, "as the table says");
static_assert(offsetof(sli_store_header, bounds) == 64, "as the table says");
static_assert(offsetof(sli_store_header, depth) == 168, "as the table says");
static_assert(offsetof(sli_store_header, section) == 192, "as the table says");

/* Where the bytes of the checksum begin, and the bytes of the smallest head. */
enum { SLI_STORE_SUMMED = 32, SLI_STORE_HEAD_MIN = 256 };

/* Where the head ends and the lines begin. */
static inline size_t sli_store_head_size(uint32_t section_count)
{
    return offsetof(sli_store_header, section) + section_count * sizeof(sli_store_section);
}

static const uint8_t sli_store_magic[8] = { 0x89, 'S', 'L', 'T', '\r', '\n', 0x1A, '\n' };
