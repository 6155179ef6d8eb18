typedef struct { const char *text; int used; } counter;
struct buffer { counter *first; };

int used_of(const struct buffer *b) { return b->first && b->first->text ? b->first->used : -1; }
