"""C that sets up arguments, environment, standard input and files of a test before its main."""

from __future__ import annotations

from unfork.program.c.escape import c_string, c_text
from unfork.world.inputs.arguments import program_name
from unfork.world.inputs.testcase import TestCase, c_bytes

WORLD = """
static const struct unfork_guest {
    const char *name;
    unsigned long size;
    const unsigned char *bytes;
    unsigned mode;
} unfork_guests[] = {
%(files)s    {0, 0, 0, 0}
};
static const unsigned char unfork_stdin[] = {%(stdin)s};
static char *unfork_arguments[] = {%(arguments)s, 0};
static char *unfork_variables[] = {%(variables)s0};
static char *unfork_started[] = {(char *)"UNFORK_STARTED=1", %(room)s0};
extern char **environ;
extern char *getenv(const char *);
extern char *mkdtemp(char *);
extern int chdir(const char *);
extern int mkdir(const char *, unsigned);
extern int open(const char *, int, ...);
extern int close(int);
extern int unlink(const char *);
extern int fchmod(int, unsigned);
extern long lseek(int, long, int);
extern long write(int, const void *, unsigned long);
extern int dup2(int, int);
extern int execve(const char *, char *const *, char *const *);
static int unfork_written(const char *name, const unsigned char *bytes, unsigned long size, unsigned mode) {
    int file = open(name, %(create)d, 0600);
    if (file < 0 || write(file, bytes, size) != (long)size || fchmod(file, mode)) unfork_end("setting up the test");
    return file;
}
__attribute__((constructor(101))) static void unfork_start(void) {
    static char folder[] = "/tmp/unfork-XXXXXX";
    const struct unfork_guest *one;
    int file;
    if (getenv("UNFORK_STARTED")) {
        for (file = 0; (environ[file] = unfork_variables[file]) != 0; file++) {}
        return;
    }
    if (!mkdtemp(folder) || chdir(folder)) unfork_end("setting up the test");
    file = unfork_written("stdin", unfork_stdin, %(length)d, 0400);
    if (lseek(file, 0, 0) || dup2(file, 0) || close(file) || unlink("stdin")) unfork_end("setting up the test");
    for (one = unfork_guests; one->name; one++)
        if (!one->bytes) (void)mkdir(one->name, 0755);
        else close(unfork_written(one->name, one->bytes, one->size, one->mode));
    execve("/proc/self/exe", unfork_arguments, unfork_started);
    unfork_end("setting up the test");
}
"""
"""Sets a test's arguments, variables, standard input and files up, then restarts the program."""
_CREATE = 0o302
"""O_RDWR, O_CREAT and O_EXCL of x86-64 Linux."""


def has_world(test: TestCase) -> bool:
    """Whether the test sets arguments, environment, standard input or files."""
    return bool(test.args or test.stdin or test.files or test.variables())


def world_of(test: TestCase) -> str:
    """The C that sets up the test's world in a new directory below /tmp."""
    arrays = []
    rows = []
    folders: set[str] = set()
    seeds = {name for name, _ in test.command.seeds}
    for number, (name, data) in enumerate(test.files):
        for folder in _folders(name):
            if folder not in folders:
                rows.append(f"    {{{c_string(folder)}, 0, 0, 0}},\n")
                folders.add(folder)
        size, known = len(data) or 1, c_bytes(data.rstrip(b"\0"))
        arrays.append(f"static const unsigned char unfork_file_{number}[{size}] = {{{known}}};\n")
        mode = "0444" if name in seeds else "0644"
        rows.append(f"    {{{c_string(name)}, {len(data)}, unfork_file_{number}, {mode}}},\n")
    words = [f"(char *){c_string(word)}" for word in (program_name(test.program), *test.args)]
    return "".join(arrays) + WORLD % {
        "files": "".join(rows),
        "stdin": c_bytes(test.stdin),
        "length": len(test.stdin),
        "arguments": ", ".join(words),
        "variables": "".join([f"(char *){c_text(each)}, " for each in test.variables()]),
        "room": '(char *)"", ' * len(test.variables()),  # room for the variables after the restart
        "create": _CREATE,
    }


ALONE = """
static char *unfork_variables[] = {%s0};
extern char **environ;
__attribute__((constructor(101))) static void unfork_set(void) { environ = unfork_variables; }
"""


def variables_of(test: TestCase) -> str:
    """The C that sets the environment of a function run alone."""
    if not test.environment:
        return ""
    return ALONE % "".join([f"(char *){c_text(each)}, " for each in test.variables()])


def _folders(name: str) -> list[str]:
    parts = name.split("/")[:-1]
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]
