/* Answers to questions, and words for signals, of the C locale. */
#define _GNU_SOURCE
#include <libintl.h>
#include <string.h>

int rpmatch(const char *answer)
{
	if (*answer == 'y' || *answer == 'Y') return 1;
	return *answer == 'n' || *answer == 'N' ? 0 : -1;
}

const char *sigdescr_np(int signal)
{
	return 0 < signal && signal < 32 ? strsignal(signal) : 0;
}

char *__dcgettext(const char *domain, const char *text, int category) { return dcgettext(domain, text, category); }
