/* What packets may cost, and when they are given up (stream/packets_first.inl).
 *
 * A packet pays where its rays visit the same nodes and triangles; where they do not, it can cost
 * many times what its rays cost on their own, and nothing that can be seen of the rays tells which.
 * But a packet knows how many of its rays come to each node and leaf, which is what these rays
 * would have to do on their own.  So its walk counts both, what it spends and what it saves, and is
 * abandoned where that has run at a loss for a while; its rays are then traced like all others.
 * Steps are counted, never time, so that what is done with a batch depends on the batch alone.
 *
 * A batch has an account.  What packets save goes in, and what abandoned packets have spent goes
 * out; besides, each packet that could be tried brings in a small share of what its rays cost.  A
 * packet is tried where there is credit enough, and is abandoned when it has lost its limit and
 * a quarter of what it had gained before.  So all packets of a batch that are abandoned
 * together cost little more than that share and what there was to begin with, unless others have
 * saved more. */
#pragma once

#include "bvh/kernel/packet/rays.inl"

/* Costs in units in which a node step of the stream traversal is 8, as in
 * packet/hybrid_state.inl.  From measured times; no answer depends on them. */
enum {
    /* A ray by itself, interleaved. */
    PACKET_COST_RAY = 26,
    PACKET_COST_NODE = 8,
    PACKET_COST_TRIANGLE = 5,
    PACKET_COST_DOUBLES = 18,
    /* No packet's rays cost less by themselves. */
    PACKET_USUAL_MIN = PACKET_COST_RAY * PACKET,
    PACKET_USUAL_MAX = 1 << 22,
    PACKET_COST_REFUSED = PACKET_USUAL_MIN / 8, /* rays that turn out not to be coherent */
    /* Shares of what the rays of a packet cost by themselves. */
    PACKET_CREDIT_FEW = 4,  /* a quarter to begin with, in a batch of fewer than PACKETS_MANY */
    PACKET_CREDIT_MANY = 2, /* and a half in others, and for a packet to be tried */
    PACKETS_MANY = 8,
    PACKET_CREDIT_SHARE = 32, /* a 32nd for each packet that is due */
    PACKET_CREDIT_MAX = 64,   /* what that many of the cheapest packets cost, some ten others, or
                               * one packet, if that is more: else no dear one would be tried */
    PACKET_SOON = 8, /* what is missing then: an eighth, which four more packets bring in */
};

/* The account of the packets of a batch. */
typedef struct packet_account {
    int32_t usual; /* what the rays of a packet cost by themselves, by what the last ones met */
    int32_t credit;
    int32_t share;  /* a packet is tried where usual / share is there */
    int32_t gained; /* since a packet was abandoned */
} packet_account;

/* Opens an account for a batch of `packets` packets. */
static void packet_account_open(packet_account *a, size_t packets)
{
    const int32_t share = packets < PACKETS_MANY ? PACKET_CREDIT_FEW : PACKET_CREDIT_MANY;
    *a = (packet_account){ .usual = PACKET_USUAL_MIN,
                           .credit = PACKET_USUAL_MIN / share,
                           .share = share };
}

static void packet_account_add(packet_account *a, int32_t gain)
{
    const int32_t cheap = PACKET_USUAL_MIN * PACKET_CREDIT_MAX;
    const int32_t credit = a->credit + gain, most = a->usual > cheap ? a->usual : cheap;
    const int32_t least = -a->usual / 2;
    a->credit = credit < least ? least : credit < most ? credit : most;
}

/* Whether the next packet is to be tried. */
static bool packet_account_due(packet_account *a)
{
    const int32_t share = a->usual / PACKET_CREDIT_SHARE;
    const int32_t least = PACKET_USUAL_MIN / (PACKET_CREDIT_SHARE / 2);
    packet_account_add(a, share > least ? share : least);
    return a->credit >= a->usual / a->share;
}

/* What the next packet may lose, besides a share of what it gains first
 * (packet/frustum_traverse.inl), before it is abandoned: half of what it takes to be tried. */
static int32_t packet_account_limit(const packet_account *a)
{
    const int32_t most = a->usual / PACKET_CREDIT_MANY;
    return (a->credit < most ? a->credit : most) / 2;
}

/* Enters what a packet has spent, and what its rays would have spent as far as it went. */
static void packet_account_enter(packet_account *a, uint64_t spent, uint64_t saved, bool done)
{
    const uint64_t most = PACKET_USUAL_MAX;
    const int32_t alone = (int32_t)(saved < most ? saved : most);
    const int32_t cost = (int32_t)(spent < most ? spent : most), loss = a->usual * 2;
    const int32_t gain = (done ? alone : 0) - cost, most_gain = PACKET_USUAL_MAX;
    packet_account_add(a, gain > -loss ? gain : -loss);
    a->gained = done ? (gain < most_gain - a->gained ? a->gained + gain : most_gain) : a->gained;
    if (!done && a->gained >= loss) {
        /* The exception, which others have paid for: packets are tried again soon. */
        const int32_t soon = a->usual / a->share - a->usual / PACKET_SOON;
        a->credit = a->credit > soon ? a->credit : soon;
    }
    a->gained = done ? a->gained : 0;
    const int32_t mean = (a->usual * 3 + alone) / 4;
    if (alone > a->usual) {
        if (a->credit < a->usual) {
            a->credit = (int32_t)((int64_t)a->credit * mean / a->usual);
        }
        a->usual = mean;
    } else if (done) {
        a->usual = mean > PACKET_USUAL_MIN ? mean : PACKET_USUAL_MIN;
    }
}
