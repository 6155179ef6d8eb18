/* Elements at unknown places of an array that ends its variable: beyond it is no element.
   expect: unsafe
   options: --function get --globals symbolic
   native: none (a function that is run alone) */
static struct {
    int count;
    char *names[10];
} list;

char *get(unsigned i)
{
    list.names[i % 10] = "";
    return i <= 10 ? list.names[i] : 0; /* BUG: out-of-bounds */
}
