/* A handle is an object of another type behind a struct that nobody defines: a new one has no data yet.
   scan: certain null-dereference 16 */
#include <stdlib.h>
struct handle;
struct state {
  int count, *data;
};
struct handle *handle_new(int count) {
  struct state *state = calloc(1, sizeof *state);
  if (state) state->count = count;
  return (struct handle *)state;
}
int handle_first(struct handle *handle) {
  struct state *state = (struct state *)handle;
  if (!state) return -1;
  return state->data[0];
}
