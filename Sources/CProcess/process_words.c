#include "process_words.h"

#include <stddef.h>
// Included for the macro that identifies the C library.
#include <stdlib.h>

static int count;
static char **words;

#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    words = argv;
}
#endif

int process_word_count(void) { return count; }

const char *process_word(int index) { return index >= 0 && index < count ? words[index] : NULL; }
