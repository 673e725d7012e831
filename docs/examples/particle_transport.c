/* particle_transport.c: what codes that carry particles through volumes ask of a ray tracer: which
 * volume a point is in, which surface a particle meets next, how far it is to the nearest one; as a
 * backend of XDG, or DAGMC, is asked.
 *
 *     particle_transport spot.obj
 *
 * A volume is a tree over the triangles of its surfaces, with fronts outwards.  A surface between
 * two volumes is in both, with the same corners, turned around in one of them.
 *
 *     register_volume     volume_make
 *     point_in_volume     volume_has, by what there is along a direction
 *     ray_fire            volume_fire: surfaces that are left, entered or either, between limits,
 *                         but for those of a list, to which what is met is added
 *     closest             volume_distance, negative within
 *     occluded            volume_occluded
 *
 * Elsewhere particles get lost where their place, rounded, is on the wrong side of a surface, and
 * where they slip through an edge.  Here a flight keeps its origin and goes on from the t of the
 * surface that it has crossed, so that no place is rounded; and with SL_CROSSINGS a ray through an
 * edge or a corner crosses one of the triangles there, or none, but never half of them.  Both
 * volumes of a surface decide exactly about the same corners and the same ray, so that no flight
 * ends but at the box around the world: not even those that are aimed at corners and start
 * there. */
#include <sightline/sightline.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum orientation { LEAVING, ENTERING, EITHER } orientation;

enum { MET_MAX = 32 };

/* The surfaces that a flight has met last, by their triangles. */
typedef struct met_list {
    sl_triangle_ref last[MET_MAX];
    size_t count; /* in all */
} met_list;

typedef struct surface {
    sl_soup soup;
    bool turned; /* its fronts look into the volume */
} surface;

static sl_result volume_make(const surface *surfaces, size_t count, sl_bvh **out, sl_error *error)
{
    size_t triangles = 0, at = 0;
    for (size_t s = 0; s < count; s++) {
        triangles += surfaces[s].soup.triangle_count;
    }
    float(*corners)[3] = malloc(triangles * 3 * sizeof *corners);
    if (corners == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    for (size_t s = 0; s < count; s++) {
        const sl_soup *soup = &surfaces[s].soup;
        for (size_t i = 0; i < 3 * soup->triangle_count; i++) {
            const size_t corner = surfaces[s].turned ? i - i % 3 + 2 - i % 3 : i;
            const float *from = soup->xyz + 3 * (size_t)soup->indices[corner];
            for (int axis = 0; axis < 3; axis++) {
                corners[at][axis] = from[axis];
            }
            at++;
        }
    }
    sl_mesh *mesh = NULL;
    sl_result result =
        sl_mesh_from_arrays(corners[0], 3 * triangles, NULL, triangles, NULL, &mesh, error);
    result = result == SL_OK ? sl_bvh_build(mesh, NULL, out, error) : result;
    sl_mesh_destroy(mesh);
    free(corners);
    return result;
}

/* The triangle that is met first, of those at one t the lowest, with least <= t <= most, and its t;
 * SL_NONE: none is. */
static uint32_t volume_fire(const sl_bvh *volume, const double origin[3], const double dir[3],
                            double least, double most, orientation which, met_list *met, double *t)
{
    static const sl_cull culls[] = { SL_CULL_FRONT, SL_CULL_BACK, SL_CULL_NONE };
    const sl_options options = { .cull = culls[which],
                                 .flags = SL_CROSSINGS,
                                 .skip = met->last,
                                 .skip_count = met->count < MET_MAX ? met->count : MET_MAX };
    sl_ray_d ray = sl_ray_d_make(origin, dir);
    sl_hit_d hit;
    ray.tmin = least;
    ray.tmax = most;
    if (!sl_bvh_closest_d(volume, &ray, &options, &hit)) {
        return SL_NONE;
    }
    met->last[met->count++ % MET_MAX] = (sl_triangle_ref){ .prim = hit.prim };
    *t = hit.t;
    return hit.prim;
}

/* Whether dir leads out through an odd number of triangles.  A point on a surface counts as moved
 * by an infinitely small amount, as the ray does: it is in one of two volumes, never in both or
 * none. */
static bool volume_has(const sl_bvh *volume, const double point[3], const double dir[3])
{
    const sl_options options = { .flags = SL_CROSSINGS };
    const sl_ray_d ray = sl_ray_d_make(point, dir);
    uint64_t count = 0;
    sl_bvh_all_many(volume, sl_rays_of_d(&ray, 1), &options, sl_hits_of_d(NULL), 0, &count, NULL,
                    NULL);
    return count % 2 == 1;
}

static double volume_distance(const sl_bvh *volume, const double point[3])
{
    static const double along[3] = { 1, 0, 0 };
    sl_nearest_d nearest;
    if (!sl_bvh_nearest_d(volume, point, INFINITY, NULL, &nearest)) {
        return INFINITY;
    }
    return volume_has(volume, point, along) ? -(double)nearest.distance : (double)nearest.distance;
}

static bool volume_occluded(const sl_bvh *volume, const double origin[3], const double dir[3],
                            double most)
{
    sl_ray_d ray = sl_ray_d_make(origin, dir);
    ray.tmax = most;
    return sl_bvh_closest_d(volume, &ray, NULL, NULL);
}

/* ---- A code that carries particles ---- */

enum { BODY, AROUND, VOLUMES, FLIGHTS = 10000 };

typedef struct world {
    sl_bvh *volumes[VOLUMES]; /* the triangles of the body come first, in both */
    sl_soup body;
} world;

typedef struct counts {
    int crossings, lost, nowhere, elsewhere, beyond, hidden;
    int starts[VOLUMES];
} counts;

static double random_in(uint64_t *state, double from, double to)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(*state >> 44) / 1048576;
}

