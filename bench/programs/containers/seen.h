/* Predicate coverage: which combinations of a container's predicates occur where.

   SEEN(predicates) records a place (its line) with the values of the predicates there, as bits of a number below 256. */
#ifdef PREDICATES
#include "unfork.h"
#define SEEN(predicates) unfork_cover(__LINE__ * 256 + (int)(predicates))
#else
#define SEEN(predicates) (void)0
#endif
