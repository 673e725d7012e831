#include "test/fuzz/scratch.h"

#include "test/fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static const char cube[] =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
static const char rays[] = "# rays\n0.5 0.5 -1 0 0 1\n0.25 0.75 2 0 0 -1 0 5\n3 3 3 1 0 0\n";
static const char points[] = "0.5 0.5 0.5\n2 2 2\n1,1,0\n";

static char folder[] = "/tmp/sightline-fuzz-XXXXXX";

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        fuzz_fail("no file in the scratch folder");
    }
}

static void fill(void)
{
    OWN(sl_mesh) mesh = NULL;
    OWN(sl_bvh) bvh = NULL;
    write_file("cube.obj", cube);
    write_file("rays.txt", rays);
    write_file("points.txt", points);
    if (sl_mesh_load("cube.obj", NULL, &mesh, NULL) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, NULL) != SL_OK ||
        sl_bvh_save(bvh, "cube.slt", NULL) != SL_OK) {
        fuzz_fail("no tree in the scratch folder");
    }
}

static void empty(void)
{
    DIR *entries = opendir(folder);
    if (entries == NULL || chdir(folder) != 0) {
        fuzz_fail("the scratch folder is gone");
    }
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlink(entry->d_name) != 0) {
            fuzz_fail("something in the scratch folder cannot be removed");
        }
    }
    closedir(entries);
}

static void leave(void)
{
    empty();
    (void)rmdir(folder);
}

void scratch_enter(void)
{
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || atexit(leave) != 0) {
        fuzz_fail("no scratch folder");
    }
    fill();
}

void scratch_clean(void)
{
    empty();
    fill();
}
