/* expect: safe
   options: --cflags -std=c++20
   native: asan -std=c++20 */
#include <algorithm>
#include <cassert>
#include <compare>
#include <ranges>
#include <string>
#include <vector>
#include "unfork.h"

struct Person {
  int age;
  char letter;
  auto operator<=>(const Person &) const = default;
};

int main() {
  int age;
  unfork_symbolic(&age, sizeof age, "age");
  std::vector<Person> people{{30, 'a'}, {age, 'b'}};
  std::ranges::sort(people, {}, &Person::age);
  assert(people[0].age <= people[1].age);
  assert((people[0] < people[1]) == (age != 30 || people[0].letter < people[1].letter));
  auto older = people | std::views::filter([](const Person &person) { return person.age > 30; });
  assert(std::ranges::distance(older) == (age > 30));
  std::string letters;
  for (char letter : people | std::views::transform(&Person::letter)) letters += letter;
  assert(letters == (age < 30 ? "ba" : "ab"));
  return 0;
}
