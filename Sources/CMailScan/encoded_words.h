// Encoded words of headers (RFC 2047).
#pragma once

// GMime stops at the padding of the first of several consecutive base64 words, which most programs write. Joins each
// such sequence into one word; returns NULL if there is none. Free the result with g_free.
char *cms_join_words(const char *value);
