/* expect: unsafe
   The definition speaks of the variable with static storage, not of the local one. */
int limit = 5;
/*@ logic integer Limit{L}(integer more) = limit + more; */
/*@ requires limit == 5;
    assigns \nothing;
    ensures \result == 1; */
int f(void) {
  int limit = 6;
  //@ assert Limit(1) == limit + 1;
  return 1;
}
