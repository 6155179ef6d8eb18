/* A number may have eleven characters.

   report: confirmed
*/
#include <stdio.h>
#include <string.h>
int width_of(int number)
{
    char text[8];
    sprintf(text, "%d", number);
    return (int)strlen(text);
}
