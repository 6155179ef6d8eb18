/* Stands in for the config.h that CMake would write. */
#include <stdbool.h>
#define CMARK_ATTRIBUTE(list) __attribute__ (list)
#define CMARK_INLINE inline
