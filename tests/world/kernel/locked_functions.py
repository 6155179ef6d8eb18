"""Bodies of two threads that call functions of the C library: what may happen at once, and what is a data race."""

from __future__ import annotations

PRELUDE = """#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
static FILE *f;
static char text[64], more[64];
static int number;
static void *block;
static DIR *folder;
static locale_t place;
static FILE *scratch(void) { FILE *s = tmpfile(); fputs("12 ab\\n34 cd\\n56 ef\\n", s); rewind(s); return s; }
static void nothing(void) {}
static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }
static int scan(FILE *s, const char *format, ...) {
  va_list list; va_start(list, format); int count = vfscanf(s, format, list); va_end(list); return count;
}
static int print(FILE *s, const char *format, ...) {
  va_list list; va_start(list, format); int count = vfprintf(s, format, list); va_end(list); return count;
}
"""
FILES_OF_THEIR_OWN = {
    "fopen": 'FILE *own = fopen(name, "w"); assert(own); fclose(own);',
    "fopen_to_read": 'FILE *own = fopen(name, "w"); fputs(name, own); fclose(own);'
    ' own = fopen(name, "r"); char got[16]; assert(fgets(got, 16, own) && !strcmp(got, name)); fclose(own);',
    "freopen": 'FILE *own = fopen(name, "w"); own = freopen(name, "r", own);'
    " assert(own && getc(own) == EOF); fclose(own);",
    "fdopen": 'int fd = open(name, O_CREAT | O_RDWR, 0600); FILE *own = fdopen(fd, "w+");'
    " assert(fileno(own) == fd); fclose(own);",
    "tmpfile": "FILE *own = tmpfile(); assert(own); putc('x', own); rewind(own);"
    " assert(getc(own) == 'x'); fclose(own);",
    "fmemopen": 'char own_text[8] = "abc"; FILE *own = fmemopen(own_text, 3, "r");'
    " assert(getc(own) == 'a'); fclose(own);",
    "open_memstream": "char *made; size_t size; FILE *own = open_memstream(&made, &size); fputs(name, own);"
    " fclose(own); assert(size == strlen(name)); free(made);",
    "setvbuf": 'FILE *own = fopen(name, "w+"); char buffer[64]; setvbuf(own, buffer, _IOFBF, 64); fputs("x", own);'
    " rewind(own); assert(getc(own) == 'x'); fclose(own);",
    "fprintf": 'FILE *own = fopen(name, "w+"); fprintf(own, "%d", (int)n); rewind(own); int got;'
    ' assert(fscanf(own, "%d", &got) == 1 && got == n); fclose(own);',
    "fflush_all": 'FILE *own = fopen(name, "w"); fputs("x", own); fflush(NULL); fclose(own);',
    "getline": "FILE *own = scratch(); char *line = NULL; size_t size = 0; assert(getline(&line, &size, own) == 6);"
    " free(line); fclose(own);",
    "fopen_absent": 'FILE *own = fopen("absent", "r"); assert(!own && errno == ENOENT);',
}
"""By the names of their cases. ``n`` is the number of the thread, ``name`` a text of its own."""
ONE_FILE = {
    "putc": "putc('a' + n, f);",
    "fputc": "fputc('a' + n, f);",
    "fputs": "fputs(name, f);",
    "fprintf": 'fprintf(f, "%s%d", name, (int)n);',
    "vfprintf": 'print(f, "%d", (int)n);',
    "fwrite": "fwrite(name, 1, 4, f);",
    "fputwc": "fputwc(L'a', f);",
    "getc": "assert(getc(f) != EOF);",
    "fgetc": "assert(fgetc(f) != EOF);",
    "fgets": "char got[8]; assert(fgets(got, 8, f));",
    "fread": "char got[4]; assert(fread(got, 1, 4, f) == 4);",
    "fscanf": 'int got; char word[8]; assert(fscanf(f, "%d %7s", &got, word) == 2 && got >= 12);',
    "vfscanf": 'int got; char word[8]; assert(scan(f, "%d %7s", &got, word) == 2);',
    "getline": "char *line = NULL; size_t size = 0; assert(getline(&line, &size, f) == 6); free(line);",
    "getdelim": "char *line = NULL; size_t size = 0; assert(getdelim(&line, &size, ' ', f) > 0); free(line);",
    "ungetc": "int c = getc(f); ungetc(c, f);",
    "fseek": "assert(!fseek(f, 6 * n, SEEK_SET));",
    "ftell": "assert(ftell(f) >= 0); getc(f);",
    "rewind": "getc(f); rewind(f);",
    "fgetpos": "fpos_t at; assert(!fgetpos(f, &at) && !fsetpos(f, &at));",
    "fflush": "fputs(name, f); assert(!fflush(f));",
    "fflush_all": "fputs(name, f); assert(!fflush(NULL));",
    "feof": "assert(!feof(f) && !ferror(f)); getc(f); clearerr(f);",
    "fileno": "assert(fileno(f) > 2); getc(f);",
    "flockfile": "flockfile(f); putc_unlocked('a', f); putc_unlocked('b', f); funlockfile(f);",
    "ftrylockfile": "if (!ftrylockfile(f)) { putc_unlocked('a', f); funlockfile(f); } else putc('b', f);",
    "flockfile_twice": "flockfile(f); flockfile(f); putc('a', f); funlockfile(f); funlockfile(f);",
    "flockfile_getc": "flockfile(f); getc_unlocked(f); getc_unlocked(f); funlockfile(f); getc(f);",
}
STANDARD_STREAMS = {
    "printf": 'printf("%d\\n", (int)n);',
    "puts": "puts(name);",
    "putchar": "putchar('a' + n);",
    "perror": "errno = ENOENT; perror(name);",
    "vprintf": 'print(stdout, "%s", name);',
    "getchar": "getchar();",
    "scanf": 'int got; scanf("%d", &got);',
    "wprintf": 'wprintf(L"%d", (int)n);',
    "fprintf_stderr": 'fprintf(stderr, "%s", name);',
    "dprintf": 'dprintf(1, "%s", name);',
    "write": "write(1, name, 4);",
}
MEMORY_AND_PLACES = {
    "malloc": "int *own = malloc(8); assert(own); *own = n; own = realloc(own, 16); assert(*own == n); free(own);",
    "calloc": "int *own = calloc(2, 4); assert(own && !own[1]); free(own);",
    "aligned": "void *own = aligned_alloc(32, 64); void *other;"
    " assert(!posix_memalign(&other, 16, 16)); free(own); free(other);",
    "strdup": "char *own = strdup(name); assert(!strcmp(own, name)); own[0] = 'x'; free(own);",
    "asprintf": 'char *own; assert(asprintf(&own, "%s%d", name, (int)n) > 0); free(own);',
    "snprintf": 'char own[16]; assert(snprintf(own, 16, "%s", name) == (int)strlen(name));',
    "sscanf": 'int got; assert(sscanf("17", "%d", &got) == 1 && got == 17);',
    "strtol": "char *end; assert(strtol(\"21x\", &end, 10) == 21 && *end == 'x');",
    "strerror_r": "char own[64]; assert(strerror_r(ENOENT, own, 64) || 1);",
    "strerror": "assert(strerror(ENOENT));",
    "strtok_r": 'char own[] = "a b", *rest; assert(!strcmp(strtok_r(own, " ", &rest), "a"));',
    "rand_r": "unsigned seed = n; rand_r(&seed);",
    "random": "assert(random() >= 0); srandom(n);",
    "time": "time_t now = time(NULL); struct tm own; assert(localtime_r(&now, &own) && gmtime_r(&now, &own));",
    "mktime": "struct tm own = {.tm_year = 100}; assert(mktime(&own) != -1); char out[32];"
    ' strftime(out, 32, "%c", &own);',
    "ctime_r": "time_t now = 0; char own[32]; assert(ctime_r(&now, own)); tzset();",
    "clock_gettime": "struct timespec own; assert(!clock_gettime(CLOCK_REALTIME, &own));",
    "atexit": "assert(!atexit(nothing));",
    "getenv": 'getenv("HOME");',
    "setlocale": 'assert(setlocale(LC_ALL, "C"));',
    "localeconv": "assert(localeconv()->decimal_point);",
    "newlocale": 'locale_t own = newlocale(LC_ALL_MASK, "C.UTF-8", 0); assert(own);'
    " isalpha_l('a', own); freelocale(own);",
    "uselocale": 'locale_t own = newlocale(LC_ALL_MASK, "C.UTF-8", 0), before = uselocale(own);'
    " assert(uselocale(0) == own); uselocale(before); freelocale(own);",
    "duplocale": "locale_t own = duplocale(LC_GLOBAL_LOCALE); assert(own); freelocale(own);",
    "opendir": 'DIR *own = opendir("."); assert(own); readdir(own); closedir(own);',
    "stat": 'struct stat own; stat(".", &own);',
    "mbrtowc": "mbstate_t own = {0}; wchar_t c; assert(mbrtowc(&c, name, 4, &own) == 1);",
    "qsort": "int own[3] = {3, 1, 2}; qsort(own, 3, sizeof *own, compare); assert(own[0] == 1);",
    "getcwd": "char own[64]; assert(getcwd(own, 64));",
}
RACES = {
    "fread_into_one_array": "FILE *own = n ? scratch() : f; fread(text, 1, 4, own);",
    "fgets_into_one_array": "FILE *own = n ? scratch() : f; fgets(text, 8, own);",
    "fread_long": "FILE *own = n ? scratch() : f; setvbuf(own, 0, _IONBF, 0); fread(text, 1, 16, own);",
    "sprintf_into_one_array": 'sprintf(text, "%d", (int)n);',
    "snprintf_into_one_array": 'snprintf(text, 8, "%s", name);',
    "fwrite_of_what_is_written": "if (n) fwrite(text, 1, 8, f); else text[3] = 1;",
    "fputs_of_what_is_written": "if (n) fputs(text, f); else text[0] = 1;",
    "printf_of_what_is_written": 'if (n) printf("%s", text); else strcpy(text, "a");',
    "write_of_what_is_written": "if (n) write(1, text, 8); else text[5] = 1;",
    "read_into_one_array": "int fd = open(name, O_CREAT | O_RDWR, 0600); write(fd, name, 4);"
    " lseek(fd, 0, SEEK_SET); read(fd, text, 4);",
    "setvbuf_of_one_array": "FILE *own = n ? scratch() : f; setvbuf(own, text, _IOFBF, 64); getc(own);",
    "setvbuf_and_write": "if (n) { setvbuf(f, text, _IOFBF, 64); getc(f); } else text[9] = 1;",
    "setvbuf_of_one_file": "setvbuf(f, 0, _IONBF, 0);",
    "scanf_into_one_variable": 'sscanf("12", "%d", &number);',
    "scanf_of_what_is_written": "int got; if (n) sscanf(text, \"%d\", &got); else text[0] = '1';",
    "strcpy_and_read": 'if (n) strcpy(text, "hello"); else assert(text[2] != 1);',
    "strcat_and_write": 'if (n) strcat(text, "hello"); else text[2] = 0;',
    "strncpy_and_read": 'if (n) strncpy(text, "a", 8); else assert(text[6] != 1);',
    "getline_into_one_buffer": "FILE *own = n ? scratch() : f; static char *line;"
    " static size_t size; getline(&line, &size, own);",
    "putc_unlocked": "putc_unlocked('a', f);",
    "putc_and_putc_unlocked": "if (n) putc_unlocked('a', f); else putc('b', f);",
    "getc_unlocked": "getc_unlocked(f);",
    "flockfile_of_one": "if (n) { flockfile(f); putc_unlocked('a', f); funlockfile(f); } else putc_unlocked('b', f);",
    "strtok": 'char own[] = "a b"; strtok(own, " ");',
    "asctime": "struct tm own = {0}; asctime(&own);",
    "localtime": "time_t now = 0; localtime(&now);",
    "gmtime": "time_t now = 0; assert(gmtime(&now)->tm_year);",
    "rand": "rand();",
    "srand": "if (n) srand(1); else rand();",
    "drand48": "drand48();",
    "setenv": 'setenv("A", name, 1);',
    "setenv_and_getenv": 'if (n) setenv("A", name, 1); else getenv("A");',
    "putenv": 'static char one[] = "A=1", two[] = "B=2"; if (n) putenv(one); else putenv(two);',
    "readdir": "readdir(folder);",
    "getopt": 'char *words[] = {"p", "-a", 0}; getopt(2, words, "a");',
    "tmpnam": "tmpnam(0);",
    "strerror_r_into_one_array": "strerror_r(ENOENT, text, 64);",
    "localtime_r_into_one": "static struct tm one; time_t now = 0; localtime_r(&now, &one);",
    "rand_r_of_one_seed": "static unsigned seed; rand_r(&seed);",
    "strtok_r_of_one": 'static char *rest; char own[] = "a b"; strtok_r(own, " ", &rest);',
    "time_into_one": "static time_t one; time(&one);",
    "clock_gettime_into_one": "static struct timespec one; clock_gettime(CLOCK_REALTIME, &one);",
    "stat_into_one": 'static struct stat one; stat(".", &one);',
    "getcwd_into_one": "getcwd(text, 64);",
    "bytes_through_a_number": "uintptr_t at = (uintptr_t)text; if (n) *(char *)(at + 3) = 1; else text[3] = 2;",
    "memory_of_one": "if (n) memset(block, 1, 4); else assert(((char *)block)[1] != 3);",
    "strdup_of_what_is_written": "if (n) free(strdup(text)); else text[0] = 1;",
}
FREED = {
    "fclose_of_one": "if (n) fclose(f); else getc(f);",
    "free_of_one": "if (n) free(block); else realloc(block, 32);",
    "closedir_of_one": "if (n) closedir(folder); else readdir(folder);",
}
"""In one order or the other, what is freed is used."""


def case(name: str, body: str) -> str:
    """The function ``name``, in which two threads run the body."""
    return f"""
static void *run_{name}(void *argument) {{
  long n = (long)argument; const char *name = n ? "right" : "left"; (void)name; (void)n;
  {body}
  return 0;
}}
int {name}(void) {{
  pthread_t left, right;
  f = scratch(); block = malloc(16); memset(block, 0, 16); folder = opendir(".");
  pthread_create(&left, 0, run_{name}, (void *)0);
  pthread_create(&right, 0, run_{name}, (void *)1);
  pthread_join(left, 0);
  pthread_join(right, 0);
  return 0;
}}
"""
