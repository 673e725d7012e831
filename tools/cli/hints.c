/* hints.c: what is here under another name, by the meaning of a word that is not. */
#include "tools/cli/hints.h"

#include "tools/cli/spelling.h"

#include <string.h>

/* Words, separated by blanks; commands: those whose option the word would be, NULL: any. */
typedef struct hint {
    const char *commands, *words, *advice;
} hint;

static const hint subcommands[] = {
    { NULL, "repair weld fix clean mend heal",
      "'sightline check MESH --repair FILE' writes a repaired mesh" },
    { NULL, "validate lint inspect", "'sightline check' says what is wrong with a mesh" },
    { NULL, "convert export save",
      "'sightline check MESH --repair FILE' writes it in the format that FILE ends in" },
    { NULL, "slice section cut clip plane",
      "meshes are not sliced yet; 'sightline overlap MESH --planes' lists what reaches behind a "
      "plane" },
    { NULL, "voxel voxels voxelize voxelise grid",
      "there are no voxels yet; 'sightline inside' judges points, 'sightline overlap' boxes" },
    { NULL, "union boolean simplify decimate subdivide smooth remesh",
      "shapes of meshes are not changed here" },
    { NULL, "ray rays raycast trace shoot intersect hit closest any count",
      "'sightline cast' casts rays and segments" },
    { NULL, "visibility visible occluded shadow matrix viewshed segment segments",
      "'sightline los' tells which points see each other" },
    { NULL, "sdf closest-point proximity project knn",
      "'sightline nearest' measures distances, and 'sightline inside' has their sign" },
    { NULL, "radius range", "'sightline within' finds all that is near a point" },
    { NULL, "contains winding in", "'sightline inside' tells which points are inside" },
    { NULL, "box sphere volume", "'sightline overlap' tells which triangles a volume touches" },
    { NULL, "collide collision touch interference penetration",
      "'sightline clash' tells where meshes meet, 'sightline overlap' what a volume touches" },
    { NULL, "clearance gap separation", "'sightline distance' tells how far meshes are apart" },
    { NULL, "move toi ccd shapecast spherecast",
      "'sightline sweep' tells what a volume that moves meets" },
    { NULL, "view show draw picture image png screenshot", "'sightline render' makes pictures" },
    { NULL, "ao occlusion thickness", "'sightline bake' has ao and thickness" },
    { NULL, "stats stat summary describe print", "'sightline info' describes a mesh" },
    { NULL, "tree bvh index", "'sightline build' writes a tree into a file" },
    { NULL, "snap", "'sightline pick' finds edges and vertices near a pixel" },
    { NULL, "join collect", "'sightline merge' puts parts of a run together" },
    { NULL, "why debug", "'sightline explain' says why a ray hits or does not" },
    { NULL, "completions complete", "'sightline completion bash' prints them" },
    { NULL, "benchmark perf measure time", "'sightline bench' measures" },
};

static const hint options[] = {
    { "los", "mode",
      "each pair has its closest blocker, and --summary counts; 'sightline cast --segments' has "
      "--mode" },
    { "nearest", "mode radius all",
      "there are the nearest triangle and, with -k, more; 'sightline within' has --radius and "
      "--mode" },
    { "inside", "mode", "each point has all there is to know of it; --summary counts" },
    { "render", "mode", "--show says what colours mean" },
    { "pick", "mode", "--kind says what is picked, --all asks for everything" },
    { "los cast explain", "from to source target start end p q a b pair",
      "--segment \"PX PY PZ QX QY QZ\" is a pair of points" },
    { "cast explain", "origin dir direction o d",
      "--ray \"OX OY OZ DX DY DZ\" is a ray of origin and direction" },
    { "cast los nearest within inside overlap", "epsilon eps tolerance bias offset",
      "decisions are exact and need none" },
    { "cast los nearest within inside overlap pick select", "format type",
      "--json and --csv say it, or the end of the name that --out has" },
    { NULL, "input file mesh in scene", "a file to ask is named without an option: MESH" },
    { NULL, "force overwrite yes y", "files are replaced without being asked" },
    { NULL, "verbose v debug", "progress is on stderr, and --json has all there is to tell" },
};

static const char *hints_find(const hint *hints, size_t count, const char *command,
                              const char *word, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        if ((hints[i].commands == NULL ||
             spelling_is_in(hints[i].commands, command, strlen(command))) &&
            spelling_is_in(hints[i].words, word, size)) {
            return hints[i].advice;
        }
    }
    return NULL;
}

const char *hint_of_subcommand(const char *word)
{
    return hints_find(subcommands, sizeof subcommands / sizeof subcommands[0], "", word,
                      strlen(word));
}

const char *hint_of_option(const char *command, const char *word, size_t size)
{
    return hints_find(options, sizeof options / sizeof options[0], command, word, size);
}
