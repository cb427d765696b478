// Text of any charset as UTF-8.
#pragma once
#include "gmime_functions.h"

// Appends the text to `out`. Trusts the declared charset as far as the bytes bear it out; otherwise they are taken for
// windows-1252, which any bytes are.
void cms_to_utf8(const guint8 *bytes, size_t count, const char *charset, int is_html, GByteArray *out);
