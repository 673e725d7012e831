/* input/note.h: what the file of a mesh has and the mesh has not, in reports and on stderr. */
#pragma once

#include "tools/input/mesh.h"
#include "tools/output/output.h"

extern const char *const note_words[]; /* by sl_mesh_note_kind */

/* A line on stderr for each note of what was loaded, be it a mesh or a scene; up to eight. */
void notes_warn(const mesh_in *in);

/* A table of those of a mesh, in text only where there are some; in CSV, which has no place for
 * them, the lines on stderr, unless --quiet is given. */
void notes_report(output *out, const mesh_in *in);
