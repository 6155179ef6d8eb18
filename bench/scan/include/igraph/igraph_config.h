#ifndef IGRAPH_CONFIG_H
#define IGRAPH_CONFIG_H
#include "igraph_decls.h"
#define IGRAPH_INTEGER_SIZE 64
#define IGRAPH_DEPRECATED_ENUMVAL __attribute__ ((deprecated))
#define IGRAPH_BOOL_TYPE bool
#endif
