/* What its build writes on 64-bit Linux. */
#define DEFAULT_RADIX 12
#ifndef HAVE_STDINT_H
#define HAVE_STDINT_H
#endif
#define SIZEOF_LONG 8
#ifndef HAVE_LONG_LONG
#define HAVE_LONG_LONG
#endif
#define SIZEOF_LONG_LONG 8
