/* peer.h: another library's single calls, where one is there: Embree 3, as bench reaches it. */
#pragma once

#include "test/cliffs/scene.h"

typedef struct cliff_peer cliff_peer;

cliff_peer *peer_open(const cliff_scene *scene); /* NULL: there is none */
void peer_close(cliff_peer *peer);               /* NULL is fine */

/* Chooses the faster of the peer's trees for questions, which must stay.  False: a call that the
 * peer does not have. */
bool peer_set(cliff_peer *peer, const bench_rays *queries);

/* All of them, one in a call. */
void peer_ask(cliff_peer *peer);
