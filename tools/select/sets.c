/* select/sets.c: what is selected, as bits; what --edges, --connected, --grow and
 * --shrink make of it. */
#include "tools/cli/report.h"
#include "tools/select/select.h"

#include <stdlib.h>
#include <string.h>

const uint64_t *select_words(const select_run *run, uint32_t instance)
{
    if (run->sets != NULL && instance < run->instance_count && run->sets[instance] != NULL) {
        return run->sets[instance];
    }
    return sl_selection_of(run->selection, instance).words;
}

bool select_has(const select_run *run, uint32_t instance, uint32_t element)
{
    const uint64_t *words = select_words(run, instance);
    return words != NULL && element < sl_selection_of(run->selection, instance).bit_count &&
           (words[element / 64] >> (element % 64) & 1) != 0;
}

uint64_t select_each(const select_run *run, select_fn *fn, void *context)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < run->instance_count; i++) {
        const uint64_t *words = select_words(run, i);
        const uint64_t elements = sl_selection_of(run->selection, i).bit_count;
        for (uint64_t k = 0; words != NULL && k < elements; k++) {
            if (k % 64 == 0 && words[k / 64] == 0) {
                k += 63;
            } else if ((words[k / 64] >> (k % 64) & 1) != 0) {
                count++;
                if (fn != NULL) {
                    fn(context, (sl_selected){ .instance = i, .element = (uint32_t)k });
                }
            }
        }
    }
    return count;
}

bool select_is_changed(const select_options *options)
{
    return options->edges != SELECT_EDGES_ALL || options->connected != CONNECTED_NOT ||
           options->grow > 0 || options->shrink > 0;
}

/* The kind of an element, and what its neighbours have in common with it. */
static sl_element kind_of(const select_options *options, sl_element *through)
{
    *through = select_unit(options) == SL_SELECT_VERTICES ? SL_EDGES : SL_VERTICES;
    return select_unit(options) == SL_SELECT_VERTICES ? SL_VERTICES
           : select_unit(options) == SL_SELECT_EDGES  ? SL_EDGES
           : select_unit(options) == SL_SELECT_FACES  ? SL_FACES
                                                      : SL_TRIANGLES;
}

/* Faces hang together by their triangles, of which set holds them then: room for both is there. */
static void sets_follow(const select_options *options, const sl_topology *topology, sl_element kind,
                        uint64_t *set, uint64_t *triangles, uint64_t *scratch)
{
    const uint32_t stop = options->connected == CONNECTED_FEATURES ? SL_STOP_AT_FEATURES : 0;
    if (kind != SL_FACES) {
        sl_set_connected(topology, kind, set, stop, scratch, set);
        return;
    }
    sl_set_convert(topology, SL_FACES, set, SL_ANY_OF, SL_TRIANGLES, triangles);
    sl_set_connected(topology, SL_TRIANGLES, triangles, stop, scratch, triangles);
    sl_set_convert(topology, SL_TRIANGLES, triangles, SL_ANY_OF, SL_FACES, set);
}

/* Leaves the edges that are features, or the vertices; all of anything else. */
static void leave_features(const select_options *options, const sl_topology *topology,
                           sl_element kind, uint64_t *set)
{
    const sl_topology_info info = sl_topology_get_info(topology);
    const size_t all = kind == SL_EDGES      ? info.edge_count
                       : kind == SL_VERTICES ? info.vertex_count
                                             : 0;
    const size_t count = options->edges != SELECT_EDGES_ALL ? all : 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t element = (uint32_t)i;
        if (!sl_topology_is_feature(topology, kind, element)) {
            set[i / 64] &= ~((uint64_t)1 << (i % 64));
        }
    }
}

static int sets_change(select_run *run, uint32_t instance)
{
    const select_options *o = run->options;
    const sl_topology *topology = select_topology(run, instance);
    const uint64_t *words = sl_selection_of(run->selection, instance).words;
    if (words == NULL || topology == NULL) {
        return EXIT_DONE; /* a hole, or a mesh that is not known */
    }
    sl_element through;
    const sl_element kind = kind_of(o, &through);
    const size_t count = sl_set_words(topology, kind);
    const size_t own = sl_topology_get_info(topology).scratch_words,
                 shared = sl_set_words(topology, through);
    uint64_t *set = calloc(count + 1, sizeof *set);
    uint64_t *scratch = malloc(((own > shared ? own : shared) + 1) * sizeof *scratch);
    uint64_t *triangles = malloc((sl_set_words(topology, SL_TRIANGLES) + 1) * sizeof *triangles);
    run->sets[instance] = set;
    const bool there = set != NULL && scratch != NULL && triangles != NULL;
    if (there) {
        memcpy(set, words, count * sizeof *set);
        leave_features(o, topology, kind, set);
        if (o->connected != CONNECTED_NOT) {
            sets_follow(o, topology, kind, set, triangles, scratch);
        }
        for (uint64_t i = 0; i < o->grow; i++) {
            sl_set_grow(topology, kind, set, through, scratch, set);
        }
        for (uint64_t i = 0; i < o->shrink; i++) {
            sl_set_shrink(topology, kind, set, through, scratch, set);
        }
        leave_features(o, topology, kind, set);
    }
    free(scratch);
    free(triangles);
    return there ? EXIT_DONE : report_memory();
}

int select_change(select_run *run)
{
    int status = EXIT_DONE;
    run->sets = calloc(run->instance_count + 1, sizeof *run->sets);
    if (run->sets == NULL) {
        return report_memory();
    }
    for (uint32_t i = 0; status == EXIT_DONE && i < run->instance_count; i++) {
        status = sets_change(run, i);
    }
    return status;
}

void select_free_sets(select_run *run)
{
    for (size_t i = 0; run->sets != NULL && i < run->instance_count; i++) {
        free(run->sets[i]);
    }
    free(run->sets);
    run->sets = NULL;
}
