/* crew.h: threads that test something at once. */
#pragma once

/* What one of the threads does: what is wrong, or NULL. */
typedef const char *crew_work(void *shared, int thread);

/* Runs work(shared, 0 .. count - 1), each in a thread of its own, and waits for all; the test fails
 * with the words of those that return any. */
void crew_run(int count, crew_work *work, void *shared);
