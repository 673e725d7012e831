/* pick_worlds.h: worlds from a list of numbers, for searches for what is slow to pick: three groups
 * of instances each, of hairs, fins, walls with and without holes, spheres and soups, anywhere from
 * before the near plane to far away, spread over the picture or piled on a few pixels.  Some 30
 * instances at most are over a pixel on average: what there is to look at is no more than in worlds
 * that people make. */
#ifndef TEST_MEASURE_PICK_WORLDS_H
#define TEST_MEASURE_PICK_WORLDS_H

#include <sightline/sightline.h>

enum {
    PICK_WORLD_WIDTH = 1920,
    PICK_WORLD_HEIGHT = 1080,
    PICK_WORLD_GROUPS = 3,
    PICK_WORLD_OF_GROUP = 8,
    PICK_WORLD_NUMBERS = PICK_WORLD_GROUPS * PICK_WORLD_OF_GROUP + 2
};

typedef struct pick_world {
    sl_bvh *trees[PICK_WORLD_GROUPS];
    sl_scene *scene;
    sl_view view;
    double middle[2]; /* pixels, that the groups are spread about */
    sl_pick_def def;
} pick_world;

/* numbers: each in [0, 1).  density: an instance has no more hairs, fins or triangles of a soup
 * than this for each pixel that it is wide, and no more cuts of a side than half of that.  false:
 * not enough memory. */
bool pick_world_make(const double numbers[PICK_WORLD_NUMBERS], double density, pick_world *out);
void pick_world_free(pick_world *world);

/* What the numbers stand for, in a line for each group. */
void pick_world_print(const double numbers[PICK_WORLD_NUMBERS], double density);

#endif
