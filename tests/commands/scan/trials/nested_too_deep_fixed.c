/* A list nested more than twelve deep is refused.
   scan: nothing */
#include <stddef.h>

static int is_name(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

int list_depth(const char *text)
{
    char kinds[12];
    size_t depth = 0, most = 0;
    int after_name = 0;
    for (; *text; text++) {
        if (is_name(*text)) {
            after_name = 1;
            continue;
        }
        if (*text == ',' && after_name) {
            after_name = 0;
            continue;
        }
        if (*text == ')' || *text == ']') {
            if (depth == 0 || kinds[depth - 1] != *text)
                return -1;
            depth--;
            after_name = 1;
        } else if ((*text == '(' || *text == '[') && after_name) {
            if (depth == sizeof kinds)
                return -1;
            kinds[depth++] = *text == '(' ? ')' : ']';
            after_name = 0;
            if (depth > most)
                most = depth;
        } else {
            return -1;
        }
    }
    return depth ? -1 : (int)most;
}
