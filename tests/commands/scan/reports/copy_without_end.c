/* strncpy does not terminate a text that fills the buffer.

   report: confirmed
*/
#include <string.h>
int is_known(const char *country)
{
    char code[2];
    strncpy(code, country, sizeof code);
    size_t length = strlen(code);
    return length == 2;
}
