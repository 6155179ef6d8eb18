/* A program calls another library's function: what that gives is no choice of the program's users.

   finds: out-of-bounds at 11: conditional
*/
extern int zip_count(void);
static const int weights[4] = {1, 2, 3, 4};

int main(void)
{
    int count = zip_count();
    return count >= 0 && count <= 4 ? weights[count] : 0;
}
