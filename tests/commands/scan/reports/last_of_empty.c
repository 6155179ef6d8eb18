/* The last character of an empty text is in front of it.

   report: confirmed
*/
#include <string.h>
int ends_in_newline(const char *text)
{
    char line[32];
    strncpy(line, text, sizeof line - 1);
    line[sizeof line - 1] = '\0';
    return line[strlen(line) - 1] == '\n';
}
