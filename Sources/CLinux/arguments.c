#include "clinux.h"

static int count = 0;
static char **arguments = 0;

// The C library calls this before main, with what main gets.
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    arguments = argv;
}

int clinux_argument_count(void) { return count; }

char *clinux_argument(int index) { return arguments[index]; }
