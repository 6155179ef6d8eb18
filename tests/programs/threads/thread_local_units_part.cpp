#include <vector>

static int made;
thread_local std::vector<int> numbers{5};
thread_local int plain = 4;
thread_local int computed = ++made;

int touch() { return numbers.size() * 100 + plain; }
