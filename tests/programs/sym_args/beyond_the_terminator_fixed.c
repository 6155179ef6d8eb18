/* An argument has LEN bytes and a terminator.
   expect: safe
   args: --sym-arg 3
   native: none (asks for symbolic arguments) */
int main(int argc, char **argv) {
  if (argc != 2) return 9;
  if (argv[1][0] == 0 || argv[1][1] == 0 || argv[1][2] == 0) return 1;
  return argv[1][3] != 0;
}
