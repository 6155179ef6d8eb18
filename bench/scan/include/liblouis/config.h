#define PACKAGE_VERSION "3.38.0"
#define TABLESDIR "/usr/local/share/liblouis/tables"
#include <stdbool.h>
