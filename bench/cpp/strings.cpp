#include <cassert>
#include <numeric>
#include <string>
#include <vector>
#include "unfork.h"

int main() {
  unsigned char bytes[4];
  unfork_symbolic(bytes, sizeof bytes, "bytes");
  std::vector<std::string> words;
  std::string word;
  for (unsigned char byte : bytes) {
    if (byte == ' ') {
      words.push_back(word);
      word.clear();
    } else {
      word += static_cast<char>(byte);
    }
  }
  words.push_back(word);
  std::vector<int> lengths;
  for (const std::string &each : words) lengths.push_back(static_cast<int>(each.size()));
  for (int i = 0; i < 300; i++) lengths.push_back(i);
  int total = std::accumulate(lengths.begin(), lengths.end(), 0);
  assert(total >= 0);
  return 0;
}
