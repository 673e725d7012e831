/* VISIBLE of faces, parts and instances: pixels that the region gained are traced once, in tiles,
 * so that rays of a batch run together; then elements count their pixels. */
#include "bvh/select/elements.h"
#include "bvh/select/modes.h"
#include "bvh/select/rays.h"

#include "bvh/query/ray_query.h"

enum {
    TILE = 8,   /* pixels along each side */
    BANDS = 128 /* of 64 x 8 pixels, from one look at the clock to the next */
};

static SLI_NOINLINE void pixels_trace(const sl_selection *s, sli_pixel_batch *b)
{
    const sl_hit_d *hits = b->hits;
    /* The public call would take a kilobyte more of the stack, which is nearly used up below. */
    const sli_ray_query query = { .bvh = s->bvh,
                                  .options = &s->options,
                                  .kind = SLI_QUERY_CLOSEST,
                                  .by_world = true,
                                  .items = { .rays_d = b->rays },
                                  .hits = { .doubles = b->hits } };
    sli_world_query(&query, b->count, NULL);
    for (uint32_t i = 0; i < b->count; i++) {
        sli_pixel_shown *shown = &s->picture.shown[(size_t)b->y[i] * s->picture.width + b->x[i]];
        *shown = (sli_pixel_shown){ SL_NONE, SL_NONE };
        if (hits[i].prim != SL_NONE) {
            shown->instance = hits[i].instance;
            shown->element = sli_element_of(s, hits[i].instance, hits[i].prim, 0);
        }
    }
    b->count = 0;
}

/* Pixels of a row of a tile. */
static void pixels_add_row(const sl_selection *s, const sli_pixel_rays *rays, sli_pixel_batch *b,
                           uint32_t x, uint32_t y, uint64_t bits)
{
    sl_ray_d *to = b->rays + b->count;
    sli_pixel_rays_make(rays, x, y, to);
    for (uint32_t i = 0, kept = 0; i < TILE; i++) {
        if ((bits >> i & 1) != 0) {
            to[kept++] = to[i];
            b->x[b->count] = x + i;
            b->y[b->count++] = y;
        }
    }
    if (b->count > SLI_PIXEL_BATCH - TILE) {
        pixels_trace(s, b);
    }
}

/* The bits of a word that are to be traced. */
static uint64_t pixels_missing(const sli_picture *p, size_t word)
{
    return p->wanted[word] & ~p->known[word];
}

/* 64 columns of 8 rows, tile by tile. */
static SLI_NOINLINE void pixels_trace_tiles(const sl_selection *s, const sli_pixel_rays *rays,
                                            size_t band, sli_pixel_batch *b)
{
    const sli_picture *p = &s->picture;
    const uint32_t column = (uint32_t)(band % p->row_words), top = (uint32_t)(band / p->row_words);
    for (uint32_t tile = 0; tile < 64 / TILE; tile++) {
        for (uint32_t k = 0; k < TILE && top * TILE + k < p->height; k++) {
            const uint32_t y = top * TILE + k;
            const uint64_t bits =
                pixels_missing(p, (size_t)y * p->row_words + column) >> (tile * TILE);
            if ((bits & 0xFF) != 0) {
                pixels_add_row(s, rays, b, column * 64 + tile * TILE, y, bits);
            }
        }
    }
    for (uint32_t k = 0; k < TILE && top * TILE + k < p->height; k++) {
        const size_t word = (size_t)(top * TILE + k) * p->row_words + column;
        p->known[word] |= p->wanted[word];
    }
}

/* Items first .. first + count - 1, cut into shares. */
typedef struct job {
    const sl_selection *s;
    sli_pixel_rays rays;
    size_t first, count, shares;
} job;

static void pixels_run_share(void *context, size_t share)
{
    const job *j = context;
    sli_pixel_batch *b = &j->s->picture.batches[share];
    const size_t end = j->first + (share + 1) * j->count / j->shares;
    b->count = 0;
    for (size_t band = j->first + share * j->count / j->shares; band < end; band++) {
        pixels_trace_tiles(j->s, &j->rays, band, b);
    }
    if (b->count > 0) {
        pixels_trace(j->s, b);
    }
}

static void pixel_count(sl_selection *s, size_t row, uint32_t x, int by)
{
    const sli_pixel_shown shown = s->picture.shown[row * s->picture.width + x];
    if (shown.element != SL_NONE) {
        sli_count_element(s, shown.instance, shown.element, by);
    }
}

/* Pixels that came, or those that went. */
static void pixels_count(sl_selection *s, bool came)
{
    sli_picture *p = &s->picture;
    for (size_t y = 0; y < p->height; y++) {
        for (size_t column = 0; column < p->row_words; column++) {
            const size_t word = y * p->row_words + column;
            const uint64_t now = p->wanted[word] & p->known[word];
            const uint64_t changed = came ? now & ~p->counted[word] : p->counted[word] & ~now;
            for (uint64_t bits = changed; bits != 0; bits &= bits - 1) {
                pixel_count(s, y, (uint32_t)(column * 64) + (uint32_t)__builtin_ctzll(bits),
                            came ? 1 : -1);
            }
            p->counted[word] ^= changed;
        }
    }
}

static uint64_t pixels_count_missing(const sli_picture *p)
{
    uint64_t count = 0;
    for (size_t word = 0; word < (size_t)p->row_words * p->height; word++) {
        const uint64_t bits = pixels_missing(p, word);
        count += bits != 0 ? (uint64_t)__builtin_popcountll(bits) : 0;
    }
    return count;
}

void sli_select_pixels(sl_selection *s, const sl_tasks *tasks, uint64_t began_ns)
{
    sli_picture *p = &s->picture;
    sli_region_pixels(&s->regions[s->current], p);
    const uint64_t wanted = pixels_count_missing(p);
    const size_t bands = (size_t)p->row_words * ((p->height + TILE - 1) / TILE);
    job j = { .s = s, .shares = tasks != NULL ? SLI_PIXEL_BATCHES : 1 };
    sli_pixel_rays_open(&s->screen.view, &j.rays);
    for (size_t first = 0; first < bands && wanted > 0; first += BANDS) {
        j.first = first;
        j.count = bands - first < BANDS ? bands - first : BANDS;
        sli_select_shares(tasks, j.shares, pixels_run_share, &j);
        if (sli_select_is_late(s, began_ns)) {
            break;
        }
    }
    s->info.pending = s->budget_ms > 0 ? pixels_count_missing(p) : 0;
    s->info.traced = wanted - s->info.pending;
    pixels_count(s, true);
    pixels_count(s, false);
}
