/* Stands in for the config.h that a configure script would write: nothing beyond C is asked for. */
