/* Calls what no header declares. */
int lib_weight(unsigned kind);
int main(int count, char **words)
{
    return count > 1 ? lib_weight(words[1][0] == 'x') : 0;
}
