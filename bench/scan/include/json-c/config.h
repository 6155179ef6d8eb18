/* Stands in for the file that a configure script would write, on Linux. */
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_STRINGS_H 1
#define HAVE_LIMITS_H 1
#define STDC_HEADERS 1
