#include "util/coding.h"
#include <unfork.h>

int main() {
  char text[8];
  unfork_symbolic(text, sizeof text, "text");
  leveldb::Slice input(text, sizeof text), part;
  uint64_t number;
  if (!leveldb::GetVarint64(&input, &number) || !leveldb::GetLengthPrefixedSlice(&input, &part))
    return 1;
  std::string copy;
  leveldb::PutVarint64(&copy, number);
  return copy.size() > sizeof text;
}
