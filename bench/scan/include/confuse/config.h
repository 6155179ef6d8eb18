/* Stands in for the file that a configure script would write, on Linux. */
#define HAVE_STRDUP 1
#define HAVE_STRNDUP 1
#define HAVE_STRCASECMP 1
#define HAVE_STRING_H 1
#define HAVE_UNISTD_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_FMEMOPEN 1
#define HAVE_REALLOCARRAY 1
#define PACKAGE_VERSION "3.3"
#define PACKAGE_STRING "libConfuse 3.3"
