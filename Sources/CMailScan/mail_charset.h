// Converts text in any charset to UTF-8.
#pragma once
#include "gmime_functions.h"

// Appends the text to `out`. Trusts the declared charset as far as the bytes are valid in it; otherwise reads them as
// windows-1252, in which all bytes are valid.
void cms_to_utf8(const guint8 *bytes, size_t count, const char *charset, int is_html, GByteArray *out);
