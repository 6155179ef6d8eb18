/* What its configure script writes on 64-bit Linux, as far as the files of its times need it. */
#define HAVE_TIME_H 1
#define HAVE_STRUCT_TM_TM_GMTOFF 1
