/* output/mesh_file.h: meshes as files, and what of the file that they came from is not kept. */
#ifndef TOOLS_OUTPUT_MESH_FILE_H
#define TOOLS_OUTPUT_MESH_FILE_H

#include "tools/output/output.h"

#include <sightline/mesh.h>

/* Writes a PLY; an OBJ, without quality and rgb, where path ends in .obj.  EXIT_DONE, or
 * EXIT_FAILED after a report. */
int mesh_out_write(const char *path, const sl_ply *mesh);

/* What the file of a mesh has and a file written from the mesh has not, as words: normals, UVs,
 * colours, and parts where there are several.  Returns how many. */
enum { MESH_OUT_LOST_MAX = 4 };
size_t mesh_out_lost(const sl_mesh *mesh, const char *words[MESH_OUT_LOST_MAX]);

/* Says so on stderr, unless nothing is lost. */
void mesh_out_warn(const sl_mesh *mesh, const char *from, const char *path);

/* Says so in a report, as an array "not_kept"; in text only where something is lost. */
void mesh_out_report(output *out, const sl_mesh *mesh);

#endif
