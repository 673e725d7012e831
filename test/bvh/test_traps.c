/* test_traps.c: no public function raises a trap in a caller that has unmasked every floating-point
 * exception, whatever denormal numbers it is given, and those of scenes whatever numbers at all;
 * and the caller's environment is kept.
 *
 * A comparison or conversion of a denormal is enough for a trap, so isfinite(x) is, and so is
 * printing a double in a message.  The calls are those of every_call.h, which the headers
 * make. */
#include "test/support/environment/callers_env.h"
#include "test/support/query/every_call.h"
#include "test/support/test.h"

#include <signal.h>
#include <unistd.h>

/* ---- A format that gives the sink denormal numbers */

static bool recognise(const sl_mesh_input *input)
{
    return input->size > 5 && memcmp(input->bytes, "traps", 5) == 0;
}

static sl_result load(const sl_mesh_input *input, sl_mesh_sink *sink, sl_error *out)
{
    const double xyz[3] = { 0x1p-1070, 0x1p-140, -0x1p-149 };
    uint32_t name = 0;
    (void)input;
    (void)out;
    bool good = sl_mesh_sink_reserve(sink, 1, 1) && sl_mesh_sink_spend(sink, 1, false) &&
                sl_mesh_sink_spend(sink, 1, true) && sl_mesh_sink_progress(sink, 0x1p-1070) &&
                sl_mesh_sink_name(sink, "part", 4, &name) &&
                sl_mesh_sink_part(sink, name, name, name, SL_NONE);
    sl_mesh_sink_at(sink, 0, 1);
    sl_mesh_sink_attributes(sink, 0);
    good = good && sl_mesh_sink_note(sink, SL_NOTE_UNKNOWN, "word", 1) &&
           sl_mesh_sink_vertex(sink, xyz) && sl_mesh_sink_face(sink) &&
           !sl_mesh_sink_locating(sink);
    for (uint32_t corner = 0; corner < 3; corner++) {
        good = good && sl_mesh_sink_corner(sink, 0);
    }
    return good ? SL_OK : SL_CANCELLED;
}

/* ---- Files */

static void make_files(void)
{
    const char *folder = getenv("TMPDIR");
    folder = folder != NULL && strlen(folder) < 30 ? folder : "/tmp";
    snprintf(in.ply_path, sizeof in.ply_path, "%s/traps-%ld.ply", folder, (long)getpid());
    snprintf(in.slt_path, sizeof in.slt_path, "%s/traps-%ld.slt", folder, (long)getpid());
    snprintf(in.written, sizeof in.written, "%s/traps-%ld.out", folder, (long)getpid());
    in.ply.xyz = in.ply.quality = in.xyz;
    in.ply.vertex_count = COUNT;
    in.ply.indices = in.indices;
    in.ply.triangle_count = COUNT / 3;
    assert_int_equal(sl_ply_write(in.ply_path, &in.ply, NULL), SL_OK);
    assert_int_equal(sl_bvh_save(in.bvh, in.slt_path, NULL), SL_OK);
    in.saved_size = sl_bvh_save_memory(in.bvh, NULL);
    in.saved = malloc(in.saved_size);
    assert_non_null(in.saved);
    sl_bvh_save_memory(in.bvh, in.saved);
    in.off_size = (size_t)snprintf(in.off, sizeof in.off,
                                   "OFF\n3 1 0\n1e-42 0 0\n0 1e-44 "
                                   "1e-310\n0 0 -1e-40\n3 0 1 2\n");
}

static int trapping; /* number of the environment; -1: this machine has none */

static void find_trapping(void)
{
    trapping = callers_env_count() - 1;
    while (trapping >= 0 && strcmp(callers_env_name(trapping), "trapping") != 0) {
        trapping--;
    }
}

TEST_BEFORE_ALL
{
    static const sl_mesh_format of_traps = {
        .name = "traps", .ending = ".traps", .recognise = recognise, .load = load
    };
    static const sl_mesh_format *const formats[] = { &of_traps, NULL };
    find_trapping();
    every_call_begin();
    in.mesh_def.formats = formats;
    in.mesh_def.recentre = true;
    make_files();
}

TEST_AFTER_ALL
{
    free(in.saved);
    every_call_end();
    assert_int_equal(unlink(in.ply_path) | unlink(in.slt_path) | unlink(in.written), 0);
}

/* ---- The tests */

static sigjmp_buf before_call;

static void on_trap(int number)
{
    (void)number;
    siglongjmp(before_call, 1);
}

/* False where the call raised a trap or changed the environment. */
static bool is_quiet(int which)
{
    if (sigsetjmp(before_call, 1) != 0) {
        callers_env_reset();
        return false;
    }
    callers_env_set(trapping);
    every_call_make(which);
    const bool kept = callers_env_leave(trapping);
    every_call_free();
    return kept;
}

TEST(no_function_raises_a_trap)
{
    if (trapping < 0) {
        skip();
    }
    struct sigaction action = { .sa_handler = on_trap }, old;
    assert_int_equal(sigaction(SIGFPE, &action, &old), 0);
    int trapped = 0;
    for (int i = 0; i < every_call_count; i++) {
        if (!is_quiet(i)) {
            print_message("%s traps\n", every_call_name(i));
            trapped++;
        }
    }
    assert_int_equal(sigaction(SIGFPE, &old, NULL), 0);
    assert_int_equal(trapped, 0);
}

/* On a scene, a tree and a tree of denormal numbers, with wild numbers of each kind in each
 * place. */
TEST(no_number_raises_a_trap)
{
    if (trapping < 0) {
        skip();
    }
    struct sigaction action = { .sa_handler = on_trap }, old;
    assert_int_equal(sigaction(SIGFPE, &action, &old), 0);
    volatile int trapped = 0;
    for (volatile int i = 0; i < 3 * WILD_KINDS * WILD_PLACES; i++) {
        const sl_bvh *const trees[3] = { sc.scene, in.torus, in.bvh };
        asked = trees[i % 3];
        wild_fill(&sc, i / 3 / WILD_PLACES, i / 3 % WILD_PLACES);
        for (volatile int call = every_call_first_of_trees; call < every_call_count; call++) {
            if (!is_quiet(call)) {
                print_message("%s traps, tree %d, kind %d in place %d\n", every_call_name(call),
                              i % 3, i / 3 / WILD_PLACES, i / 3 % WILD_PLACES);
                trapped++;
            }
        }
    }
    assert_int_equal(sigaction(SIGFPE, &old, NULL), 0);
    assert_int_equal(trapped, 0);
}

/* The traps are really on. */
TEST(a_comparison_of_a_denormal_traps)
{
    if (trapping < 0) {
        skip();
    }
    struct sigaction action = { .sa_handler = on_trap }, old;
    volatile float tiny = 0x1p-147f;
    volatile bool is = false;
    assert_int_equal(sigaction(SIGFPE, &action, &old), 0);
    const bool trapped = sigsetjmp(before_call, 1) != 0;
    if (!trapped) {
        callers_env_set(trapping);
        is = tiny < 1;
    }
    callers_env_reset();
    assert_int_equal(sigaction(SIGFPE, &old, NULL), 0);
    assert_true(trapped && !is);
}

TEST(every_function_of_the_headers_is_called)
{
    assert_true(every_call_count > 300);
}
