// The words that the process was started with, as the system handed them over.
//
// Swift reads them from /proc/self/cmdline, which is not there in a bare root or a sandbox without /proc: the program would
// take every command for one without words.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// 0 where the C library hands nothing to constructors; glibc and macOS do.
int process_word_count(void);

// Word `index`, below the count; ends with 0.
const char *process_word(int index);

#ifdef __cplusplus
}
#endif
