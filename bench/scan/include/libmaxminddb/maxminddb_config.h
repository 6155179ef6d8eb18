/* Stands in for the file that a configure script would write, on Linux. */
#define MMDB_UINT128_USING_MODE 0
#define MMDB_UINT128_IS_BYTE_ARRAY 0
#define PACKAGE_VERSION "1.12.2"
