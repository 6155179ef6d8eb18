/* The name is cut to the size of its buffer, with no room for its end.

   report: confirmed
*/
#include <string.h>
unsigned hash_of(const char *text)
{
    char name[16];
    unsigned hash = 5381;
    size_t length = strlen(text);
    if (length > sizeof name)
        length = sizeof name;
    memcpy(name, text, length);
    name[length] = '\0';
    for (const char *c = name; *c != '\0'; c++)
        hash = hash * 33 + (unsigned char)*c;
    return hash;
}
