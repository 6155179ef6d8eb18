/* Whether the argument may be null is the caller's business.

   report: conditional
*/
int first_is_digit(const char *text)
{
    return text[0] >= '0' && text[0] <= '9';
}
