/* The caller's functions make blocks and free them.
   scan: conditional leak 9 */
#include <stddef.h>

struct pair { void *left, *right; };

int make_pair(struct pair *pair, void *(*make)(size_t size), void (*drop)(void *block)) {
  if (!pair || !make || !drop) return -1;
  if (!(pair->left = make(8))) return -1;
  if (!(pair->right = make(8))) {
    drop(pair->left);
    pair->left = NULL;
    return -1;
  }
  return 0;
}
