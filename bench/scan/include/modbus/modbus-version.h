/* Stands in for the file that a configure script would write: the version. */
#define LIBMODBUS_VERSION_MAJOR 3
#define LIBMODBUS_VERSION_MINOR 1
#define LIBMODBUS_VERSION_MICRO 0
#define LIBMODBUS_VERSION_STRING "3.1.0"
#define LIBMODBUS_VERSION_CHECK(major, minor, micro) 1
