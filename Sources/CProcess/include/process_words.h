// The process's command-line arguments, as received from the system.
//
// Swift reads them from /proc/self/cmdline, which does not exist in a bare chroot or a sandbox without /proc; the
// program would then see every command as having no arguments.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Number of arguments; 0 where the C library passes none to constructors; glibc and macOS do.
int process_word_count(void);

// Argument `index`, which must be below the count; NUL-terminated.
const char *process_word(int index);

#ifdef __cplusplus
}
#endif
