struct list;
struct cursor;
struct list *list_new(void);
void list_add(struct list *self, int item);
struct cursor *cursor_new(struct list *list);
struct cursor *cursor_new_at(struct list *list, unsigned at);
int cursor_item(struct list *list, struct cursor *cursor);
