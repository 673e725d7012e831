/* output/memory.c: streams to memory: POSIX has them; Windows has files that are gone when they are
 * closed. */
#include "tools/output/memory.h"

#include <errno.h>
#include <stdlib.h>

static bool open_stream(out_memory *memory)
{
#if defined(_WIN32)
    memory->stream = tmpfile();
#else
    memory->stream = open_memstream(&memory->bytes, &memory->size);
#endif
    return memory->stream != NULL;
}

#if defined(_WIN32)
static bool close_stream(out_memory *memory)
{
    const bool written = !ferror(memory->stream) && fflush(memory->stream) == 0;
    const long size = written ? ftell(memory->stream) : -1;
    memory->bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
    memory->size = size >= 0 ? (size_t)size : 0;
    bool taken = memory->bytes != NULL && fseek(memory->stream, 0, SEEK_SET) == 0;
    taken = taken && fread(memory->bytes, 1, memory->size, memory->stream) == memory->size;
    return fclose(memory->stream) == 0 && taken;
}
#else
static bool close_stream(out_memory *memory)
{
    /* Without memory for the last bytes, glibc's fclose drops all of them and says nothing. */
    const bool written = fflush(memory->stream) == 0 && !ferror(memory->stream);
    const size_t size = memory->size;
    return fclose(memory->stream) == 0 && written && memory->bytes != NULL && memory->size == size;
}
#endif

bool out_memory_open(out_memory *memory)
{
    free(memory->bytes);
    *memory = (out_memory){ .stream = NULL };
    return open_stream(memory);
}

bool out_memory_take(out_memory *memory)
{
    errno = 0;
    const bool taken = close_stream(memory);
    memory->stream = NULL;
    if (!taken && errno == 0) {
        errno = ENOMEM;
    }
    return taken;
}

void out_memory_free(out_memory *memory)
{
    if (memory->stream != NULL) {
        fclose(memory->stream);
    }
    free(memory->bytes);
    *memory = (out_memory){ .stream = NULL };
}
