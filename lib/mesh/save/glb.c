/* save/glb.c: a mesh as binary glTF: a node and a mesh for each run of parts with the same
 * name and node, in which each part is a primitive with its material's name.
 *
 * A node has the vertices that its triangles use and no others, since a reader makes vertices of
 * all that a mesh has; they are found for all nodes at once, by sorting (node, vertex).  The buffer
 * has one section for each attribute, and one for indices; accessors are ranges of these.
 * Source: Khronos Group, glTF 2.0 Specification (2021), 4.4. */
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/mesh/save/save.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { SECTIONS = 2 + SLI_KINDS, INDICES = SECTIONS - 1, HEADERS = 12 + 2 * 8 };

typedef struct glb_node {
    size_t part, part_end;   /* parts */
    size_t first, count;     /* vertices in the list */
    float min[3], max[3];    /* of these */
    uint32_t triangle_count; /* not left out */
} glb_node;

typedef struct glb {
    const sli_saving *saving;
    const sl_allocator *allocator;
    size_t part_count; /* at least 1, which is the whole mesh where it has no parts */
    glb_node *nodes;   /* with capacity for part_count */
    size_t node_count;
    uint32_t *vertices; /* of all nodes, one after the other */
    size_t vertex_count, triangle_count;
    uint32_t *local;    /* of each vertex of the mesh: its number in the node at work */
    uint32_t *material; /* of each part; SL_NONE: it has none */
    size_t material_count;
    char *json;
    size_t json_size, json_capacity;
    bool no_memory; /* for json */
} glb;

static sl_mesh_part part_of(const glb *g, size_t part)
{
    sl_mesh_part out = { "", "", "", SL_NONE, 0, 0 };
    (void)sl_mesh_get_part(g->saving->mesh, part, &out);
    return out;
}

static size_t part_first(const glb *g, size_t part)
{
    return part > 0 ? sli_part_end(g->saving->mesh, part - 1) : 0;
}

static uint32_t count_triangles(const glb *g, size_t part)
{
    const size_t end = sli_part_end(g->saving->mesh, part);
    uint32_t count = 0;
    for (size_t prim = part_first(g, part); prim < end; prim++) {
        count += !sli_mesh_leaves_out(g->saving->mesh, prim);
    }
    return count;
}

static bool of_one_node(const glb *g, size_t part)
{
    const sl_mesh_part a = part_of(g, part - 1), b = part_of(g, part);
    return a.node_index == b.node_index && strcmp(a.node, b.node) == 0 &&
           strcmp(a.name, b.name) == 0;
}

/* Those without triangles are left out. */
static void find_nodes(glb *g)
{
    for (size_t part = 0; part < g->part_count; part++) {
        glb_node *last = &g->nodes[g->node_count - (g->node_count > 0)];
        const uint32_t count = count_triangles(g, part);
        if (part == 0 || !of_one_node(g, part)) {
            last += g->node_count > 0 && last->triangle_count > 0;
            *last = (glb_node){ .part = part };
            g->node_count = (size_t)(last - g->nodes) + 1;
        }
        last->part_end = part + 1;
        last->triangle_count += count;
        g->triangle_count += count;
    }
    g->node_count -= g->nodes[g->node_count - 1].triangle_count == 0;
}

/* Counts the vertices of each node and, where items are given, lists (node, vertex) of each. */
static size_t list_vertices(const glb *g, uint32_t *items)
{
    const sl_mesh *mesh = g->saving->mesh;
    size_t count = 0;
    memset(g->local, 0xFF, mesh->info.vertex_count * sizeof *g->local);
    for (size_t n = 0; n < g->node_count; n++) {
        glb_node *node = &g->nodes[n];
        const size_t end = 3 * sli_part_end(mesh, node->part_end - 1);
        node->first = count;
        for (size_t i = 3 * part_first(g, node->part); i < end; i++) {
            const uint32_t vertex = mesh->indices[i];
            if (vertex == SL_NONE || g->local[vertex] == n) {
                continue;
            }
            g->local[vertex] = (uint32_t)n;
            if (items != NULL) {
                items[2 * count] = (uint32_t)n;
                items[2 * count + 1] = vertex;
            }
            count++;
        }
        node->count = count - node->first;
    }
    return count;
}

static bool find_vertices(glb *g)
{
    const size_t count = g->vertex_count = list_vertices(g, NULL);
    sli_table table;
    g->vertices = sli_alloc_array(g->allocator, count, sizeof *g->vertices);
    if (g->vertices == NULL || !sli_table_alloc(g->allocator, count, 2, &table)) {
        return false;
    }
    (void)list_vertices(g, table.items);
    for (size_t i = 0; i < count; i++) {
        table.order[table.count++] = (uint32_t)i;
    }
    sli_table_sort(&table, NULL);
    for (size_t i = 0; i < count; i++) {
        g->vertices[i] = table.items[2 * (size_t)table.order[i] + 1];
    }
    sli_table_free(g->allocator, &table);
    return true;
}

