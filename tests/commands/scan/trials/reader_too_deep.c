/* What is open is kept between calls; one level too many writes behind the reader's block. One text has hardly enough
   of them for exploration.
   scan: certain out-of-bounds 35 */
#include <stdlib.h>
#include <string.h>

struct reader { unsigned char *open; unsigned depth; unsigned long names; };

struct reader *reader_new(void)
{
    struct reader *reader = calloc(1, sizeof(struct reader));
    if (reader && !(reader->open = malloc(12))) {
        free(reader);
        return NULL;
    }
    return reader;
}

void reader_free(struct reader *reader)
{
    free(reader->open);
    free(reader);
}

int reader_feed(struct reader *reader, const unsigned char *data, size_t size)
{
    int after_name = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] >= 'a' && data[i] <= 'z') {
            reader->names++;
            after_name = 1;
        } else if ((data[i] == '(' || data[i] == '[') && after_name) {
            if (reader->depth > 12)
                return -2;
            reader->open[reader->depth++] = data[i];
            after_name = 0;
        } else if (data[i] == ')' || data[i] == ']') {
            if (reader->depth == 0 || reader->open[reader->depth - 1] + (data[i] == ')' ? 1 : 2) != data[i])
                return -1;
            reader->depth--;
            after_name = 1;
        } else {
            return -1;
        }
    }
    return 0;
}
