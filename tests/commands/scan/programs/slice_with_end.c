/* scan: nothing
   A NUL follows the characters of a word, as one function shows: the size beside them does not count it. So what stands
   behind a first character can be read. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct word { const char *data; size_t length; };

struct word word_of(const char *text) { return (struct word){text, strlen(text)}; }

/* What is cut out of a text has no NUL there. */
bool is_last(struct word word)
{
    return word.data != NULL && word.data[word.length] == '\0';
}

bool is_above(struct word path)
{
    if (path.data == NULL || path.length == 0) return false;
    return path.data[0] == '.' && path.data[1] == '.';
}

/* What a value is beside is not its size. */
struct setting { const char *name; size_t key; };

bool has_long_name(struct setting setting)
{
    if (setting.name == NULL || setting.key == 0) return false;
    return setting.name[0] != '\0' && setting.name[1] != '\0';
}
