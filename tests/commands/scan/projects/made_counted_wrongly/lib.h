struct object;
struct object *object_new(int value);
void object_release(struct object *object);
int object_value(struct object *object);
