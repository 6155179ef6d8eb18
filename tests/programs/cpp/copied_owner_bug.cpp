/* A class that frees what it owns is copied member by member.
   expect: unsafe
   native: asan
   input: x=4 */
#include "unfork.h"

class Buffer {
  char *bytes;
public:
  explicit Buffer(int size) : bytes(new char[size]) {}
  ~Buffer() { delete[] bytes; } /* BUG: double-free */
  void set(char byte) { bytes[0] = byte; }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Buffer buffer(8);
  buffer.set('a');
  if (x == 4) {
    Buffer copy = buffer;
    copy.set('b');
  }
  return 0;
}
