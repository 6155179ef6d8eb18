/* Commands are read and not run. What one would print is empty, and it ends in any way. */
#include <errno.h>
#include <stdio.h>

void unfork_popen(const char *command);
int unfork_pclose(void);

FILE *popen(const char *command, const char *mode)
{
	if (*mode != 'r' && *mode != 'w') {
		errno = EINVAL;
		return 0;
	}
	unfork_popen(command);
	return fopen("/dev/null", *mode == 'r' ? "r" : "w");
}

int pclose(FILE *stream)
{
	fclose(stream);
	return unfork_pclose();
}
