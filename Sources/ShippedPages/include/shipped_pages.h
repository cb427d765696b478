// The files of pages that travel inside the binary: those of the folder review.
#pragma once
#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} shipped_page;

extern const shipped_page shipped_review_html;
extern const shipped_page shipped_review_css;
extern const shipped_page shipped_review_js;
