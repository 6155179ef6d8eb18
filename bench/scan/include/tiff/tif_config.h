/* Stands in for the header that the configure script would write. */
#include "tiffconf.h"
#define HAVE_ASSERT_H 1
#define HAVE_FCNTL_H 1
#define HAVE_STRINGS_H 1
#define HAVE_UNISTD_H 1
#define PACKAGE_NAME "LibTIFF"
#define SIZEOF_SIZE_T 8
#define TIFF_SIZE_FORMAT PRIu64
#define TIFF_SSIZE_FORMAT PRId64
