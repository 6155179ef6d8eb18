/* Folders by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <dirent.h>

struct dirent *readdir64(DIR *folder) { return readdir(folder); }
int readdir64_r(DIR *folder, struct dirent *to, struct dirent **next) { return readdir_r(folder, to, next); }
