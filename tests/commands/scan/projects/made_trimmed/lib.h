#include <stddef.h>
struct text;
struct text *text_new(void);
size_t text_length(struct text *self);
void text_push(struct text *self, char character);
void text_trim(struct text *self);
