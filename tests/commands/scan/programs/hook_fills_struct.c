/* What a function of the caller's puts into a struct is tested wrongly; and what it gets in one, but may leave as it is.
   scan: certain out-of-bounds 17
   scan: certain out-of-bounds 27 */
#include <stddef.h>

struct found { char is_word; short at[2]; enum kind { WORD, NUMBER, SIGN } kind; };

static int (*classify)(const char *text, struct found *found);
void set_classify(int (*f)(const char *text, struct found *found)) { classify = f; }

static const char names[3] = {'w', 'n', 's'};
char name_of(const char *text) {
  struct found found = {0, {0, 0}, WORD};
  if (classify == NULL || classify(text, &found) < 0) return '-';
  if (found.is_word) return 'w';
  if (found.at[1] < 0 || found.at[1] > 3) return '?';
  return names[found.at[1]];
}

struct item { unsigned kind; };
typedef void (*visit)(struct item *item);

char visited(visit visit, unsigned kind) {
  struct item item = {kind};
  if (visit == NULL || kind > 3) return '-';
  visit(&item);
  return names[kind];
}
