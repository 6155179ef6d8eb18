/* A line need not have the character.

   report: confirmed
*/
#include <string.h>
int split(char *line, const char **value)
{
    char *equals = strchr(line, '=');
    *equals = '\0';
    *value = equals + 1;
    return equals != line;
}
