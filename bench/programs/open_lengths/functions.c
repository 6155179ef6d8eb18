/* Small functions that bench/open_lengths.py runs twice: alone, on text, arrays and lists of any length (--function), and
   called from main, on text, an array or a list that has room for as much as they look at. Each looks at no more than N
   characters, K elements or M nodes, so that both runs take the same paths. */
#include <string.h>
#include <unfork.h>

#define N 6
#define K 5
#define M 4

struct node {
  int value;
  struct node *next;
};

struct entry {
  int kind;
  char *name;
};

static int is_space(char c) { return c == ' ' || c == '\t'; }

int words(char *s) {
  int count = 0, inside = 0;
  for (int i = 0; i < N && s[i]; i++)
    if (is_space(s[i]))
      inside = 0;
    else if (!inside)
      inside = 1, count++;
  return count;
}

int minify(char *s) {
  char *into = s, *from = s;
  while (from < s + N && *from) {
    if (is_space(*from)) {
      from++;
    } else if (*from == '"') {
      do
        *into++ = *from++;
      while (from < s + N && *from && *from != '"');
    } else {
      *into++ = *from++;
    }
  }
  *into = 0;
  return into - s;
}

int number(char *s) {
  int i = 0, sign = 1;
  unsigned value = 0;
  if (s[i] == '-')
    sign = -1, i++;
  for (; i < N && s[i] >= '0' && s[i] <= '9'; i++)
    value = value * 10 + (s[i] - '0');
  if (i < N && s[i] == '.')
    for (i++; i < N && s[i] >= '0' && s[i] <= '9'; i++)
      ;
  return i < N && s[i] ? -1 : sign * (int)value;
}

int common(char *a, char *b) {
  int i = 0;
  while (i < N && a[i] && a[i] == b[i])
    i++;
  return i;
}

int keyword(char *s) {
  static const char *const known[] = {"do", "if", "int", "else"};
  for (int i = 0; i < 4; i++)
    if (strncmp(s, known[i], N) == 0)
      return i;
  return -1;
}

int copied(char *s) {
  char text[N + 1];
  strncpy(text, s, N);
  text[N] = 0;
  char *comma = strchr(text, ',');
  return comma ? comma - text : -1;
}

int above(int *a, unsigned n) {
  int count = 0;
  for (unsigned i = 0; i < n && i < K; i++)
    if (a[i] > 10)
      count++;
  return count;
}

int sorted(int *a) {
  for (int i = 1; i < K; i++)
    for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
      int old = a[j];
      a[j] = a[j - 1], a[j - 1] = old;
    }
  return a[0];
}

int picked(int *a, unsigned i, unsigned j) {
  if (i >= K || j >= K)
    return 0;
  return a[i] > a[j] ? a[i] == 3 : a[j] == i;
}

int sum(unsigned char *data, unsigned size) {
  int total = 0;
  for (unsigned i = 0; i < size && i < N; i++)
    if (data[i] & 1)
      total++;
  return total;
}

int backwards(char *s) {
  int n = strnlen(s, N), i = n;
  while (i > 0 && is_space(s[i - 1]))
    i--;
  return n - i;
}

int negative(struct node *list) {
  int count = 0, i = 0;
  for (struct node *each = list; i < M && each; each = each->next, i++)
    if (each->value < 0)
      count++;
  return count;
}

int kinds(struct entry *entry) {
  if (!entry || !entry->name)
    return 0;
  int i = 0;
  while (i < N && entry->name[i] && entry->name[i] != ':')
    i++;
  return entry->kind > 3 ? i : -i;
}

#ifdef CALL
static unsigned char *bytes(void) {
  static unsigned char all[N];
  unfork_symbolic(all, sizeof all, "data");
  return all;
}

static char *text(const char *name) {
  static char all[2][N + 1];
  static int used;
  char *s = all[used++];
  unfork_symbolic(s, N, name);
  return s;
}

static int *array(void) {
  static int a[K];
  unfork_symbolic(a, sizeof a, "a");
  return a;
}

static unsigned size(const char *name) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, name);
  return n;
}

/* A link leads on, back, or nowhere. */
static struct node *list(void) {
  static struct node nodes[M + 1];
  unsigned char links[M];
  unfork_symbolic(nodes, sizeof nodes, "nodes");
  unfork_symbolic(links, sizeof links, "links");
  for (int i = 0; i < M; i++) {
    nodes[i].next = 0;
    for (int j = 0; j <= i + 1; j++)
      if (links[i] == j)
        nodes[i].next = &nodes[j];
  }
  return nodes;
}

static struct entry *entry(void) {
  static struct entry e;
  unfork_symbolic(&e.kind, sizeof e.kind, "kind");
  e.name = text("name");
  return &e;
}

int main(void) { return CALL; }
#endif
