/* An argument is as long as its text.
   expect: unsafe
   args: ab
   native: none (natively the words lie side by side) */
int main(int argc, char **argv) {
  (void)argc;
  return argv[1][3] == 'x'; /* BUG: out-of-bounds */
}
