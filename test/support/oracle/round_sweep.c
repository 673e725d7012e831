/* First contacts of segments that move, judged by signs of distances at a few moments. */
#include "test/support/oracle/round_distance.h"

#include <math.h>
#include <stdio.h>

enum { CLOSE = 700, BISECTIONS = 2000 };

typedef struct moment {
    mpz_t t;
    unsigned shift;
    round_distance at;
    int gap;
} moment;

static void moment_init(moment *m)
{
    mpz_inits(m->t, m->at.num, m->at.den, NULL);
}

static void moment_clear(moment *m)
{
    mpz_clears(m->t, m->at.num, m->at.den, NULL);
}

static void moment_look(const round_scaled *s, moment *m)
{
    m->gap = round_gap_at(s, m->t, m->shift, &m->at);
    m->gap = (m->gap > 0) - (m->gap < 0);
}

static void moment_set(const round_scaled *s, double t, moment *m)
{
    const int scale = rational_scale(1, &t, 0);
    m->shift = (unsigned)scale;
    rational_scaled(m->t, t, scale);
    moment_look(s, m);
}

/* Halfway between two. */
static void moment_between(const round_scaled *s, const moment *a, const moment *b, moment *out)
{
    const unsigned shift = a->shift > b->shift ? a->shift : b->shift;
    mpz_t late;
    mpz_init(late);
    mpz_mul_2exp(out->t, a->t, shift - a->shift);
    mpz_mul_2exp(late, b->t, shift - b->shift);
    mpz_add(out->t, out->t, late);
    mpz_clear(late);
    out->shift = shift + 1;
    moment_look(s, out);
}

/* Whether there is contact, or (deep) overlap, between two moments at which there is none. */
static bool comes_near_between(const round_scaled *s, const moment *from, const moment *to,
                               bool deep)
{
    if (from->at.slope >= 0 || to->at.slope <= 0) {
        return false;
    }
    moment m[3];
    for (int i = 0; i < 3; i++) {
        moment_init(&m[i]);
    }
    for (int i = 0; i < 2; i++) {
        const moment *given = i == 0 ? from : to;
        mpz_set(m[i].t, given->t);
        m[i].shift = given->shift;
        moment_look(s, &m[i]);
    }
    int found = -1;
    for (int i = 0; i < BISECTIONS && found < 0; i++) {
        if (m[0].at.feature == m[1].at.feature && m[0].at.feature % 100 >= 10) {
            found = round_sign_of_least(s, m[0].at.feature) >= deep;
            break;
        }
        moment_between(s, &m[0], &m[1], &m[2]);
        if (m[2].gap <= 0 || m[2].at.slope == 0) {
            found = m[2].gap < 0 || (m[2].gap == 0 && (!deep || m[2].at.slope != 0));
            break;
        }
        if (i >= CLOSE && m[0].at.feature % 100 >= 10 && m[1].at.feature % 100 >= 10 &&
            round_sign_of_least(s, m[0].at.feature) < 0 &&
            round_sign_of_least(s, m[1].at.feature) < 0) {
            found = 0; /* there are only these two between */
        }
        moment *moved = &m[m[2].at.slope < 0 ? 0 : 1];
        mpz_set(moved->t, m[2].t);
        moved->shift = m[2].shift;
        moment_look(s, moved);
    }
    if (found < 0) {
        const int feature = m[0].at.feature % 100 >= 10 ? m[0].at.feature : m[1].at.feature;
        found = round_sign_of_least(s, feature) >= deep;
    }
    for (int i = 0; i < 3; i++) {
        moment_clear(&m[i]);
    }
    return found > 0;
}

/* Whether a shape that is apart at a moment overlaps later, if it moves on. */
static bool overlaps_later(const round_scaled *s, const moment *from)
{
    moment far;
    double t = 1;
    moment_init(&far);
    for (moment_set(s, t, &far); far.gap >= 0 && far.at.slope <= 0; t *= 2) {
        moment_set(s, t, &far);
    }
    const bool found = far.gap < 0 || comes_near_between(s, from, &far, true);
    moment_clear(&far);
    return found;
}

/* Whether a shape that touches at a moment without a slope did so a little before. */
static bool slides_before(const round_scaled *s, const moment *from, const moment *at)
{
    moment middle, start;
    bool found = false;
    moment_init(&middle);
    moment_init(&start);
    mpz_set(start.t, from->t);
    start.shift = from->shift;
    for (int i = 0; i < 60 && !found; i++) {
        moment_between(s, &start, at, &middle);
        found = middle.gap == 0;
        mpz_set(start.t, middle.t);
        start.shift = middle.shift;
    }
    moment_clear(&middle);
    moment_clear(&start);
    return found;
}

static bool is_odd(double x)
{
    uint64_t bits;
    union {
        double x;
        uint64_t bits;
    } u = { x };
    bits = u.bits;
    return (bits & 1) != 0;
}

