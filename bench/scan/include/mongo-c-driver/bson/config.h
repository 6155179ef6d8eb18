/* Stands in for the header that CMake would write on 64-bit Linux. */
#define BSON_BYTE_ORDER 1234
#define BSON_HAVE_STDBOOL_H 1
#define BSON_OS 1
#define BSON_HAVE_CLOCK_GETTIME 1
#define BSON_HAVE_STRINGS_H 1
#define BSON_HAVE_STRNLEN 1
#define BSON_HAVE_SNPRINTF 1
#define BSON_HAVE_GMTIME_R 1
#define BSON_HAVE_TIMESPEC 1
#define BSON_HAVE_RAND_R 1
