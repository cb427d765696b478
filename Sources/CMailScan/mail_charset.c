#include "mail_charset.h"

#include <errno.h>
#include <string.h>

// 0x80–0x9F of windows-1252; unassigned bytes stay.
static const guint16 western[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

static void append_western(const guint8 *bytes, size_t count, GByteArray *out) {
    for (size_t i = 0; i < count; i++) {
        guint code = bytes[i];
        if (code >= 0x80 && code < 0xA0) code = western[code - 0x80];
        if (code == 0) code = 0xFFFD;
        char text[6];
        int length = g_unichar_to_utf8(code, text);
        g_byte_array_append(out, (const guint8 *)text, (guint)length);
    }
}

static int is_any(const char *charset, const char *const *names) {
    for (; *names; names++) {
        if (!g_ascii_strcasecmp(charset, *names)) return 1;
    }
    return 0;
}

// The larger charset that emails mean when they declare a smaller one.
static const char *larger(const char *charset) {
    static const char *const pairs[][2] = {
        {"gb2312", "gb18030"},        {"gbk", "gb18030"},         {"x-gbk", "gb18030"},  {"euc-kr", "cp949"},
        {"ks_c_5601-1987", "cp949"},  {"shift_jis", "cp932"},     {"shift-jis", "cp932"}, {"sjis", "cp932"},
        {"x-sjis", "cp932"},          {"iso-8859-9", "cp1254"},   {"tis-620", "cp874"},  {"big5", "big5-hkscs"},
        {"iso-8859-8-i", "iso-8859-8"}, {"unicode-1-1-utf-7", "utf-7"}};
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (!g_ascii_strcasecmp(charset, pairs[i][0])) return pairs[i][1];
    }
    return charset;
}

// Whether the charset is known and fits; a rare invalid byte becomes U+FFFD.
static int append_converted(const guint8 *bytes, size_t count, const char *charset, GByteArray *out) {
    iconv_t converter = g_mime_iconv_open("UTF-8", larger(charset));
    if (converter == (iconv_t)-1) return 0;
    guint start = out->len;
    char *from = (char *)(guintptr)bytes, buffer[8192];
    size_t left = count, wrong = 0;
    while (left > 0) {
        char *to = buffer;
        size_t room = sizeof buffer;
        size_t result = iconv(converter, &from, &left, &to, &room);
        int fault = errno;
        g_byte_array_append(out, (const guint8 *)buffer, (guint)(sizeof buffer - room));
        if (result != (size_t)-1 || left == 0) continue;
        if (fault == E2BIG) continue;
        g_byte_array_append(out, (const guint8 *)"\xEF\xBF\xBD", 3);
        from++;
        left--;
        wrong++;
        if (fault == EINVAL) break;
    }
    char *to = buffer;
    size_t room = sizeof buffer;
    iconv(converter, NULL, NULL, &to, &room);
    g_byte_array_append(out, (const guint8 *)buffer, (guint)(sizeof buffer - room));
    g_mime_iconv_close(converter);
    if (wrong <= 1 + count / 50) return 1;
    g_byte_array_set_size(out, start);
    return 0;
}

// The charset that an HTML page declares itself.
static int named_in_page(const guint8 *bytes, size_t count, char name[32]) {
    size_t end = count > 2048 ? 2048 : count;
    for (size_t i = 0; i + 8 < end; i++) {
        if (g_ascii_strncasecmp((const char *)bytes + i, "charset=", 8)) continue;
        i += 8;
        while (i < end && (bytes[i] == '"' || bytes[i] == '\'' || bytes[i] == ' ')) i++;
        size_t length = 0;
        while (i < end && length < 31 && (g_ascii_isalnum(bytes[i]) || strchr("-_:.", bytes[i]))) {
            name[length++] = (char)bytes[i++];
        }
        name[length] = 0;
        return length > 0;
    }
    return 0;
}

void cms_to_utf8(const guint8 *bytes, size_t count, const char *charset, int is_html, GByteArray *out) {
    static const char *const plain[] = {"utf-8",   "utf8",    "us-ascii", "ascii",  "unknown-8bit",
                                        "unknown", "default", "x-unknown", "",       NULL};
    static const char *const latin[] = {"iso-8859-1", "iso8859-1", "latin1", "iso_8859-1", "windows-1252", "cp1252", NULL};
    char named[32];
    if (count == 0) return;
    int is_utf8 = g_utf8_validate_len((const char *)bytes, count, NULL);
    if (!charset && is_html && !is_utf8 && named_in_page(bytes, count, named)) charset = named;
    if (!charset) charset = "";
    // Seven-bit charsets look like UTF-8, and so do wide ones.
    int is_stateful = !g_ascii_strncasecmp(charset, "iso-2022", 8) || !g_ascii_strncasecmp(charset, "hz-", 3)
                  || g_strstr_len(charset, -1, "16") || g_strstr_len(charset, -1, "32")
                  || g_str_has_suffix(charset, "-7");
    // Non-ASCII bytes are very rarely UTF-8 by chance, so the declaration is wrong.
    if (is_utf8 && !is_stateful) {
        g_byte_array_append(out, bytes, (guint)count);
        return;
    }
    if (!is_any(charset, plain) && !is_any(charset, latin) && append_converted(bytes, count, charset, out)) return;
    append_western(bytes, count, out);
}
