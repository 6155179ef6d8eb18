/* The getter returns null for what is no element; who calls the comparison knows what it hands over.
   scan: nothing */
struct node {
    int kind;
    char name[8];
};

static const char *name_of(const struct node *node)
{
    if (!node || node->kind != 1)
        return 0;
    return node->name;
}

int begins_otherwise(const char *name, const struct node *node)
{
    if (!name)
        return 1;
    return name[0] != name_of(node)[0];
}
