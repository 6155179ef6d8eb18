/* Constructors and methods of a list see to its members.
   scan: conditional null-dereference 6 */
#include <list>

int first(const std::list<int> &numbers) {
  return numbers.front();
}
