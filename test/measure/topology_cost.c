/* topology_cost: what the topology of a mesh costs, and what is asked of it.
 *
 *     topology_cost [TRIANGLES [ROUNDS]]      default 1000000 and 7
 *     topology_cost FILE [ROUNDS]             of that mesh
 *
 * Of a sphere, a terrain and a soup whose corners are not shared: milliseconds of building it,
 * bytes a triangle kept and at the peak of building, and microseconds of an update for 1,000
 * triangles and for all.  Then microseconds of sets of triangles, of one, of 1,000 that lie apart,
 * and of half of all that lie together: grown by a ring, shrunk, carried to the vertices they touch
 * and to those inside, bounded, and followed to all that hangs together.  The least of the
 * rounds. */
#include "test/measure/generated.h"
#include "test/measure/timing.h"
#include "test/support/environment/failing_allocator.h"
#include "test/support/input/random.h"

#include <sightline/element_set.h>

#include <stdio.h>
#include <stdlib.h>

enum { SOME = 1000 };

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "topology_cost: %s\n", words);
        exit(1);
    }
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static sl_topology *build(const sl_mesh *mesh, int rounds, double *seconds)
{
    sl_topology *topology = NULL;
    *seconds = 1e9;
    for (int i = 0; i < rounds; i++) {
        sl_topology_destroy(topology);
        const double start = timing_seconds();
        check(sl_topology_build(mesh, NULL, &topology, NULL) == SL_OK, "out of memory");
        *seconds = least(*seconds, timing_seconds() - start);
    }
    return topology;
}

static size_t peak_of(const sl_mesh *mesh)
{
    sli_failing_allocator memory;
    sl_topology_def def = sl_default_topology_def();
    def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
    sl_topology *topology = NULL;
    check(sl_topology_build(mesh, &def, &topology, NULL) == SL_OK, "out of memory");
    sl_topology_destroy(topology);
    return memory.peak_bytes;
}

static double update(sl_topology *topology, const sl_mesh *mesh, const uint32_t *prims,
                     size_t count, int rounds)
{
    double seconds = 1e9;
    for (int i = 0; i < rounds; i++) {
        const double start = timing_seconds();
        check(sl_topology_update(topology, sl_mesh_positions(mesh), prims, count, NULL) == SL_OK,
              "no update");
        seconds = least(seconds, timing_seconds() - start);
    }
    return seconds;
}

typedef struct room {
    const sl_topology *topology;
    uint64_t *set, *out, *scratch;
} room;

static void sets_grow(const room *r)
{
    sl_set_grow(r->topology, SL_TRIANGLES, r->set, SL_VERTICES, r->scratch, r->out);
}

static void sets_shrink(const room *r)
{
    sl_set_shrink(r->topology, SL_TRIANGLES, r->set, SL_VERTICES, r->scratch, r->out);
}

static void sets_touched(const room *r)
{
    sl_set_convert(r->topology, SL_TRIANGLES, r->set, SL_ANY_OF, SL_VERTICES, r->out);
}

static void sets_inside(const room *r)
{
    sl_set_convert(r->topology, SL_TRIANGLES, r->set, SL_ALL_OF, SL_VERTICES, r->out);
}

static void sets_bounded(const room *r)
{
    sl_set_boundary(r->topology, r->set, r->out);
}

static void sets_connected(const room *r)
{
    sl_set_connected(r->topology, SL_TRIANGLES, r->set, 0, r->scratch, r->out);
}

static void measure_sets(const room *r, const char *what, int rounds)
{
    static const struct {
        const char *name;
        void (*run)(const room *r);
    } steps[] = { { "grow", sets_grow },        { "shrink", sets_shrink },
                  { "touched", sets_touched },  { "inside", sets_inside },
                  { "boundary", sets_bounded }, { "connected", sets_connected } };
    printf("    %-6s", what);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double seconds = 1e9;
        for (int round = 0; round < rounds; round++) {
            const double start = timing_seconds();
            steps[i].run(r);
            seconds = least(seconds, timing_seconds() - start);
        }
        printf("  %s %8.1f us", steps[i].name, 1e6 * seconds);
    }
    printf("\n");
}

/* apart: SOME numbers of triangles. */
static void all_sets(const sl_topology *topology, size_t triangles, const uint32_t *apart,
                     int rounds)
{
    const size_t words = sl_set_words(topology, SL_TRIANGLES);
    const size_t most = sl_set_scratch_words(topology) + words;
    uint64_t *memory = calloc(3 * most, sizeof *memory);
    check(memory != NULL, "out of memory");
    const room r = { topology, memory, memory + most, memory + 2 * most };
    sl_set_from_list(topology, SL_TRIANGLES, apart, 1, r.set);
    measure_sets(&r, "one", rounds);
    sl_set_from_list(topology, SL_TRIANGLES, apart, SOME, r.set);
    measure_sets(&r, "1000", rounds);
    for (size_t i = 0; i < words; i++) {
        r.set[i] = i < triangles / 128 ? UINT64_MAX : 0;
    }
    measure_sets(&r, "half", rounds);
    free(memory);
}

/* Destroys the mesh. */
static void measure(const char *name, sl_mesh *mesh, int rounds)
{
    check(mesh != NULL, "no such mesh, or out of memory");
    const size_t triangles = sl_mesh_triangle_count(mesh);
    double seconds;
    sl_topology *topology = build(mesh, rounds, &seconds);
    sl_topology_info info;
    sl_topology_get_info(topology, &info, sizeof info);
    uint32_t together[SOME], apart[SOME];
    test_random random = { 1 };
    for (uint32_t i = 0; i < SOME; i++) {
        together[i] = (uint32_t)((triangles / 2 + i) % triangles);
        apart[i] = test_random_below(&random, (uint32_t)triangles);
    }
    printf("%-8s %9zu triangles: build %6.1f ms, %5.1f bytes a triangle, %5.1f at the peak;"
           " update: all %6.1f ms, 1000 together %6.1f us, apart %6.1f us\n",
           name, triangles, 1e3 * seconds, (double)info.bytes / (double)triangles,
           (double)peak_of(mesh) / (double)triangles, 1e3 * update(topology, mesh, NULL, 0, rounds),
           1e6 * update(topology, mesh, together, SOME, rounds),
           1e6 * update(topology, mesh, apart, SOME, rounds));
    all_sets(topology, triangles, apart, rounds);
    sl_topology_destroy(topology);
    sl_mesh_destroy(mesh);
}

int main(int argc, char **argv)
{
    const bool of_file = argc > 1 && (argv[1][0] < '0' || argv[1][0] > '9');
    const size_t triangles = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 1000000;
    const int rounds = argc > 2 && atoi(argv[2]) > 0 ? atoi(argv[2]) : 7;
    for (int kind = 0; kind < GENERATED_KINDS && !of_file; kind++) {
        measure(generated_names[kind], generated_mesh(kind, triangles), rounds);
    }
    if (of_file) {
        sl_mesh *mesh = NULL;
        (void)sl_mesh_load(argv[1], NULL, &mesh, NULL);
        measure("file", mesh, rounds);
    }
    return 0;
}
