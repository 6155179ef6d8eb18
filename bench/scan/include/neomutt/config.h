/* Stands in for the file that a configure script would write, on Linux. */
#define HAVE_STRSEP 1
#define HAVE_STRCASESTR 1
#define HAVE_STRCASECMP 1
