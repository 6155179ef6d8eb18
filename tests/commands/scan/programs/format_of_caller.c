/* What the library makes of a format, and of the arguments that it asks for, is the caller's business.

   scan: nothing
*/
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *made(const char *format, va_list args)
{
    va_list more;
    va_copy(more, args);
    int size = vsnprintf(NULL, 0, format, more) + 1;
    va_end(more);
    char *text = size > 0 ? malloc(size) : NULL;
    if (text)
        vsnprintf(text, size, format, args);
    return text;
}
int note(const char *format, ...)
{
    va_list args;
    if (!format)
        return -1;
    va_start(args, format);
    char *text = made(format, args);
    va_end(args);
    if (text)
        puts(text);
    free(text);
    return text != NULL;
}

/* A list of arguments stands for them. */
int widths_in(const char *format, va_list *args)
{
    int widths = 0;
    if (format == NULL || args == NULL)
        return 0;
    for (; *format; format++)
        if (*format == '%' && *++format == '.')
            widths += *++format == '*' ? va_arg(*args, int) : 1;
    return widths;
}
