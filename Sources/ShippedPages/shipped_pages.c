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
// Contrast of text is at least 4.5 : 1, of graphics 3 : 1, in both color schemes; distances are multiples of 8.
static const unsigned char report_css[] = {
#embed "report.css"
};
// Contrast of text is at least 4.5 : 1, of marks 3 : 1, in both schemes.
static const unsigned char evaluation_css[] = {
#embed "evaluation.css"
};
static const unsigned char output_schema[] = {
#embed "schema/output.json"
};
static const unsigned char input_schema[] = {
#embed "schema/input.json"
};
static const unsigned char language_names[] = {
#embed "language-names.txt"
};

const shipped_page shipped_review_html = {review_html, sizeof review_html};
const shipped_page shipped_review_css = {review_css, sizeof review_css};
const shipped_page shipped_review_js = {review_js, sizeof review_js};
const shipped_page shipped_report_css = {report_css, sizeof report_css};
const shipped_page shipped_evaluation_css = {evaluation_css, sizeof evaluation_css};
const shipped_page shipped_output_schema = {output_schema, sizeof output_schema};
const shipped_page shipped_input_schema = {input_schema, sizeof input_schema};
const shipped_page shipped_language_names = {language_names, sizeof language_names};
