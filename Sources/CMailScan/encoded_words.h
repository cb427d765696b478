// Encoded words of headers (RFC 2047).
#pragma once

// GMime stops at the padding of the first of several base64 words in a row, which most programs write. Makes one word of
// each such row; NULL when there is none. To be freed with g_free.
char *cms_join_words(const char *value);
