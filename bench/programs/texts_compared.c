/* A text of any length is compared with as many bytes of a name.

   expect: safe
   options: --strategy plain --function is_same --lengths measured --sizes pair
   paths: 6
*/
#include <stddef.h>
#include <string.h>

struct name
{
    size_t length;
    const unsigned char *bytes;
};

int is_same(const char *text, const struct name *name)
{
    size_t length;
    if (!text || !name || !name->bytes)
        return 0;
    length = strlen(text);
    return length == name->length && memcmp(text, name->bytes, name->length) == 0;
}
