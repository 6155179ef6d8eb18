/* A block that is lost before main ends is no leak of the program: the system takes all back.

   finds: leak at 14: undecided
   finds: null-dereference at 13: conditional
*/
#include <stdlib.h>
#include <string.h>

extern int more_words(void);

static int longest(const char *word)
{
    size_t size = strlen(word);
    char *copy = malloc(size + 1);
    if (!copy)
        return -1;
    memcpy(copy, word, size + 1);
    return copy[0] == '-' ? (int)size : 0;
}

int main(int count, char **words)
{
    return more_words() && count > 1 ? longest(words[1]) > 3 : 0;
}
