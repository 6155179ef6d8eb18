/* Stands in for the header that the configure script would write. */
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#define TIFF_INT8_T int8_t
#define TIFF_INT16_T int16_t
#define TIFF_INT32_T int32_t
#define TIFF_INT64_T int64_t
#define TIFF_UINT8_T uint8_t
#define TIFF_UINT16_T uint16_t
#define TIFF_UINT32_T uint32_t
#define TIFF_UINT64_T uint64_t
#define TIFF_SSIZE_T int64_t
#define HAVE_IEEEFP 1
#define HOST_FILLORDER FILLORDER_LSB2MSB
#define HOST_BIGENDIAN 0
#define LOGLUV_SUPPORT 1
#define STRIPCHOP_DEFAULT TIFF_STRIPCHOP
