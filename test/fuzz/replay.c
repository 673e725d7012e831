/* replay.c: gives a fuzz target every file of the folders that are named, in any build. */
#include "test/fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fuzz_fail(path);
    }
    const long size = ftell(file);
    rewind(file);
    FREED uint8_t *bytes =
        malloc(size > 0 ? (size_t)size : 1); /* no more, so that a sanitizer sees */
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        fuzz_fail(path);
    }
    fclose(file);
    (void)LLVMFuzzerTestOneInput(bytes, (size_t)size);
}

static size_t replay_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    size_t count = 0;
    if (entries == NULL) {
        fuzz_fail(folder);
    }
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            replay_file(path);
            count++;
        }
    }
    closedir(entries);
    return count;
}

int main(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        const size_t files = replay_folder(words[i]);
        if (files == 0) {
            fuzz_fail("a folder without files");
        }
        printf("%s: %zu files\n", words[i], files);
    }
    return 0;
}
