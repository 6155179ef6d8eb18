/* Variables of the environment are set by anybody, or not at all: the long one overflows, the missing one is no text.
   scan: certain out-of-bounds 13
   scan: certain null-dereference 22 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int home_copied(void)
{
    char copy[8]; const char *home = getenv("HOME");
    if (home == NULL)
        return 0;
    strcpy(copy, home);
    return copy[0] == '/';
}

int home_bounded(void)
{
    char copy[8]; const char *home = getenv("HOME");
    return home == NULL ? 0 : snprintf(copy, sizeof copy, "%s", home);
}
int home_taken(void) { const char *home = getenv("HOME"); int first = home[0];
    return first == '/';
}
