/* output/mesh_file.h: meshes as files, with their texture coordinates, normals and colours, and
 * what of the file that they came from is not kept. */
#pragma once

#include "tools/output/output.h"

#include <sightline/mesh_repair.h>

/* What is written. */
typedef struct mesh_out {
    const sl_mesh *mesh;
    const sl_mesh *from;  /* as it was loaded; often the same */
    const float *quality; /* a number for each vertex; NULL: none */
    const uint8_t *rgb;   /* a colour for each, instead of the mesh's; NULL: the mesh's */
} mesh_out;

/* Writes the format that path ends in, by sl_mesh_save; without quality and rgb .obj, .stl or .glb,
 * or else a PLY.  vertices, which may be NULL: how many the file has.  EXIT_DONE, or EXIT_FAILED
 * after a report. */
int mesh_out_write(const char *path, const mesh_out *what, size_t *vertices);

/* Writes a PLY of anything. */
int mesh_out_write_ply(const char *path, const sl_ply *ply);

/* What the file of a mesh has and the one that is written has not, as words: normals, UVs, colours,
 * further attributes, and parts where there are several.  Returns how many. */
enum { MESH_OUT_LOST_MAX = 5 };
size_t mesh_out_lost(const mesh_out *what, const char *path, const char *words[MESH_OUT_LOST_MAX]);

/* Says so on stderr, unless nothing is lost; name is that of the file it came from. */
void mesh_out_warn(const mesh_out *what, const char *name, const char *path);

/* Says so in a report, as an array "not_kept"; in text only where something is lost. */
void mesh_out_report(output *out, const mesh_out *what, const char *path);
