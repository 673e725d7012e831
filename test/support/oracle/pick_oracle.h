/* pick_oracle.h: what is under a position of the picture, by looking at every corner and side of
 * every triangle of a scene, and by every triangle for each line of sight: written from
 * sightline/pick.h and bvh/pick/along.h, without anything of bvh/pick. */
#pragma once

#include <sightline/pick.h>

/* All triangles of a scene, gathered once. */
typedef struct pick_oracle pick_oracle;

pick_oracle *pick_oracle_make(const sl_bvh *scene);
void pick_oracle_free(pick_oracle *oracle);

/* From here on questions are of this view alone, and triangles are passed over that appear well
 * away from where one looks: some hundred times faster.  NULL: of any view; each triangle is looked
 * at. */
void pick_oracle_look(pick_oracle *oracle, const sl_view *view);

bool pick_oracle_at(const pick_oracle *oracle, const sl_view *view, const double xy[2],
                    const sl_pick_def *def, sl_pick *out);

/* As sl_pick_all. */
size_t pick_oracle_all(const pick_oracle *oracle, const sl_view *view, const double xy[2],
                       const sl_pick_def *def, sl_pick *out, size_t capacity);

/* NULL, or the field in which two answers differ. */
const char *pick_oracle_difference(const sl_pick *a, const sl_pick *b);
