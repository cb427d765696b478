// The rule files and word lists that travel inside the binary.
#pragma once
#include <stddef.h>

typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} shipped_file;

// All rule files, in the order in which they are read; the last has name NULL.
extern const shipped_file shipped_rules[];
// languages.yaml.
extern const shipped_file shipped_languages;
