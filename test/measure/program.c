#include "test/measure/program.h"

void must(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "%s\n", words);
        exit(1);
    }
}

void *memory_for(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    must(memory != NULL, "not enough memory");
    return memory;
}

double number_at(int argc, char **argv, int at, double otherwise)
{
    return argc > at ? strtod(argv[at], NULL) : otherwise;
}

sl_mesh *shape_mesh(bench_shape shape, size_t triangles)
{
    sl_mesh *mesh = NULL;
    sl_error error;
    must(bench_shape_mesh(shape, triangles, &mesh, &error) == SL_OK, error.message);
    return mesh;
}

sl_mesh *file_mesh(const char *path)
{
    sl_mesh *mesh = NULL;
    sl_error error;
    must(sl_mesh_load(path, NULL, &mesh, &error) == SL_OK, error.message);
    return mesh;
}

sl_bvh *tree_of(const sl_mesh *mesh, const sl_build_def *def)
{
    sl_bvh *tree = NULL;
    sl_error error;
    must(sl_bvh_build(mesh, def, &tree, &error) == SL_OK, error.message);
    return tree;
}

sl_bvh *tree_of_only(sl_mesh *mesh)
{
    sl_bvh *tree = tree_of(mesh, NULL);
    sl_mesh_destroy(mesh);
    return tree;
}

sl_bvh *scene_of(const sl_instance *instances, size_t count)
{
    sl_bvh *scene = NULL;
    sl_error error;
    must(sl_bvh_build_instances(instances, count, NULL, &scene, &error) == SL_OK, error.message);
    return scene;
}

sl_bvh *scene_of_one(const sl_bvh *tree)
{
    const sl_instance one = sl_instance_of(tree);
    return scene_of(&one, 1);
}

sl_view view_of(sl_camera_def def)
{
    sl_camera camera;
    def.width = PICTURE_WIDTH;
    def.height = PICTURE_HEIGHT;
    must(sl_camera_make(&def, &camera, NULL) == SL_OK, "no camera");
    return (sl_view){ .camera = camera };
}

sl_view view_of_box(const sl_aabb *box)
{
    static const float towards[3] = { 0.3f, 0.7f, 1 };
    sl_camera_def def = { .width = PICTURE_WIDTH, .height = PICTURE_HEIGHT };
    must(sl_camera_fit(box, NULL, towards, &def, NULL) == SL_OK, "no fit");
    return view_of(def);
}
