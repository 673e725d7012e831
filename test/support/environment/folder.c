#include "test/support/environment/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/sightline-test-XXXXXX";

const char *in_folder(const char *name)
{
    static char paths[4][300];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

int folder_enter(void **state)
{
    (void)state;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return mkdtemp(folder) != NULL ? 0 : -1;
}

int files_in_folder(void)
{
    int count = 0;
    DIR *all = opendir(folder);
    struct dirent *entry;
    while ((entry = readdir(all)) != NULL) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(all);
    return count;
}

int folder_leave(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "chmod -R u+w '%s' && rm -rf '%s'", folder, folder);
    return system(command) == 0 ? 0 : -1;
}

void put(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

bool holds(const char *path, const void *bytes, size_t size)
{
    static char found[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    const size_t got = fread(found, 1, sizeof found, file);
    fclose(file);
    return got == size && memcmp(found, bytes, size) == 0;
}

int open_descriptors(void)
{
    int count = 0;
    for (int i = 0; i < 256; i++) {
        count += fcntl(i, F_GETFD) != -1;
    }
    return count;
}

const uint8_t *long_text(size_t *size)
{
    static uint8_t text[100000];
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = (uint8_t)(i * i >> 7);
    }
    *size = sizeof text;
    return text;
}
