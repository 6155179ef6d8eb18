/* A port has five digits at most.

   report: not reachable
*/
#include <stdio.h>
#include <string.h>
int digits_of_port(unsigned short port)
{
    char text[6];
    sprintf(text, "%hu", port);
    return (int)strlen(text);
}
