#ifndef IGRAPH_VERSION_H
#define IGRAPH_VERSION_H
#include "igraph_decls.h"
#define IGRAPH_VERSION "1.0.0"
#define IGRAPH_VERSION_MAJOR 1
#define IGRAPH_VERSION_MINOR 0
#define IGRAPH_VERSION_PATCH 0
#define IGRAPH_VERSION_PRERELEASE ""
IGRAPH_EXPORT void igraph_version(const char **version_string, int *major, int *minor, int *subminor);
#endif
