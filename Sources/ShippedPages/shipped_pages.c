#include "shipped_pages.h"

// #embed is C23; this compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

// C because #embed puts a file into the binary at no cost to the compiler, and the linker finds it read-only.
static const unsigned char review_html[] = {
#embed "review/review.html"
};
static const unsigned char review_css[] = {
#embed "review/review.css"
};
static const unsigned char review_js[] = {
#embed "review/review.js"
};

const shipped_page shipped_review_html = {review_html, sizeof review_html};
const shipped_page shipped_review_css = {review_css, sizeof review_css};
const shipped_page shipped_review_js = {review_js, sizeof review_js};
