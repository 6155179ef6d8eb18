#ifndef IGRAPH_EXPORT_H
#define IGRAPH_EXPORT_H
#define IGRAPH_EXPORT
#define IGRAPH_NO_EXPORT
#define IGRAPH_DEPRECATED __attribute__ ((__deprecated__))
#endif
