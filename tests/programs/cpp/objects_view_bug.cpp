/* A view shows characters without a NUL behind them.
   expect: unsafe
   options: --function is_comment --max-size 3
   native: none (a function that is run alone) */
#include <string_view>

bool is_comment(std::string_view line) {
  if (line.size() != 1) return false;
  return line[0] == '/' && line.data()[1] == '/'; /* BUG: out-of-bounds */
}
