/* scan: conditional null-dereference 16
   scan: conditional div-by-zero 26
   scan: conditional div-by-zero 36
   scan: conditional double-free 45
   scan: conditional null-dereference 49
   scan: conditional div-by-zero 68
   Callers choose which functions run: those of the project that give 0, or free, are for other images, steps and nodes. */
#include <stddef.h>
#include <stdlib.h>

struct image { int (*width)(const struct image *); int pixels; };

static int no_width(const struct image *image) { return image == NULL; }
static int full_width(const struct image *image)
{
    return image->pixels > 0 ? image->pixels : 1;
}

int (*const widths[])(const struct image *) = {no_width, full_width};

/* A member of a struct that the caller makes. */
int image_columns(const struct image *image, int total)
{
    if (image == NULL || image->width == NULL || total <= 0)
        return -1;
    return total / image->width(image);
}

/* An argument, which sets a number. */
int turns(int from, int to, void (*next)(int at, int *step))
{
    int step = 1;
    if (next == NULL || from < 0 || to > 1000 || from > to)
        return -1;
    next(from, &step);
    return (to - from) / step;
}

/* An argument, which takes what is freed later. */
void item_end(void *item, void (*end)(void *))
{
    if (item == NULL || end == NULL)
        return;
    end(item);
    free(item);
}

static void stop(int at, int *step) {
    *step = at < 0;
}
void release(void *item) { free(item); }

struct library { void (*next)(int at, int *step); void (*end)(void *); };
const struct library library = {stop, release};

/* Users cannot name the one, and the other has no rate that gives 0. */
struct rates { int (*rate)(int item, int at); int (*limit)(int item, int at); };
static int none(int item, int at) { return item + at < 0; }
static int some(int item, int at) { return item > at ? item : at + 1; }
static const struct rates empty_rates = {none, none};
const struct rates usual_rates = {some, none};
int is_usual(const struct rates *rates) { return rates != &empty_rates && rates == &usual_rates; }

int rated(const struct rates *rates, unsigned char item)
{
    if (rates == NULL || rates->rate == NULL || rates->limit == NULL || rates->limit(item, 0) > 1000)
        return 0;
    return 1000 / rates->rate(item, 0);
}
