/* Stands in for the header that CMake would write on 64-bit Linux. */
#define BSON_MAJOR_VERSION (2)
#define BSON_MINOR_VERSION (4)
#define BSON_MICRO_VERSION (0)
#define BSON_VERSION_S "2.4.0"
#define BSON_VERSION_HEX (BSON_MAJOR_VERSION << 24 | BSON_MINOR_VERSION << 16 | BSON_MICRO_VERSION << 8)
#define BSON_CHECK_VERSION(major, minor, micro) 1
