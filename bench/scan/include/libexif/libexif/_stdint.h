/* Stands in for the header that the configure script would write: the sizes of integers. */
#include <stdint.h>
