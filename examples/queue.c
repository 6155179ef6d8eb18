/* A queue that is filled and emptied as events say. There is no last event: no path by path exploration ever ends.

     unfork run examples/queue.c                            proves it: what any turn of the loop keeps is enough
     unfork run examples/queue.c --strategy plain --max-time 20 --out run
                                                            stops, with thousands of states left
     unfork show run --why                                  says where they come from, and what to try
     unfork run examples/queue.c --unwind 6                 all queues of up to seven events, exit status 0

   options: --unwind 6
   expect: bounded
   native: asan
*/
#include <assert.h>
#include <unfork.h>

int main(void) {
    unsigned waiting = 0, served = 0, arrived = 0;
    for (;;) {
        unsigned char event;
        unfork_symbolic(&event, sizeof event, "event");
        if (event == 'a') {
            arrived++;
            waiting++;
        } else if (event == 's' && waiting > 0) {
            served++;
            waiting--;
        } else if (event == 'q') {
            break;
        }
        assert(waiting + served == arrived);
    }
    return waiting > 0;
}
