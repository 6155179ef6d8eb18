/* Stands in for the header that a configure script would write. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MXML_VERSION "Mini-XML v3.3.1"
extern char *_mxml_strdupf(const char *, ...);
extern char *_mxml_vstrdupf(const char *, va_list);
#define HAVE_SNPRINTF 1
#define HAVE_STRDUP 1
#define HAVE_STRLCAT 1
#define HAVE_STRLCPY 1
#define HAVE_VSNPRINTF 1
#define HAVE_LONG_LONG_INT 1
