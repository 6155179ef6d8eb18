/* Stands in for the header that the configure script would write. */
#ifndef JANSSON_CONFIG_H
#define JANSSON_CONFIG_H
#include <stdint.h>
#include <sys/types.h>
#define JSON_INLINE inline
#define JSON_INTEGER_IS_LONG_LONG 1
#define JSON_HAVE_LOCALECONV 1
#define JSON_HAVE_ATOMIC_BUILTINS 0
#define JSON_HAVE_SYNC_BUILTINS 0
#define JSON_PARSER_MAX_DEPTH 2048
#endif
