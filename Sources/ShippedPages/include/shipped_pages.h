// The files that travel inside the binary as they are: pages, their styles, the schemas of records, and names of languages.
#pragma once
#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} shipped_page;

extern const shipped_page shipped_review_html;
extern const shipped_page shipped_review_css;
extern const shipped_page shipped_review_js;
// The styles of the report on an inbox and of the report of an evaluation.
extern const shipped_page shipped_report_css;
extern const shipped_page shipped_evaluation_css;
// JSON Schemas of annotated records and of messages.
extern const shipped_page shipped_output_schema;
extern const shipped_page shipped_input_schema;
// Tags of languages with their names in English and in the language itself.
extern const shipped_page shipped_language_names;
