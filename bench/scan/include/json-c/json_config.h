/* Stands in for the file that a configure script would write, on Linux. */
#define JSON_C_HAVE_INTTYPES_H 1
#define JSON_C_HAVE_STDINT_H 1
