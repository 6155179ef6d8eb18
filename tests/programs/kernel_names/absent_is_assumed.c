/* Files, folders and users that the world lacks; not what the program makes, nor one that no path asks for.
   expect: safe
   paths: 1
   assumed: /etc/passwd does not exist; --sym-file /etc/passwd 16
   assumed: /etc/town.conf does not exist; --sym-file /etc/town.conf 16
   assumed: data does not exist; --sym-file data 16
   assumed: data/x y does not exist; --sym-file 'data/x y' 16
   native: none (it would find others) */
#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char text[4];
  struct passwd *user = getpwnam("root");
  if (user) strcpy(text, user->pw_dir);
  FILE *file = fopen("/etc/town.conf", "r");
  if (file && fgets(text, 99, file)) return fopen("another", "r") != 0;
  if (!access("data/x y", R_OK)) return 3;
  DIR *folder = opendir("data");
  if (folder) strcpy(text, readdir(folder)->d_name);
  file = fopen("made", "w");
  return file && !access("made", R_OK) ? 0 : 1;
}
