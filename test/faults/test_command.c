/* The command, refused every allocation in turn: it ends as always, with the same output, or says
 * that there is no memory; it never crashes, and never leaves a part of a file.
 * Started with the malloc of failing_malloc.c in front of the system's. */
#include "test/support/environment/folder.h"
#include "test/support/test.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 16, FAILED = 4, REPORT = 9, EVERY = 3, LEAST = 600 };

/* What is typed, in a folder with cube.obj and rays.txt; the file "made" is what it makes.  (Not
 * info, which tells how long things took.) */
static const char *const lines[] = {
    "check cube.obj --json",
    "build cube.obj -o made -q",
    "cast cube.obj --rays rays.txt --threads 2",
    "cast cube.obj --rays rays.txt -o made",
    "cast scene.json --rays rays.txt --double",
    "cast nodes.gltf --nodes --rays rays.txt",
    "los cube.obj --from 3,0,0 --to -3,0,0",
    "nearest cube.obj --points points.txt",
    "inside cube.obj --points points.txt --json",
    "overlap cube.obj --sphere 0,0,0,2",
    "sweep cube.obj --hull @cube.obj --dir 0,0,1",
    "clash cube.obj scene.json --solids --mode count",
    "clash cube.obj cube.obj --mode curves --csv",
    "clash scene.json --margin 20 --solids --of 'm*' --against 's*,n*' --json",
    "clash scene.json --margin 20 --bcf made -q",
    "clash cube.obj scene.json --picture made --size 9x9 -q",
    "distance cube.obj scene.json",
    "sweep cube.obj --sphere 0.5,0.5,3,1 --dir 0,0,-4",
    "pick cube.obj --size 9x9 --pixel 4,4",
    "render cube.obj --size 16x12 --samples 1 -q -o made",
    "verify cube.obj --rays rays.txt --answers lists.csv --mode all --json",
    "verify cube.obj --rays rays.txt --answers lists.csv --picture made --size 9x9 -q",
    "bake ao cube.obj --rays 8 -o made -q",
    "--help",
};

typedef struct outcome {
    int status; /* of waitpid */
    bool refused;
    uint8_t out[MOST_BYTES], made[MOST_BYTES];
    size_t out_size, made_size; /* made_size SIZE_MAX: there is none */
    int files;
} outcome;

static size_t injections, survived;

static size_t read_back(const char *name, uint8_t bytes[MOST_BYTES])
{
    FILE *file = fopen(in_folder(name), "rb");
    if (file == NULL) {
        return SIZE_MAX;
    }
    const size_t size = fread(bytes, 1, MOST_BYTES, file);
    fclose(file);
    assert_in_range(size, 0, MOST_BYTES - 1);
    return size;
}

/* Runs one line in the folder; fault: NULL, or for SIGHTLINE_FAULT. */
static void run_line(const char *line, const char *fault, outcome *found)
{
    int report[2];
    char command[1024], byte;
    assert_int_equal(pipe(report), 0);
    snprintf(command, sizeof command, "cd %s && exec env LD_PRELOAD=%s %s%s%s %s %s 9>&%d",
             in_folder("."), FAULTS_PRELOAD, fault != NULL ? "SIGHTLINE_FAULT='" : "",
             fault != NULL ? fault : "", fault != NULL ? "'" : "", SIGHTLINE_COMMAND, line,
             report[1]);
    strncat(command, " >out 2>err", sizeof command - strlen(command) - 1);
    found->status = system(command);
    close(report[1]);
    found->refused = read(report[0], &byte, 1) == 1;
    close(report[0]);
    found->out_size = read_back("out", found->out);
    found->made_size = read_back("made", found->made);
    unlink(in_folder("made"));
    found->files = files_in_folder();
}

/* What is printed beside a file that is made may tell how long it took. */
static bool same(const outcome *a, const outcome *b)
{
    const bool made = a->made_size != SIZE_MAX;
    const bool alike =
        made ? a->made_size == b->made_size && memcmp(a->made, b->made, a->made_size) == 0
             : b->made_size == SIZE_MAX && a->out_size == b->out_size &&
                   memcmp(a->out, b->out, a->out_size) == 0;
    return a->status == b->status && alike;
}

static bool says_no_memory(const outcome *found)
{
    return WIFEXITED(found->status) && WEXITSTATUS(found->status) == FAILED &&
           found->made_size == SIZE_MAX;
}

static void refuse_each(const char *line, const char *how)
{
    static outcome plain, found;
    run_line(line, NULL, &plain);
    for (size_t n = 0;; n += n < 40 ? 1 : EVERY) {
        char fault[64];
        snprintf(fault, sizeof fault, "%zu %s", n, how);
        run_line(line, fault, &found);
        if (!same(&plain, &found) && !says_no_memory(&found)) {
            fail_msg("'%s', allocation %s: status %#x", line, fault, (unsigned)found.status);
        }
        assert_int_equal(found.files, plain.files);
        if (!found.refused) {
            return;
        }
        injections++;
        survived += same(&plain, &found);
    }
}

TEST_ONCE(folder_enter, folder_leave);

TEST(without_memory_the_command_works_or_says_so)
{
    static const char scene[] =
        "{\"sightline\":\"scene\",\"schema\":1,\"meshes\":{\"a cube of many\":{\"file\":"
        "\"cube.obj\",\"hash\":\"2571838b976ae36d\"}},\"scenes\":{\"s\":{\"instances\":[{\"mesh\":"
        "\"a cube of "
        "many\",\"name\":\"n\",\"translation\":[12.5,0,0]}]}},\"instances\":[{\"scene\":"
        "\"s\"},{\"scene\":\"s\",\"name\":\"m\",\"rotation\":[0,1,0,1]}]}";
    static const char nodes[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"row\",\"children\":[1,2]},"
        "{\"mesh\":0},{\"mesh\":0,\"translation\":[2,0,0]}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":"
        "5126,"
        "\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAA"
        "AAAAgD8AAAAA\"}]}";
    static const char rays[] = "3 0 0  -1 0 0\n0 3 0  0 -1 0\n5 5 5  1 0 0\n", points[] = "2 0 0\n";
    static const char lists[] = "ray,t,prim\n0,2,0\n1,2,10\n2,1,3\n";
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "0", 1), 0); /* of BCF files */
    put(in_folder("rays.txt"), rays, sizeof rays - 1);
    put(in_folder("points.txt"), points, sizeof points - 1);
    put(in_folder("lists.csv"), lists, sizeof lists - 1);
    put(in_folder("scene.json"), scene, sizeof scene - 1);
    put(in_folder("nodes.gltf"), nodes, sizeof nodes - 1);
    char copy[512];
    snprintf(copy, sizeof copy, "cp '%s/test/data/cube.obj' '%s'", SOURCE_DIR, in_folder("."));
    assert_int_equal(system(copy), 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        refuse_each(lines[i], "once");
        refuse_each(lines[i], "on");
    }
    print_message("%zu allocations refused, %zu of them made no difference\n", injections,
                  survived);
    assert_true(injections >= LEAST);
}
