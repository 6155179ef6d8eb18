/* What its build writes on 64-bit Linux. */
#define DEFAULT_RADIX 12
#define HAVE_LONG_LONG
#define HAVE_POPEN
#define HAVE_SNPRINTF
#define HAVE_SYS_STAT_H
#define HAVE_SYS_TYPES_H
#define HAVE_UNISTD_H
#define HAVE_INTTYPES_H
#define HAVE_STDINT_H
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