static void random_corner(uint64_t *state, const sl_soup *body, double to[3])
{
    const size_t which = (size_t)random_in(state, 0, (double)body->vertex_count);
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = (double)body->xyz[3 * which + (size_t)axis];
    }
}

/* From within the box, or from a corner of the body; in any direction, or through a corner. */
static void start(uint64_t *state, const world *w, int kind, double origin[3], double dir[3])
{
    double target[3];
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = random_in(state, -1.5, 1.5);
        target[axis] = random_in(state, -1.5, 1.5);
    }
    if (kind > 0) {
        random_corner(state, &w->body, target);
    }
    if (kind > 1) {
        random_corner(state, &w->body, origin);
    }
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = target[axis] - origin[axis];
    }
}

/* From one volume into the next, until the box is left. */
static void fly(const world *w, const double origin[3], const double dir[3], counts *c)
{
    const bool in_body = volume_has(w->volumes[BODY], origin, dir);
    met_list met = { .count = 0 };
    int now = in_body ? BODY : AROUND;
    double t = 0, least = 0;
    c->starts[now]++;
    c->nowhere += in_body == volume_has(w->volumes[AROUND], origin, dir);
    for (uint32_t prim = 0; prim < w->body.triangle_count; now = 1 - now) {
        prim = volume_fire(w->volumes[now], origin, dir, least, INFINITY, LEAVING, &met, &t);
        if (prim == SL_NONE) {
            c->lost++;
            return;
        }
        c->crossings++;
        /* t is rounded, what is skipped was met, and nothing before the start is to be met. */
        least = fmax(nextafter(t, -1), 0);
    }
    double farthest = 0;
    for (int axis = 0; axis < 3; axis++) {
        farthest = fmax(farthest, fabs(origin[axis] + t * dir[axis]));
    }
    c->elsewhere += fabs(farthest - 1.5) > 1e-9;
    c->hidden += !volume_occluded(w->volumes[AROUND], origin, dir, nextafter(t, INFINITY));
}

/* No surface is nearer, in any direction, than the distance says. */
static void measure(const world *w, const double point[3], const double dir[3], counts *c)
{
    const double length = sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
    const double distance = volume_distance(w->volumes[BODY], point);
    met_list met = { .count = 0 };
    double t = INFINITY;
    (void)volume_fire(w->volumes[BODY], point, dir, 0, INFINITY, EITHER, &met, &t);
    c->beyond += fabs(distance) > t * length * (1 + 1e-6) ||
                 (fabs(distance) > 0 && (distance < 0) != volume_has(w->volumes[BODY], point, dir));
}

static void carry(const world *w)
{
    static const char *const kinds[] = { "anywhere", "to corners", "from corners to corners" };
    uint64_t state = 1;
    for (int kind = 0; kind < 3; kind++) {
        counts c = { .lost = 0 };
        for (int i = 0; i < FLIGHTS; i++) {
            double origin[3], dir[3] = { 0, 0, 0 };
            while (dir[0] == 0 && dir[1] == 0 && dir[2] == 0) {
                start(&state, w, kind, origin, dir);
            }
            fly(w, origin, dir, &c);
            measure(w, origin, dir, &c);
        }
        printf("%s: %d flights, %d from the body, %d crossings\n", kinds[kind], FLIGHTS,
               c.starts[BODY], c.crossings);
        printf("  lost %d, in no volume or two %d, ended within the box %d\n", c.lost, c.nowhere,
               c.elsewhere);
        printf("  distances that are wrong %d, surfaces that hide nothing %d\n", c.beyond,
               c.hidden);
    }
}

int main(int argc, char **argv)
{
    static const float box[8][3] = { { -1.5f, -1.5f, -1.5f }, { 1.5f, -1.5f, -1.5f },
                                     { -1.5f, 1.5f, -1.5f },  { 1.5f, 1.5f, -1.5f },
                                     { -1.5f, -1.5f, 1.5f },  { 1.5f, -1.5f, 1.5f },
                                     { -1.5f, 1.5f, 1.5f },   { 1.5f, 1.5f, 1.5f } };
    static const uint32_t sides[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
                                           { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
                                           { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
    sl_error error = { .message = "out of memory" };
    sl_mesh *mesh = NULL;
    world w = { .volumes = { NULL } };
    sl_result result = sl_mesh_load(argc > 1 ? argv[1] : "spot.obj", NULL, &mesh, &error);
    if (result == SL_OK) {
        w.body = sl_mesh_soup(mesh);
        const surface surfaces[2] = {
            { w.body, true },
            { { .xyz = box[0], .indices = sides[0], .triangle_count = 12, .vertex_count = 8 },
              false }
        };
        const surface own = { w.body, false };
        result = volume_make(&own, 1, &w.volumes[BODY], &error);
        if (result == SL_OK) {
            result = volume_make(surfaces, 2, &w.volumes[AROUND], &error);
        }
    }
    if (result == SL_OK) {
        carry(&w);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    sl_bvh_destroy(w.volumes[BODY]);
    sl_bvh_destroy(w.volumes[AROUND]);
    sl_mesh_destroy(mesh);
    return result == SL_OK ? 0 : 1;
}
