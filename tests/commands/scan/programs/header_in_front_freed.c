/* What lies in front of a text, or of what a member leads to, is known to whoever made it.
   scan: conditional invalid-free 10
   scan: conditional null-dereference 14
   scan: conditional invalid-free 15 */
#include <stdlib.h>
struct sample { unsigned char *data; int length; };
void text_free(char *text)
{
    if (text)
        free(text - 8);
}
void sample_free(struct sample *sample)
{
    if (sample->data) {
        free(sample->data - 4);
        sample->data = 0;
    }
}
