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
#include "test/measure/program.h"
#include "test/support/environment/failing_allocator.h"
#include "test/support/input/prim_ranges.h"
#include "test/support/input/random.h"

#include <math.h>

enum { SOME = 1000 };

static sl_topology *build(const sl_mesh *mesh, int rounds, double *seconds)
{
    sl_topology *topology = NULL;
    *seconds = 1e9;
    for (int i = 0; i < rounds; i++) {
        sl_topology_destroy(topology);
        const double start = bench_cpu_seconds();
        must(sl_topology_build(mesh, NULL, &topology, NULL) == SL_OK, "out of memory");
        *seconds = fmin(*seconds, bench_cpu_seconds() - start);
    }
    return topology;
}

static size_t peak_of(const sl_mesh *mesh)
{
    sli_failing_allocator memory;
    sl_topology_def def = { .hooks.allocator =
                                sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    OWN(sl_topology) topology = NULL;
    must(sl_topology_build(mesh, &def, &topology, NULL) == SL_OK, "out of memory");
    return memory.peak_bytes;
}

static double update(sl_topology *topology, const sl_mesh *mesh, const uint32_t *prims,
                     size_t count, int rounds)
{
    double seconds = 1e9;
    for (int i = 0; i < rounds; i++) {
        const double start = bench_cpu_seconds();
        must(update_prims(topology, sl_mesh_soup(mesh).xyz, prims, count, NULL) == SL_OK,
             "no update");
        seconds = fmin(seconds, bench_cpu_seconds() - start);
    }
    return seconds;
}

typedef struct set_arrays {
    const sl_topology *topology;
    uint64_t *set, *out, *scratch;
} set_arrays;

enum { GROW, SHRINK, TOUCHED, INSIDE, BOUNDARY, CONNECTED, STEPS };

static void run_step(const set_arrays *r, int step)
{
    switch (step) {
    case GROW:
        sl_set_grow(r->topology, SL_TRIANGLES, r->set, SL_VERTICES, r->scratch, r->out);
        break;
    case SHRINK:
        sl_set_shrink(r->topology, SL_TRIANGLES, r->set, SL_VERTICES, r->scratch, r->out);
        break;
    case TOUCHED:
    case INSIDE:
        sl_set_convert(r->topology, SL_TRIANGLES, r->set, step == TOUCHED ? SL_ANY_OF : SL_ALL_OF,
                       SL_VERTICES, r->out);
        break;
    case BOUNDARY:
        sl_set_boundary(r->topology, r->set, r->out);
        break;
    default:
        sl_set_connected(r->topology, SL_TRIANGLES, r->set, 0, r->scratch, r->out);
    }
}

static void measure_sets(const set_arrays *r, const char *what, int rounds)
{
    static const char *const names[STEPS] = { "grow",   "shrink",   "touched",
                                              "inside", "boundary", "connected" };
    printf("    %-6s", what);
    for (int step = 0; step < STEPS; step++) {
        double seconds = INFINITY;
        for (int round = 0; round < rounds; round++) {
            const double start = bench_cpu_seconds();
            run_step(r, step);
            seconds = fmin(seconds, bench_cpu_seconds() - start);
        }
        printf("  %s %8.1f us", names[step], 1e6 * seconds);
    }
    printf("\n");
}

/* apart: SOME numbers of triangles. */
static void all_sets(const sl_topology *topology, size_t triangles, const uint32_t *apart,
                     int rounds)
{
    const size_t words = sl_set_words(topology, SL_TRIANGLES);
    const size_t most = sl_topology_get_info(topology).scratch_words + words;
    FREED uint64_t *memory = memory_for(3 * most, sizeof *memory);
    const set_arrays r = { topology, memory, memory + most, memory + 2 * most };
    sl_set_from_list(topology, SL_TRIANGLES, apart, 1, r.set);
    measure_sets(&r, "one", rounds);
    sl_set_from_list(topology, SL_TRIANGLES, apart, SOME, r.set);
    measure_sets(&r, "1000", rounds);
    for (size_t i = 0; i < words; i++) {
        r.set[i] = i < triangles / 128 ? UINT64_MAX : 0;
    }
    measure_sets(&r, "half", rounds);
}

/* Destroys the mesh. */
static void measure(const char *name, sl_mesh *mesh, int rounds)
{
    const size_t triangles = sl_mesh_soup(mesh).triangle_count;
    double seconds;
    sl_topology *topology = build(mesh, rounds, &seconds);
    const sl_topology_info info = sl_topology_get_info(topology);
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
    const int rounds = (int)fmax(number_at(argc, argv, 2, 7), 1);
    for (int shape = 0; shape < SHAPES_MEASURED && !of_file; shape++) {
        measure(bench_shape_names[shape],
                shape_mesh((bench_shape)shape, (size_t)number_at(argc, argv, 1, 1e6)), rounds);
    }
    if (of_file) {
        measure("file", file_mesh(argv[1]), rounds);
    }
    return 0;
}
