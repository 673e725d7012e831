/* Defs of another version: refused by their size, and nothing behind it is read.  Each stands at
 * the very end of memory that may be touched, so that reading on is a fault. */
#include <sightline/sightline.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* cmocka wants the four above first */
#include <cmocka.h>

typedef struct brink {
    unsigned char *pages; /* two; the second may not be touched */
    size_t page;
} brink;

static brink brink_make(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect((unsigned char *)pages + page, page, PROT_NONE), 0);
    return (brink){ pages, page };
}

/* A def that is nothing but its size. */
static void *brink_def(const brink *at)
{
    const size_t size = sizeof(size_t);
    unsigned char *def = at->pages + at->page - size;
    memcpy(def, &size, size);
    return def;
}

static void older_defs_are_refused_and_not_read_beyond_their_size(void **state)
{
    (void)state;
    const brink at = brink_make();
    void *def = brink_def(&at);
    static const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    sl_mesh *mesh = NULL, *other = NULL;
    sl_bvh *bvh = NULL;
    sl_camera camera;
    sl_error error;
    assert_int_equal(sl_mesh_from_arrays(xyz, 3, NULL, 1, NULL, &mesh, &error), SL_OK);
    const sl_aabb box = sl_mesh_get_info(mesh).bounds;
    const sl_soup soup = sl_mesh_soup(mesh);

    const sl_result results[] = {
        sl_bvh_build(mesh, def, &bvh, &error),
        sl_mesh_from_arrays(xyz, 3, NULL, 1, def, &other, &error),
        sl_mesh_load_memory("OFF 0 0 0", 9, NULL, def, &other, &error),
        sl_mesh_load("nowhere.obj", def, &other, &error),
        sl_mesh_weld(mesh, def, &other, NULL, &error),
        sl_camera_make(def, &camera, &error),
        sl_camera_fit(&box, (float[3]){ 0, 0, 1 }, def, &error),
        sl_camera_fit_soup(&soup, (float[3]){ 0, 0, 1 }, def, &error),
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        assert_int_equal(results[i], SL_INVALID_ARGUMENT);
    }
    assert_null(bvh);
    assert_null(other);
    assert_non_null(strstr(error.message, "sl_default_camera_def"));
    sl_mesh_destroy(mesh);
    assert_int_equal(munmap(at.pages, 2 * at.page), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_defs_are_refused_and_not_read_beyond_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