static void find_bounds(glb *g)
{
    for (size_t n = 0; n < g->node_count; n++) {
        glb_node *node = &g->nodes[n];
        for (size_t i = 0; i < node->count; i++) {
            const float *at = sli_saved_position(g->saving, g->vertices[node->first + i]);
            for (int axis = 0; axis < 3; axis++) {
                node->min[axis] = i > 0 ? fminf(node->min[axis], at[axis]) : at[axis];
                node->max[axis] = i > 0 ? fmaxf(node->max[axis], at[axis]) : at[axis];
            }
        }
    }
}

/* Equal names are one material: parts are found by the hash of theirs. */
static bool number_materials(glb *g)
{
    size_t slots = 4;
    while (slots < 2 * g->part_count) {
        slots *= 2;
    }
    uint32_t *first = sli_alloc_array(g->allocator, slots, sizeof *first);
    if (first == NULL) {
        return false;
    }
    memset(first, 0xFF, slots * sizeof *first);
    for (size_t part = 0; part < g->part_count; part++) {
        const char *name = part_of(g, part).material;
        size_t at = (size_t)sli_hash(name, strlen(name)) & (slots - 1);
        while (first[at] != SL_NONE && strcmp(part_of(g, first[at]).material, name) != 0) {
            at = (at + 1) & (slots - 1);
        }
        if (first[at] == SL_NONE) {
            first[at] = (uint32_t)part;
            g->material[part] = name[0] != '\0' ? (uint32_t)g->material_count++ : SL_NONE;
        }
        g->material[part] = g->material[first[at]];
    }
    sli_free_array(g->allocator, first, slots, sizeof *first);
    return true;
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void json_bytes(glb *g, const char *bytes, size_t size)
{
    g->no_memory = g->no_memory || !sli_grow_array(g->allocator, &g->json, &g->json_capacity,
                                                   g->json_size + size, 1);
    if (!g->no_memory) {
        memcpy(g->json + g->json_size, bytes, size);
        g->json_size += size;
    }
}

SLI_PRINTF(2, 3) static void json_put(glb *g, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    json_bytes(g, text, (size_t)length);
}

/* Bytes of the character of UTF-8 at text, which ends with a zero byte; 0: it is none. */
static size_t utf8_length(const uint8_t *text)
{
    const uint8_t c = text[0];
    const size_t length = c < 0x80                ? 1
                          : c >= 0xC2 && c < 0xE0 ? 2
                          : (c & 0xF0) == 0xE0    ? 3
                          : c >= 0xF0 && c < 0xF5 ? 4
                                                  : 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (c == 0xE0 && text[1] < 0xA0) || (c == 0xF0 && text[1] < 0x90);
    const bool beyond = (c == 0xED && text[1] >= 0xA0) || (c == 0xF4 && text[1] >= 0x90);
    return overlong || beyond ? 0 : length;
}

/* , "key": "name", unless that is empty. */
static void json_name(glb *g, const char *before, const char *name)
{
    if (name[0] == '\0') {
        return;
    }
    json_put(g, "%s\"name\":\"", before);
    for (const uint8_t *at = (const uint8_t *)name; *at != '\0';) {
        const size_t length = utf8_length(at);
        if (length == 0) {
            json_put(g, "\\ufffd");
        } else if (*at < ' ' || *at == '"' || *at == '\\') {
            json_put(g, "\\u%04x", *at);
        } else {
            json_bytes(g, (const char *)at, length);
        }
        at += length > 0 ? length : 1;
    }
    json_put(g, "\"");
}

static void json_vector(glb *g, const char *key, const float x[3])
{
    char text[3][SLI_NUMBER_TEXT];
    json_put(g, ",\"%s\":[%s,%s,%s]", key, sli_float_text(x[0], text[0]),
             sli_float_text(x[1], text[1]), sli_float_text(x[2], text[2]));
}

static const char *const keys[] = { "NORMAL", "TEXCOORD_0", "COLOR_0" };
static const char *const elements[] = { "", "", "VEC2", "VEC3", "VEC4" };

static bool has_section(const glb *g, size_t section)
{
    return section == 0 || section == INDICES || sli_saved_table(g->saving, section - 1) != NULL;
}

/* Bytes of an element. */
static size_t section_row(size_t section)
{
    return section == 0 || section == INDICES ? 12 : 4 * sli_components(section - 1);
}

static size_t section_size(const glb *g, size_t section)
{
    return !has_section(g, section)
               ? 0
               : section_row(section) * (section == INDICES ? g->triangle_count : g->vertex_count);
}

/* Numbers of accessors: of each node its attributes, and then the indices of its parts. */
static void json_meshes(glb *g)
{
    size_t accessor = 0;
    for (size_t n = 0; n < g->node_count; n++) {
        const glb_node *node = &g->nodes[n];
        const size_t positions = accessor++;
        size_t rows[SLI_KINDS];
        for (size_t slot = 0; slot < SLI_KINDS; slot++) {
            rows[slot] = accessor;
            accessor += has_section(g, 1 + slot);
        }
        json_put(g, "%s{", n > 0 ? "," : ",\"meshes\":[");
        json_name(g, "", part_of(g, node->part).name);
        json_put(g, "%s\"primitives\":", part_of(g, node->part).name[0] != '\0' ? "," : "");
        bool first = true;
        for (size_t part = node->part; part < node->part_end; part++) {
            if (count_triangles(g, part) == 0) {
                continue;
            }
            json_put(g, "%s{\"attributes\":{\"POSITION\":%zu", first ? "[" : ",", positions);
            for (size_t slot = 0; slot < SLI_KINDS; slot++) {
                if (has_section(g, 1 + slot)) {
                    json_put(g, ",\"%s\":%zu", keys[slot], rows[slot]);
                }
            }
            json_put(g, "},\"indices\":%zu", accessor++);
            if (g->material[part] != SL_NONE) {
                json_put(g, ",\"material\":%" PRIu32, g->material[part]);
            }
            json_put(g, "}");
            first = false;
        }
        json_put(g, "]}");
    }
}

static void json_accessors(glb *g)
{
    size_t indices = 0;
    for (size_t n = 0; n < g->node_count; n++) {
        const glb_node *node = &g->nodes[n];
        for (size_t section = 0, view = 0; section < INDICES; section++) {
            if (!has_section(g, section)) {
                continue;
            }
            json_put(g,
                     "%s{\"bufferView\":%zu,\"byteOffset\":%zu,\"componentType\":5126,"
                     "\"count\":%zu,\"type\":\"%s\"",
                     n + section > 0 ? "," : "],\"accessors\":[", view++,
                     section_row(section) * node->first, node->count,
                     elements[section_row(section) / 4]);
            if (section == 0) {
                json_vector(g, "min", node->min);
                json_vector(g, "max", node->max);
            }
            json_put(g, "}");
        }
        for (size_t part = node->part; part < node->part_end; part++) {
            const size_t count = 3 * (size_t)count_triangles(g, part);
            if (count > 0) {
                json_put(g,
                         ",{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":5125,"
                         "\"count\":%zu,\"type\":\"SCALAR\"}",
                         1 + has_section(g, 1) + has_section(g, 2) + has_section(g, 3), indices,
                         count);
                indices += 4 * count;
            }
        }
    }
}

static void json_views(glb *g)
{
    size_t offset = 0;
    for (size_t section = 0; section < SECTIONS; section++) {
        const size_t size = section_size(g, section);
        if (size > 0) {
            json_put(g, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":%d",
                     section > 0 ? "," : "],\"bufferViews\":[", offset, size,
                     section == INDICES ? 34963 : 34962);
            if (section != INDICES) {
                json_put(g, ",\"byteStride\":%zu", section_row(section));
            }
            json_put(g, "}");
            offset += size;
        }
    }
    json_put(g, "],\"buffers\":[{\"byteLength\":%zu}]", offset);
}

static void json_make(glb *g)
{
    json_put(g, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sightline\"}");
    json_put(g, ",\"scene\":0,\"scenes\":[{");
    for (size_t n = 0; n < g->node_count; n++) {
        json_put(g, "%s%zu", n > 0 ? "," : "\"nodes\":[", n);
    }
    json_put(g, g->node_count > 0 ? "]}]" : "}]");
    for (size_t n = 0; n < g->node_count; n++) {
        json_put(g, "%s{\"mesh\":%zu", n > 0 ? "," : ",\"nodes\":[", n);
        json_name(g, ",", part_of(g, g->nodes[n].part).node);
        json_put(g, "}");
    }
    for (size_t part = 0, next = 0; part < g->part_count && g->node_count > 0; part++) {
        if (g->material[part] == next) {
            json_put(g, "%s{", next == 0 ? "],\"materials\":[" : ",");
            json_name(g, "", part_of(g, part).material);
            json_put(g, "}");
            next++;
        }
    }
    if (g->node_count > 0) {
        json_put(g, "]");
        json_meshes(g);
        json_accessors(g);
        json_views(g);
    }
    json_put(g, "}");
    while (!g->no_memory && g->json_size % 4 != 0) {
        json_put(g, " ");
    }
}

/* ---- the file ---------------------------------------------------------------------------- */

static size_t binary_size(const glb *g)
{
    size_t size = 0;
    for (size_t section = 0; section < SECTIONS; section++) {
        size += section_size(g, section);
    }
    return size;
}

static void put_section(sli_writer *w, const glb *g, size_t section)
{
    const sli_attribute *of = section > 0 ? sli_saved_table(g->saving, section - 1) : NULL;
    const size_t width = section_row(section) / 4;
    for (size_t i = 0; i < g->vertex_count; i++) {
        const float *row = of != NULL ? of->values + width * g->vertices[i]
                                      : sli_saved_position(g->saving, g->vertices[i]);
        for (size_t k = 0; k < width; k++) {
            sli_write_float(w, section > 0 ? sli_saved_value(g->saving->flip_v, section - 1, row, k)
                                           : row[k]);
        }
    }
}

static void put_indices(sli_writer *w, const glb *g)
{
    const sl_mesh *mesh = g->saving->mesh;
    for (size_t n = 0; n < g->node_count; n++) {
        const glb_node *node = &g->nodes[n];
        const size_t end = 3 * sli_part_end(mesh, node->part_end - 1);
        for (size_t i = 0; i < node->count; i++) {
            g->local[g->vertices[node->first + i]] = (uint32_t)i;
        }
        for (size_t i = 3 * part_first(g, node->part); i < end; i++) {
            if (mesh->indices[i] != SL_NONE) {
                sli_write_u32(w, g->local[mesh->indices[i]]);
            }
        }
    }
}

static void glb_fill(const void *context, sli_file_out *out)
{
    const glb *g = context;
    const size_t binary = binary_size(g);
    sli_writer w;
    w.to = out;
    w.used = 0;
    sli_write_text(&w, "glTF");
    sli_write_u32(&w, 2);
    sli_write_u32(&w,
                  (uint32_t)((size_t)(binary > 0 ? HEADERS : HEADERS - 8) + g->json_size + binary));
    sli_write_u32(&w, (uint32_t)g->json_size);
    sli_write_text(&w, "JSON");
    sli_write_bytes(&w, g->json, g->json_size);
    if (binary > 0) {
        sli_write_u32(&w, (uint32_t)binary);
        sli_write_bytes(&w, "BIN", 4);
        for (size_t section = 0; section < INDICES; section++) {
            if (has_section(g, section)) {
                put_section(&w, g, section);
            }
        }
        put_indices(&w, g);
    }
    sli_write_flush(&w);
}

static sl_result glb_run(glb *g, const char *path, sl_error *error)
{
    const size_t vertices = g->saving->mesh->info.vertex_count;
    g->nodes = sli_alloc_array(g->allocator, g->part_count, sizeof *g->nodes);
    g->local = sli_alloc_array(g->allocator, vertices, sizeof *g->local);
    g->material = sli_alloc_array(g->allocator, g->part_count, sizeof *g->material);
    if (g->nodes == NULL || g->local == NULL || g->material == NULL || !number_materials(g)) {
        return sli_fail_memory(error);
    }
    find_nodes(g);
    if (!find_vertices(g)) {
        return sli_fail_memory(error);
    }
    find_bounds(g);
    json_make(g);
    SLI_TRY(sli_had_memory(error, !g->no_memory));
    if ((uint64_t)binary_size(g) + g->json_size > UINT32_MAX - HEADERS) {
        return sli_fail_file(error, SL_TOO_LARGE, path,
                             "%zu bytes; a .glb has at most 4 GiB; save a .ply or .obj",
                             binary_size(g));
    }
    return sli_file_write_by(path, glb_fill, g, error);
}

sl_result sli_save_glb(sli_saving *saving, const char *path, sl_error *error)
{
    const size_t parts = saving->mesh->part_list.count, vertices = saving->mesh->info.vertex_count;
    glb g = { .saving = saving,
              .allocator = &saving->def->hooks.allocator,
              .part_count = parts > 0 ? parts : 1 };
    const sl_result result = glb_run(&g, path, error);
    saving->vertex_count = g.vertex_count;
    sli_free_array(g.allocator, g.nodes, g.part_count, sizeof *g.nodes);
    sli_free_array(g.allocator, g.local, vertices, sizeof *g.local);
    sli_free_array(g.allocator, g.material, g.part_count, sizeof *g.material);
    sli_free_array(g.allocator, g.vertices, g.vertex_count, sizeof *g.vertices);
    sli_free_array(g.allocator, g.json, g.json_capacity, 1);
    return result;
}
