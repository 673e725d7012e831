/* ask/world.c: opens a mesh or a scene, with its masks, its proxy, and what brute force asks. */
#include "tools/ask/world.h"

#include "tools/cli/report.h"
#include "tools/generate/query_random.h"

/* Scenes are asked by few of the options. */
static int refuse_options(const ask_world *w, const invocation *call, unsigned needs)
{
    static const char *const of_meshes[] = { "by",     "proxy", "generate",
                                             "verify", "brute", "box-filter" };
    const size_t count = (needs & ASK_VERIFIES_SCENES) != 0 ? 2 : 6;
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < count; i++) {
        status = mesh_in_refuse(&w->in, call, of_meshes[i]);
    }
    return status;
}

static int make_boundary(ask_world *w)
{
    const sl_hooks hooks = { .progress = progress_hook(&w->in.bar) };
    sl_error error;
    const sl_result result = sl_boundary_create(&w->soup, &w->query, &hooks, &w->boundary, &error);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

static int open_scene(ask_world *w, const invocation *call, unsigned needs)
{
    const ask_options *o = call->options;
    const int status = refuse_options(w, call, needs);
    w->wide = true;
    return status == EXIT_DONE && (o->verify.verify || o->verify.brute)
               ? scene_soup_make(&w->triangles, w->in.scene)
               : status;
}

static int open_mesh(ask_world *w, const ask_options *o, unsigned needs)
{
    int status = EXIT_DONE;
    w->soup = sl_mesh_soup(w->in.mesh);
    w->soup.masks = w->in.masks;
    w->wide = o->doubles;
    if ((needs & ASK_NEEDS_BOUNDARY) != 0) {
        status = make_boundary(w);
    }
    if (status == EXIT_DONE) {
        proxy_in_make(&o->proxy, &w->in, &w->proxy, &w->query);
    }
    return status == EXIT_DONE && w->wide && (o->verify.verify || o->verify.brute)
               ? scene_soup_make_of_tree(&w->triangles, w->in.bvh)
               : status;
}

int ask_world_open(ask_world *w, const invocation *call, unsigned needs)
{
    const ask_options *o = call->options;
    *w = (ask_world){ .limit = o->limit, .by = o->by };
    int status = query_in_make(call, &o->query, w->skip, &w->query);
    w->query.flags |= (o->open_start ? SL_OPEN_START : 0u) | (o->open_end ? SL_OPEN_END : 0u) |
                      (o->crossings ? SL_CROSSINGS : 0u) | (o->summary ? SL_NO_WINDING : 0u);
    status = status == EXIT_DONE ? mesh_in_load(&w->in, call, 0, &o->mesh, &o->common) : status;
    status = status == EXIT_DONE ? mesh_in_snap(&w->in, o->verify.snap) : status;
    status = status == EXIT_DONE ? query_in_masks(&o->query, &w->in) : status;
    status = status == EXIT_DONE ? query_in_build(call, &w->query, &w->in) : status;
    w->tasks = w->in.tasks;
    if (status == EXIT_DONE) {
        status = w->in.scene != NULL ? open_scene(w, call, needs) : open_mesh(w, o, needs);
    }
    w->counts = o->stats && !o->verify.verify ? &w->stats : NULL;
    return status;
}

void ask_world_close(ask_world *w)
{
    scene_soup_free(&w->triangles);
    sl_boundary_destroy(w->boundary);
    mesh_in_close(&w->in);
}

bool ask_world_has_parts(const ask_world *w)
{
    return w->in.scene != NULL ? w->in.scene->has_parts
                               : sl_mesh_get_info(w->in.mesh).part_count > 0;
}

uint64_t ask_world_triangles(const ask_world *w)
{
    return w->wide ? w->triangles.count : mesh_in_triangles(&w->in);
}

void ask_world_surface(const ask_world *w, ask_row *hit)
{
    const sl_triangle_ref triangle = { .prim = hit->prim, .instance = hit->instance };
    hit->wide = w->wide;
    if (w->wide) {
        hit->has_point = scene_in_surface(w->in.bvh, w->in.scene, triangle, (double)hit->u,
                                          (double)hit->v, hit->point, hit->normal);
        return;
    }
    sl_surface surface;
    hit->has_point = sl_bvh_surface(w->in.bvh, triangle, hit->u, hit->v, SL_FLOAT, &surface);
    for (int axis = 0; axis < 3 && hit->has_point; axis++) {
        hit->point[axis] = surface.point[axis];
        hit->normal[axis] = (double)(float)surface.normal[axis];
    }
}
