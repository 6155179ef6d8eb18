/* The main of programs that have none of their own: each path runs one test. */
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

extern "C" void unfork_symbolic(void *pointer, std::size_t size, const char *name);

namespace {

/* The test that an input names by its number. */
std::string chosen_test() {
  const testing::UnitTest &program = *testing::UnitTest::GetInstance();
  int number = 0;
  if (program.total_test_count() > 1)
    unfork_symbolic(&number, sizeof number, "test");
  for (int at = 0; at < program.total_test_suite_count(); at++) {
    const testing::TestSuite &suite = *program.GetTestSuite(at);
    for (int member = 0; member < suite.total_test_count(); member++)
      if (number-- == 0)
        return std::string(suite.name()) + '.' + suite.GetTestInfo(member)->name();
  }
  std::exit(0);
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::GTEST_FLAG(catch_exceptions) = false;
  if (testing::GTEST_FLAG(filter) == "*")
    testing::GTEST_FLAG(filter) = chosen_test();
  return RUN_ALL_TESTS();
}
