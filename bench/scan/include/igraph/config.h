/* igraph on Linux: config.h as cmake writes it with the default options. */
#define HAVE_STRCASECMP 1
#define HAVE_STRNCASECMP 1
#define HAVE_STRDUP 1
#define HAVE_STRNDUP 1
#define HAVE_USELOCALE 1
#define HAVE_BUILTIN_OVERFLOW 1
#define HAVE___UINT128_T 1
#define INTERNAL_BLAS 1
#define INTERNAL_LAPACK 1
#define INTERNAL_ARPACK 1
#define INTERNAL_GMP 1
#define IGRAPH_F77_SAVE static _Thread_local
#define IGRAPH_THREAD_LOCAL _Thread_local
