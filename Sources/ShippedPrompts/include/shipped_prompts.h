// The prompts that travel inside the binary: the files of the folder Prompts.
#pragma once
#include <stddef.h>

typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} shipped_prompt;

// The prompt at an index; its name is NULL behind the last one.
shipped_prompt shipped_prompt_file(size_t index);
