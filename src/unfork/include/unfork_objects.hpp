/* unfork_objects.hpp: makes what a C++ function under test is given as a caller of it could: objects by their constructors.
 *
 * `unfork run --function` writes a file that includes the program and this header, and says which constructors, public
 * members and derived classes its classes have. UNFORK_MOST bounds the lengths.
 */
#ifndef UNFORK_OBJECTS_H
#define UNFORK_OBJECTS_H

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#endif
#include <unfork.h>

namespace unfork {
namespace objects {

template <class... T> struct List {};
template <class T> struct Type {};

/* What the file that includes this says of a class: lists of parameters, its public members, concrete classes that are
 * it or derived from it. */
template <class T> struct Constructors;
template <class T> struct Members {
  static void fill(T &) {}
};
template <class T> struct Derived {
  using type = List<T>;
};

/* --- names of inputs, and choices */

constexpr unsigned most = UNFORK_MOST;
constexpr unsigned deepest = 4; /* objects in objects; below, pointers are null and containers empty */
inline unsigned depth;
inline char path[256];
inline unsigned path_size;

/* Goes on with the path to what is made next, for as long as it lives. */
class Name {
  unsigned before = path_size;
  void add(char letter) {
    if (path_size + 1 < sizeof path) path[path_size++] = letter;
    path[path_size] = 0;
  }

public:
  explicit Name(const char *text) {
    while (*text) add(*text++);
  }
  explicit Name(unsigned index) {
    add('[');
    if (index > 9) add((char)('0' + index / 10 % 10));
    add((char)('0' + index % 10));
    add(']');
  }
  Name(const char *text, unsigned index) : Name(text ? text : ".") {
    if (!text) add((char)('1' + index % 10));
  }
  Name(const Name &) = delete;
  ~Name() { path[path_size = before] = 0; }
};

inline unsigned any(unsigned count, const char *what) {
  Name name(what);
  unsigned number = symbolic<unsigned>(path);
  unfork_assume(number < count);
  return number;
}

/* The same, a path for each. */
inline unsigned choice(unsigned count, const char *what) {
  unsigned chosen = count == 1 ? 0 : any(count, what), number = 0;
  while (number + 1 < count && chosen != number) number++;
  return number;
}

inline unsigned length() { return depth >= deepest ? 0 : choice(most + 1, " length"); }

/* --- what lives until the function has returned */

struct Kept {
  Kept *before;
  virtual ~Kept() = default;
};
inline Kept *newest;

template <class T> struct Keep : Kept {
  T object;
  template <class... A> explicit Keep(A... given) : object(given...) {}
  explicit Keep(Type<T> type);
};

template <class T, class... A> T &keep(A... given) {
  auto *kept = new Keep<T>(given...);
  kept->before = newest;
  newest = kept;
  return kept->object;
}

inline void end_all() {
  while (newest) {
    Kept *last = newest;
    newest = last->before;
    delete last;
  }
}

/* --- values by type */

template <class T> T make(Type<T>);
template <class T> T &some();

template <class C, class R, class A> std::basic_string<C, R, A> make(Type<std::basic_string<C, R, A>>) {
  C letters[most];
  unfork_symbolic(letters, sizeof letters, path);
  return std::basic_string<C, R, A>(letters, any(most + 1, " length"));
}

template <class T> struct Block {
  unsigned count = length();
  std::unique_ptr<T[]> items{new T[count]()};
  Block() {
    for (unsigned i = 0; i < count; i++) {
      Name name(i);
      items[i] = make(Type<T>{});
    }
  }
};

template <class C, class R> std::basic_string_view<C, R> make(Type<std::basic_string_view<C, R>>) {
  Block<C> &block = keep<Block<C>>();
  return std::basic_string_view<C, R>(block.items.get(), block.count);
}

#if __cplusplus >= 202002L
template <class T> std::span<T> make(Type<std::span<T>>) {
  auto &block = keep<Block<std::remove_cv_t<T>>>();
  return std::span<T>(block.items.get(), block.count);
}
#endif

template <class T> std::optional<T> make(Type<std::optional<T>>) {
  if (choice(2, " has value")) return std::optional<T>(make(Type<T>{}));
  return std::nullopt;
}

template <class T, class U> std::pair<T, U> make(Type<std::pair<T, U>>) {
  return std::pair<T, U>{make(Type<std::remove_cv_t<T>>{}), make(Type<U>{})};
}

template <class... T> std::tuple<T...> make(Type<std::tuple<T...>>) { return std::tuple<T...>{make(Type<T>{})...}; }

template <class T, std::size_t count> std::array<T, count> make(Type<std::array<T, count>>) {
  std::array<T, count> values{};
  for (std::size_t i = 0; i < count; i++) {
    Name name((unsigned)i);
    values[i] = make(Type<T>{});
  }
  return values;
}

/* Does `act` with the type of one of the classes of a list. */
template <class Act, class First, class... Rest> decltype(auto) with_class(List<First, Rest...>, Act act, unsigned chosen) {
  if constexpr (sizeof...(Rest) > 0)
    if (chosen) return with_class(List<Rest...>{}, act, chosen - 1);
  return act(Type<First>{});
}

template <class... T> unsigned choose(List<T...>) { return choice(sizeof...(T), " class"); }

template <class T> T *fresh() {
  using Classes = std::conditional_t<std::has_virtual_destructor_v<T>, typename Derived<T>::type, List<T>>;
  if (depth >= deepest || !choice(2, " not null")) return nullptr;
  return with_class(
      Classes{}, [](auto type) -> T * { return new auto(make(type)); }, choose(Classes{}));
}

template <class T> std::unique_ptr<T> make(Type<std::unique_ptr<T>>) { return std::unique_ptr<T>(fresh<T>()); }
template <class T> std::shared_ptr<T> make(Type<std::shared_ptr<T>>) { return std::shared_ptr<T>(fresh<T>()); }

/* A text is a C string; other numbers come as arrays. */
template <class T> T *make_pointer() {
  using Plain = std::remove_cv_t<T>;
  if (depth >= deepest || !choice(2, " not null")) return nullptr;
  if constexpr (std::is_class_v<T>) return &some<T>();
  else if constexpr (std::is_same_v<Plain, char>) {
    auto &text = keep<std::unique_ptr<char[]>>(nullptr);
    unsigned count = length();
    text.reset(new char[count + 1]());
    for (unsigned i = 0; i < count; i++) {
      Name name(i);
      unfork_assume((text[i] = symbolic<char>(path)) != 0);
    }
    return text.get();
  } else {
    return keep<std::array<Plain, most ? most : 1>>(Type<std::array<Plain, most ? most : 1>>{}).data();
  }
}

/* --- arguments in the order of their parameters */

template <class A> struct Argument {
  A object;
  Argument(const char *name, unsigned number) : Argument(Name(name, number)) {}
  explicit Argument(const Name &) : object(make(Type<std::remove_cv_t<A>>{})) {}
  A &&get() { return static_cast<A &&>(object); }
};
template <class A> struct Argument<A &> {
  A &object;
  Argument(const char *name, unsigned number) : Argument(Name(name, number)) {}
  explicit Argument(const Name &) : object(some<A>()) {}
  A &get() { return object; }
};
template <class A> struct Argument<A &&> : Argument<A &> {
  using Argument<A &>::Argument;
  A &&get() { return static_cast<A &&>(this->object); }
};

template <class... A> struct Arguments {
  explicit Arguments(const char *const *, unsigned) {}
  template <class Act, class... B> decltype(auto) pass(Act act, B &&...given) { return act(static_cast<B &&>(given)...); }
};
template <class A, class... Rest> struct Arguments<A, Rest...> {
  Argument<A> first;
  Arguments<Rest...> rest;
  Arguments(const char *const *names, unsigned number)
      : first(names ? *names : nullptr, number), rest(names ? names + 1 : nullptr, number + 1) {}
  template <class Act, class... B> decltype(auto) pass(Act act, B &&...given) {
    return rest.pass(act, static_cast<B &&>(given)..., first.get());
  }
};

/* --- objects */

template <class T, class... A> T construct(Type<List<A...>>) {
  return keep<Arguments<A...>>((const char *const *)nullptr, 0u).pass([](auto &&...given) -> T {
    return T(static_cast<decltype(given)>(given)...);
  });
}

struct Deeper {
  Deeper() { depth++; }
  ~Deeper() { depth--; }
};

template <class T, class... Lists> T make_object(List<Lists...> lists) {
  unsigned chosen = depth >= deepest ? 0 : choice(sizeof...(Lists), " constructor");
  Deeper deeper;
  return with_class(
      lists, [](auto type) -> T { return construct<T>(type); }, chosen);
}

template <class T, class = void> struct IsSequence : std::false_type {};
template <class T>
struct IsSequence<T, std::void_t<decltype(std::declval<T &>().push_back(std::declval<typename T::value_type>()))>>
    : std::true_type {};
template <class T, class = void> struct IsSet : std::false_type {};
template <class T>
struct IsSet<T, std::void_t<typename T::key_type, decltype(std::declval<T &>().insert(std::declval<typename T::value_type>()))>>
    : std::true_type {};
template <class T, class = void> struct HasConstructors : std::false_type {};
template <class T> struct HasConstructors<T, std::void_t<typename Constructors<T>::type>> : std::true_type {};

template <class T> T make(Type<T>) {
  if constexpr (std::is_same_v<T, bool>) {
    unsigned char value = symbolic<unsigned char>(path);
    unfork_assume(value < 2);
    return value;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return symbolic<T>(path);
  } else if constexpr (std::is_pointer_v<T>) {
    return make_pointer<std::remove_pointer_t<T>>();
  } else if constexpr (HasConstructors<T>::value) {
    return make_object<T>(typename Constructors<T>::type{});
  } else if constexpr (IsSequence<T>::value || IsSet<T>::value) {
    T values;
    unsigned count = length();
    for (unsigned i = 0; i < count; i++) {
      Name name(i);
      if constexpr (IsSequence<T>::value) values.push_back(make(Type<typename T::value_type>{}));
      else values.insert(make(Type<typename T::value_type>{}));
    }
    return values;
  } else {
    Deeper deeper;
    T object = T();
    Members<T>::fill(object);
    return object;
  }
}

template <class T> Keep<T>::Keep(Type<T> type) : object(make(type)) {}

template <class T> T &some() {
  using Plain = std::remove_cv_t<T>;
  using Classes = typename Derived<Plain>::type;
  return with_class(
      Classes{},
      [](auto type) -> T & { return keep<decltype(make(type))>(type); },
      choose(Classes{}));
}

/* Gives a public member any value. */
template <class T> void member(T &place, const char *text) {
  Name name(text);
  if constexpr (std::is_array_v<T>) {
    for (unsigned i = 0; i < std::extent_v<T>; i++) {
      Name index(i);
      member(place[i], "");
    }
  } else if constexpr (!std::is_const_v<T>) {
    place.~T();
    new (&place) T(make(Type<T>{}));
  }
}

/* --- the function under test */

/* Names the function of several with one name that has these parameters. */
template <class... A> struct Overload {
  template <class R> static constexpr auto of(R (*function)(A...)) { return function; }
  template <class R, class C> static constexpr auto of(R (C::*function)(A...)) { return function; }
  template <class R, class C> static constexpr auto of_const(R (C::*function)(A...) const) { return function; }
};

/* `this` is of the very class, unless that is abstract. */
template <class C> struct This {
  C &object;
  This(const char *name, unsigned) : This(Name(name)) {}
  explicit This(const Name &) : object(of()) {}
  static C &of() {
    using Plain = std::remove_cv_t<C>;
    if constexpr (std::is_abstract_v<C>) return some<C>();
    else return keep<Plain>(Type<Plain>{});
  }
  C &get() { return object; }
};
template <class C> struct Argument<This<C>> : This<C> {
  using This<C>::This;
};

/* A path on which a constructor throws ends: there is no such object. */
template <class... A> Arguments<A...> &made(const char *const *names) {
#ifdef __cpp_exceptions
  try {
    return keep<Arguments<A...>>(names, 0u);
  } catch (...) {
    unfork_assume(false);
    throw;
  }
#else
  return keep<Arguments<A...>>(names, 0u);
#endif
}

template <auto function, class Self, class... A> void call_on(const char *const *names) {
  made<This<Self>, A...>(names).pass(
      [](Self &self, auto &&...given) { (void)(self.*function)(static_cast<decltype(given)>(given)...); });
}
template <auto function, class R, class... A> void call(Type<R (*)(A...)>, const char *const *names) {
  made<A...>(names).pass([](auto &&...given) { (void)function(static_cast<decltype(given)>(given)...); });
}
template <auto function, class R, class C, class... A> void call(Type<R (C::*)(A...)>, const char *const *names) {
  call_on<function, C, A...>(names);
}
template <auto function, class R, class C, class... A> void call(Type<R (C::*)(A...) const>, const char *const *names) {
  call_on<function, const C, A...>(names);
}
template <class C, class... A> void call_constructor(List<A...>, const char *const *names) {
  made<A...>(names).pass([](auto &&...given) { C(static_cast<decltype(given)>(given)...); });
}

extern const char *const names[];
void run();

/* The function is an argument of a template that is instantiated by name, where it may be private. */
template <auto function> struct Under {
  friend void run() {
    call<function>(Type<decltype(function)>{}, names);
    end_all();
  }
};

}  // namespace objects
}  // namespace unfork

#endif
