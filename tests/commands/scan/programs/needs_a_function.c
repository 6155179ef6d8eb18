/* What is called is the caller's business, as long as nobody here asks whether there is something.
   scan: conditional null-dereference 4 */
int apply(int (*f)(int), int n) {
  return f(n);
}
