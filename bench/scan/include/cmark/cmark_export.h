/* Stands in for the cmark_export.h that CMake would write. */
#define CMARK_EXPORT
