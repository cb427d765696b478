#include "encoded_words.h"

#include "gmime_functions.h"
#include <string.h>

typedef struct { const char *charset, *text, *end; size_t charset_count, text_count; } word;

// Parses the base64 word that begins here.
static int read_word(const char *at, word *w) {
    if (at[0] != '=' || at[1] != '?') return 0;
    w->charset = at + 2;
    w->charset_count = strcspn(w->charset, "? \t\r\n=");
    const char *mark = w->charset + w->charset_count;
    if (!w->charset_count || w->charset_count > 64 || mark[0] != '?' || (mark[1] | 0x20) != 'b' || mark[2] != '?') return 0;
    w->text = mark + 3;
    w->text_count = strcspn(w->text, "? \t\r\n");
    if (w->text[w->text_count] != '?' || w->text[w->text_count + 1] != '=') return 0;
    w->end = w->text + w->text_count + 2;
    return 1;
}

static void decode(const word *w, GByteArray *into) {
    gint state = 0;
    guint save = 0;
    guint start = into->len;
    g_byte_array_set_size(into, start + (guint)(w->text_count / 4 * 3 + 8));
    gsize count = g_base64_decode_step(w->text, w->text_count, into->data + start, &state, &save);
    g_byte_array_set_size(into, start + (guint)count);
}

char *cms_join_words(const char *value) {
    if (!strstr(value, "=?=")) return NULL;
    GString *out = g_string_sized_new(strlen(value));
    GByteArray *bytes = g_byte_array_new();
    const char *at = value;
    while (*at) {
        word first, next;
        const char *mark = strstr(at, "=?");
        if (!mark) break;
        g_string_append_len(out, at, mark - at);
        at = mark;
        if (!read_word(at, &first)) {
            g_string_append_len(out, at, 2);
            at += 2;
            continue;
        }
        g_byte_array_set_size(bytes, 0);
        decode(&first, bytes);
        at = first.end;
        const char *behind = at + strspn(at, " \t\r\n");
        while (behind > at && read_word(behind, &next) && next.charset_count == first.charset_count
               && !g_ascii_strncasecmp(next.charset, first.charset, first.charset_count)) {
            decode(&next, bytes);
            at = next.end;
            behind = at + strspn(at, " \t\r\n");
        }
        char *text = g_base64_encode(bytes->data, bytes->len);
        g_string_append(out, "=?");
        g_string_append_len(out, first.charset, (gssize)first.charset_count);
        g_string_append_printf(out, "?B?%s?=", text);
        g_free(text);
    }
    g_string_append(out, at);
    g_byte_array_free(bytes, TRUE);
    return g_string_free(out, FALSE);
}
