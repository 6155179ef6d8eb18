/* A queue of jobs as pigz has it, over pigz's own thread library yarn.c: a lock with a count that others wait for.
 * With RACE, a job is put without taking the lock. */
#include <assert.h>
#include <stdlib.h>
#include <unfork.h>
#include "yarn.h"

struct job {
    int number;
    struct job *next;
};

static lock *have;
static struct job *head, **tail = &head;
static long sum;

static void work(void *unused)
{
    for (;;) {
        possess(have);
        wait_for(have, NOT_TO_BE, 0);
        struct job *job = head;
        if (job->number < 0) {
            release(have);
            return;
        }
        head = job->next;
        if (head == NULL)
            tail = &head;
        twist(have, BY, -1);
        sum += job->number;
        free(job);
    }
}

static void put(int number)
{
    struct job *job = malloc(sizeof *job);
    job->number = number;
    job->next = NULL;
#ifdef RACE
    *tail = job;
    tail = &job->next;
    possess(have);
#else
    possess(have);
    *tail = job;
    tail = &job->next;
#endif
    twist(have, BY, +1);
}

int main(void)
{
    int a;
    unfork_symbolic(&a, sizeof a, "a");
    unfork_assume(a >= 0 && a < 10);
    have = new_lock(0);
    thread *worker = launch(work, NULL);
    put(a);
    put(7);
    put(-1);
    join(worker);
    assert(sum == a + 7);
    free(head);
    free_lock(have);
    return 0;
}
