/* The loop has a constant number of turns.

   report: not reachable
*/
char last_letter(const char text[static 3])
{
    char last;
    for (int i = 0; i < 3; i++)
        if (i == 0 || (text[i] >= 'a' && text[i] <= 'z'))
            last = text[i];
    return last;
}
