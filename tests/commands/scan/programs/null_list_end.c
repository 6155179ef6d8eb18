/* The loop ends at the end of the list, where there is nothing to read.
   scan: certain null-dereference 7 */
struct node { struct node *next; int key; };

int value_at(const struct node *list, int key) {
  while (list && list->key != key) list = list->next;
  return list->key;
}