/* Whether the first contact E is where the contact says, given that it is later than 0. */
static const char *wrong_time(const round_scaled *s, const sl_contact *contact)
{
    const double down = contact->t_safe, next = nextafter(down, INFINITY);
    const char *wrong = NULL;
    moment at, after, middle;
    moment_init(&at);
    moment_init(&after);
    moment_init(&middle);
    moment_set(s, down, &at);
    moment_set(s, next, &after);
    moment_between(s, &at, &after, &middle);
    if (!(down >= 0 && down <= 1) || (contact->t != down && contact->t != next)) {
        wrong = "t is not near t_safe";
    } else if (at.gap < 0 || (at.gap > 0 && at.at.slope >= 0) || (at.gap == 0 && at.at.slope > 0)) {
        wrong = "t_safe is later than the contact";
    } else if (at.gap > 0 && down == 1) {
        wrong = "beyond the motion";
    } else if (after.gap == 0 &&
               (after.at.slope < 0 || (after.at.slope == 0 && !slides_before(s, &at, &after)))) {
        wrong = "t_safe is too early: the next is right";
    } else if (at.gap > 0 && after.gap > 0 && !comes_near_between(s, &at, &after, false)) {
        wrong = "no contact at t_safe";
    } else if (at.gap > 0 && after.gap == 0 && after.at.slope == 0) {
        wrong = contact->t != (middle.gap > 0 ? next : down) ? "t is not the nearest" : NULL;
    } else if (at.gap > 0) {
        const int side = middle.gap > 0 && middle.at.slope < 0 ? 1 : middle.gap == 0 ? 0 : -1;
        const bool up = side > 0 || (side == 0 && is_odd(down));
        wrong = contact->t != (up ? next : down) ? "t is not the nearest" : NULL;
    } else {
        wrong = contact->t != down ? "t is not the exact one" : NULL;
    }
    moment_clear(&at);
    moment_clear(&after);
    moment_clear(&middle);
    return wrong;
}

static bool is_reported(sl_start_contact policy, bool recedes)
{
    return policy == SL_START_REPORT || (policy == SL_START_IGNORE_RECEDING && !recedes);
}

static const char *wrong_start(const round_scaled *s, const moment *start,
                               sl_start_contact touching, sl_start_contact overlapping, bool found,
                               const sl_contact *contact)
{
    const bool overlaps = start->gap < 0;
    const bool closing = !overlaps && s->moves && start->at.slope < 0;
    const bool meets = mpz_sgn(start->at.num) == 0;
    const bool recedes = overlaps ? !s->moves || (start->at.slope >= 0 && !meets) : !closing;
    if (found != is_reported(overlaps ? overlapping : touching, recedes)) {
        return found ? "reported at the start" : "not reported at the start";
    }
    const sl_start right = overlaps  ? SL_START_OVERLAPPING
                           : closing ? SL_START_TOUCHING_CLOSING
                                     : SL_START_TOUCHING_RECEDING;
    return found && (contact->start != right || contact->t != 0 || contact->t_safe != 0)
               ? "wrong start"
               : NULL;
}

bool round_case_is_right(const round_case *c, sl_start_contact touching,
                         sl_start_contact overlapping, bool ignore_grazing, bool found,
                         const sl_contact *contact)
{
    round_scaled s;
    moment start, end;
    round_scaled_make(c, &s);
    moment_init(&start);
    moment_init(&end);
    moment_set(&s, 0, &start);
    const char *wrong = NULL;
    if (start.gap <= 0) {
        wrong = wrong_start(&s, &start, touching, overlapping, found, contact);
    } else if (found) {
        wrong = contact->start != SL_START_APART ? "apart at the start" : wrong_time(&s, contact);
        wrong = ignore_grazing && !overlaps_later(&s, &start) ? "only grazed" : wrong;
    } else if (s.moves) {
        moment_set(&s, 1, &end);
        const bool met = end.gap <= 0 || comes_near_between(&s, &start, &end, false);
        wrong = met && (!ignore_grazing || overlaps_later(&s, &start)) ? "missed" : NULL;
    }
    if (wrong != NULL) {
        printf("%s\n", wrong);
        for (int i = 0; i < 3; i++) {
            printf("corner %a %a %a\n", c->corner[i][0], c->corner[i][1], c->corner[i][2]);
        }
        for (int i = 0; i < 2; i++) {
            printf("end %a %a %a\n", c->end[i][0], c->end[i][1], c->end[i][2]);
        }
        printf("dir %a %a %a radius %a t %a %a start %d\n", c->dir[0], c->dir[1], c->dir[2],
               c->radius, found ? contact->t : -1, found ? contact->t_safe : -1,
               found ? (int)contact->start : -1);
    }
    moment_clear(&start);
    moment_clear(&end);
    round_scaled_clear(&s);
    return wrong == NULL;
}
