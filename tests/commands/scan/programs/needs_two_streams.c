/* The streams are two, and either is closed once. What is copied is bounded.
   scan: conditional null-dereference 11 */
#include <stdio.h>
struct job { FILE *in, *out; };

int copy(const struct job *job) {
  char line[8];
  if (!job || !job->in || !job->out)
    return -1;
  if (fgets(line, sizeof line, job->in) != NULL)
    fputs(line, job->out);
  return fclose(job->in) + fclose(job->out);
}
