/* What packets may cost, and when they are given up (packet/packet.inl).
 *
 * A packet pays where its rays visit the same nodes and triangles; where they do not, it can cost
 * hundreds of times what its rays cost on their own, and nothing that can be seen of the rays tells
 * which.  So each traversal counts what it costs, and is abandoned where that is no gain; its rays
 * are then traced like all others.  Steps are counted, never time, so that what is done with a
 * batch depends on the batch alone.
 *
 * Each kind of packet has an account in a batch.  What packets cost less than their rays on their
 * own goes in, and what abandoned packets have spent goes out; besides, each packet that could be
 * tried brings in a small share of what its rays cost.  A packet is tried where there is credit
 * enough, and may spend no more than that.  So all packets of a batch that are abandoned together
 * cost no more than that share and what there was to begin with, unless others have saved more.
 *
 * What rays cost on their own is not known before: it is estimated from two rays of the first
 * packet that is not cheap, which are traced one by one, and of each that is about to be
 * abandoned. */
#ifndef SLI_KERNEL_PACKET_BUDGET_INL
#define SLI_KERNEL_PACKET_BUDGET_INL

#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/single/single.inl"
#include "lib/base/inline.h"

/* Costs in units in which a node step of the interleaved traversal is 8, as in
 * packet/hybrid_state.inl.  Fitted to measured times of 230 pictures; no answer depends on them. */
enum {
    /* A ray by itself, interleaved. */
    PACKET_COST_RAY = 26,
    PACKET_COST_NODE = 8,
    PACKET_COST_TRIANGLE = 5,
    PACKET_COST_DOUBLES = 18,
    /* No packet's rays cost less by themselves. */
    PACKET_USUAL_MIN = PACKET_COST_RAY * PACKET,
    PACKET_COST_REFUSED = PACKET_USUAL_MIN / 8, /* rays that turn out not to be coherent */
    /* Shares of what the rays of a packet cost by themselves. */
    PACKET_CREDIT_FEW = 4,  /* a quarter to begin with, in a batch of fewer than PACKETS_MANY */
    PACKET_CREDIT_MANY = 2, /* and a half in others, and for a packet to be tried */
    PACKETS_MANY = 8,
    PACKET_CREDIT_SHARE = 32, /* a 32nd for each packet that is due */
    PACKET_CREDIT_MAX = 4,    /* four packets */
};

/* The account of one kind of packet, in a batch. */
typedef struct packet_account {
    int32_t usual; /* what the rays of a packet cost by themselves */
    int32_t credit;
    int32_t share; /* a packet is tried where usual / share is there */
    bool known;    /* usual is an estimate from rays, not the least possible */
} packet_account;

/* Opens an account for a batch of so many packets. */
static void packet_account_open(packet_account *a, size_t packets)
{
    const int32_t share = packets < PACKETS_MANY ? PACKET_CREDIT_FEW : PACKET_CREDIT_MANY;
    *a = (packet_account){ .usual = PACKET_USUAL_MIN,
                           .credit = PACKET_USUAL_MIN / share,
                           .share = share };
}

static void packet_account_add(packet_account *a, int32_t gain)
{
    const int32_t credit = a->credit + gain, most = a->usual * PACKET_CREDIT_MAX;
    a->credit = credit < most ? credit : most;
}

/* Whether the next packet is to be tried. */
static bool packet_account_due(packet_account *a)
{
    const int32_t share = a->usual / PACKET_CREDIT_SHARE;
    const int32_t least = PACKET_USUAL_MIN / (PACKET_CREDIT_SHARE / 2);
    packet_account_add(a, share > least ? share : least);
    return a->credit >= a->usual / a->share;
}

/* What the next packet may spend: its credit, but less than what its rays cost by themselves. */
static uint32_t packet_account_limit(const packet_account *a)
{
    const int32_t most = a->usual / 8 * 7;
    return (uint32_t)(a->credit < most ? a->credit : most);
}

/* Enters what a packet has spent, and what it has saved if it was not abandoned. */
static void packet_account_enter(packet_account *a, uint32_t spent, bool done)
{
    const int32_t cost = spent < (uint32_t)a->usual * 2 ? (int32_t)spent : a->usual * 2;
    packet_account_add(a, (done ? a->usual : 0) - cost);
}

/* What PACKET rays like this one cost by themselves; the ray is traced for it. */
static int32_t packet_sample(interleaved_state *r, size_t index)
{
    sl_stats spent = { .rays = 0 };
    sl_hit hit;
    (void)single_closest(r->batch, index, &hit, &spent);
    spent.rays = spent.hits = 0;
    add_stats_to(&spent, &r->stats);
    const uint64_t cost = PACKET_COST_RAY + PACKET_COST_NODE * spent.nodes +
                          PACKET_COST_TRIANGLE * spent.triangles +
                          PACKET_COST_DOUBLES * spent.double_stage;
    return (int32_t)(cost < UINT16_MAX ? cost : UINT16_MAX) * PACKET;
}

/* A packet of these rays from index first on has spent more than its limit: corrects the estimate.
 * Returns the limit that now holds.  Rare: kept out of the loops. */
static SLI_NOINLINE uint32_t packet_account_review(packet_account *a, interleaved_state *r,
                                                   size_t first, uint64_t rays)
{
    const uint64_t later = rays & UINT64_MAX << PACKET / 3;
    const uint32_t one = (uint32_t)__builtin_ctzll(later != 0 ? later : rays);
    const uint32_t two = 63 - (uint32_t)__builtin_clzll(rays);
    const int32_t mean = (packet_sample(r, first + one) + packet_sample(r, first + two)) / 2;
    if (a->known) {
        a->usual = (a->usual * 3 + mean) / 4;
    } else {
        a->known = true;
        a->credit = (int32_t)((int64_t)a->credit * mean / a->usual);
        a->usual = mean;
    }
    return packet_account_limit(a);
}

#endif
