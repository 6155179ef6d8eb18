/* The locks of streams are the engine's, once there are several threads: see src/locks.c. */
#ifndef UNFORK_STDIO_IMPL_H
#define UNFORK_STDIO_IMPL_H

#include_next "stdio_impl.h"

extern hidden int unfork_has_threads;
void unfork_library_lock(void *);
void unfork_library_unlock(void *);

#undef FFINALLOCK
#undef FLOCK
#undef FUNLOCK
#define FFINALLOCK(f) (unfork_has_threads ? unfork_library_lock(f) : (void)0)
#define FLOCK(f) (unfork_has_threads ? unfork_library_lock(f) : (void)0)
#define FUNLOCK(f) (unfork_has_threads ? unfork_library_unlock(f) : (void)0)

/* What `work`, an int, is with the stream locked. */
#define UNFORK_LOCKED(f, work) ({ FLOCK(f); int result = (work); FUNLOCK(f); result; })

#endif
