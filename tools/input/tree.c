/* input/tree.c: loads a tree file where MESH names one, for mesh.c. */
#include "tools/input/tree.h"

#include "tools/cli/report.h"

#include <sightline/store.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if !defined(O_BINARY) /* Windows has it */
#define O_BINARY 0
#endif

/* Without stdio, which may lack the memory for a FILE. */
size_t tree_in_begin(const char *path, void *to, size_t size)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return 0;
    }
    const int file = open(path, O_RDONLY | O_BINARY);
    if (file < 0) {
        return 0;
    }
    const ssize_t got = read(file, to, (unsigned)size);
    close(file);
    return got > 0 ? (size_t)got : 0;
}

bool tree_in_is(const char *path)
{
    unsigned char begin[8];
    return sl_bvh_is_file(begin, tree_in_begin(path, begin, sizeof begin));
}

/* Triangles that the mesh left out are left out again. */
static int make_mesh(mesh_in *in)
{
    const sl_bvh_info info = sl_bvh_get_info(in->bvh);
    sl_mesh_def def = { 0 };
    sl_error error;
    def.bad = SL_BAD_LEAVE_OUT;
    float(*triangles)[9] = malloc((info.prim_count + 1) * sizeof *triangles);
    if (triangles == NULL) {
        return report_memory();
    }
    for (size_t prim = 0; prim < info.prim_count; prim++) {
        double corners[3][3];
        const bool is_there =
            sl_bvh_triangle(in->bvh, (sl_triangle_ref){ .prim = (uint32_t)prim }, corners);
        for (int i = 0; i < 9; i++) {
            triangles[prim][i] = is_there ? (float)corners[i / 3][i % 3] : NAN;
        }
    }
    const sl_result result = sl_mesh_from_arrays(triangles[0], 3 * info.prim_count, NULL,
                                                 info.prim_count, &def, &in->mesh, &error);
    free(triangles);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

static sl_bvh_load_def tree_options(bool trusted)
{
    sl_bvh_load_def def = { .flags = trusted ? SL_LOAD_TRUSTED : 0 };
    return def;
}

int tree_in_open(mesh_in *in, const char *path, bool trusted)
{
    const sl_bvh_load_def def = tree_options(trusted);
    sl_error error;
    in->is_tree = true;
    if (sl_bvh_map(path, &def, &in->bvh, &error) != SL_OK) {
        return report_error(&error);
    }
    return make_mesh(in);
}

int tree_in_open_stdin(mesh_in *in, const void *bytes, size_t size, bool trusted)
{
    const sl_bvh_load_def def = tree_options(trusted);
    sl_error error;
    in->is_tree = true;
    if (sl_bvh_load_memory(bytes, size, &def, &in->bvh, &error) != SL_OK) {
        snprintf(error.file, sizeof error.file, "stdin");
        return report_error(&error);
    }
    return make_mesh(in);
}
