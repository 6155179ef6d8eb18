struct list;
struct list *list_new(void);
int list_add(struct list *list, int item);
void list_copy(struct list *to, const struct list *from);
