/* Stands in for the header that CMake would write: assertions for debugging are off. */
