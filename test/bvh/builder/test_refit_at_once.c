/* A tree is queried by some threads while others make versions of it, and of versions: each sees
 * the positions of its own version only.  Under a thread sanitizer (.ci/threads.sh) this is also
 * where races would be seen. */
#include "test/support/environment/crew.h"
#include "test/support/input/bent.h"
#include "test/support/query/every_question.h"
#include "test/support/test.h"

enum { THREADS = 8, FRAMES = 12, SEED = 3 };

typedef struct shared {
    sl_mesh *mesh;
    sl_bvh *bvh; /* of the first frame, which all hold */
    queries asked;
    answers expected;
} shared;

static const char *ask(const shared *all, answers *found)
{
    queries_run(all->bvh, &all->asked, found);
    return answers_differ(&all->expected, found);
}

/* A history of this thread's own, from the shared tree on. */
static const char *move(const shared *all, int thread)
{
    test_random random = { SEED + (uint64_t)thread };
    UNDONE(bent_free) bent to = bent_make(all->mesh);
    OWN(sl_bvh) now = NULL;
    OWN(sl_bvh) before = NULL;
    const char *wrong = NULL;
    for (int frame = 0; frame < FRAMES && wrong == NULL; frame++) {
        const sl_prim_range every = { 0, (uint32_t)to.triangle_count };
        const sl_prim_range range = { (uint32_t)frame * 20, 50 };
        sl_prim_range touched[16];
        sl_refit_def def = { 0 };
        sl_bvh *next = NULL;
        if (frame % 3 != 0) {
            def.dirty = touched;
            def.dirty_count = bent_touched(&to, range, touched, 16);
        }
        bent_move(&to, frame % 3 != 0 ? range : every, &random);
        def.recycle = before;
        if (sl_bvh_refit(now != NULL ? now : all->bvh, to.xyz, to.vertex_count, to.indices,
                         to.triangle_count, &def, &next, NULL) != SL_OK) {
            wrong = "an error";
            break;
        }
        sl_mesh *mesh = bent_mesh(&to);
        wrong = sl_bvh_check(next, mesh, NULL) ? NULL : "the checker";
        sl_mesh_destroy(mesh);
        before = now;
        now = next;
    }
    return wrong;
}

static const char *work(void *context, int thread)
{
    const shared *all = context;
    FREED answers *found = calloc(1, sizeof *found);
    const char *wrong = found != NULL ? NULL : "memory";
    for (int round = 0; round < 3 && wrong == NULL; round++) {
        wrong = thread % 2 != 0 ? move(all, thread) : ask(all, found);
    }
    return wrong;
}

TEST(versions_are_made_while_the_tree_is_queried)
{
    static shared all;
    test_random random = { SEED };
    sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH };
    all.mesh = made_soup(900, 0.3f, 3);
    all.bvh = made_bvh(all.mesh, &def);
    queries_make(all.mesh, &random, &all.asked);
    queries_run(all.bvh, &all.asked, &all.expected);
    crew_run(THREADS, work, &all);
    unmake_bvh(all.bvh, all.mesh);
}
