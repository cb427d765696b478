#include "html_scan.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Maximum open elements. The parser searches all of them at each end tag, so without a limit hostile input takes
// quadratic time; beyond it the parser is restarted on the rest.
enum { MAX_DEPTH = 1000 };
// Maximum spaces and quotes in one tag; the parser compares every attribute with every other. The rest of the tag is
// dropped.
enum { MAX_TAG_PIECES = 1000 };
// Maximum bytes kept of an attribute's value, and passed on of a tag, which may contain an image.
enum { MAX_VALUE = 1 << 16, MAX_TAG = 1 << 20 };
enum { MAX_ATTRIBUTES = 64 };
// Maximum bytes of an end tag: nothing after its name matters.
enum { MAX_END_TAG = 1 << 10 };
// The parser holds text without any tag until its end, and rejects more than ten million bytes.
enum { MAX_RUN = 4 << 20 };

typedef struct { uint8_t *bytes; size_t count, capacity; } buffer;

static int buffer_reserve(buffer *b, size_t more) {
    if (b->capacity - b->count >= more) return 1;
    size_t capacity = b->capacity ? b->capacity * 2 : 4096;
    while (capacity - b->count < more) capacity *= 2;
    uint8_t *bytes = realloc(b->bytes, capacity);
    if (!bytes) return 0;
    b->bytes = bytes;
    b->capacity = capacity;
    return 1;
}

static int buffer_add(buffer *b, const void *bytes, size_t count) {
    if (!buffer_reserve(b, count)) return 0;
    if (count) memcpy(b->bytes + b->count, bytes, count);
    b->count += count;
    return 1;
}

struct hts_scanner {
    htmlParserCtxtPtr parser;
    xmlSAXHandler handler;
    buffer bytes, events, attributes;
    buffer held;       // cleaned input, until a block is full
    buffer rest;       // unread input when the parser was restarted
    uint8_t tail[4];   // an incomplete character
    size_t tail_count;
    int depth, is_anew, failed;
    // The approximate position in the input: just enough to limit a tag and to cut between tags.
    enum {
        IN_TEXT, AFTER_ANGLE, IN_TAG, IN_LONG_TAG, IN_END_TAG, AFTER_BANG, AFTER_DASH, IN_COMMENT, IN_DECLARATION, IN_RAW
    } state;
    uint8_t quote, last;
    size_t pieces, length, run;
    // Number of held bytes that do not end within a tag.
    size_t whole;
    // The first letters of the tag's name; in IN_RAW, how much of its end tag was seen.
    char name[7];
    size_t name_length, seen;
    // In a comment: number of hyphens just seen, and whether a '!' followed two of them.
    size_t hyphens;
    int is_banged;
};

static hts_span add_text(hts_scanner *s, const xmlChar *text, size_t count) {
    hts_span span = {(uint32_t)s->bytes.count, (uint32_t)count};
    if (s->bytes.count + count > UINT32_MAX || !buffer_add(&s->bytes, text, count)) {
        s->failed = 1;
        span.count = 0;
    }
    return span;
}

static void add_event(hts_scanner *s, hts_event event) {
    if (!buffer_add(&s->events, &event, sizeof event)) s->failed = 1;
}

// The parser ignores everything after the end of the first element, so wrap the input in one of our own.
static const char root[] = "hts-root";

// Ends this parser; its unread input goes to the next one.
static void anew(hts_scanner *s, const xmlChar *at) {
    const xmlChar *end = s->parser->input->end;
    s->is_anew = 1;
    s->rest.count = 0;
    if (at < end && !buffer_add(&s->rest, at, (size_t)(end - at))) s->failed = 1;
    xmlStopParser(s->parser);
}

static void on_start(void *user, const xmlChar *name, const xmlChar **attributes) {
    hts_scanner *s = user;
    if (s->is_anew) return;
    if (s->depth++ == 0) return;
    hts_event event = {HTS_START, add_text(s, name, strlen((const char *)name)),
                       (uint32_t)(s->attributes.count / sizeof(hts_attribute)), 0};
    for (; attributes && attributes[0] && event.attribute_count < MAX_ATTRIBUTES; attributes += 2) {
        size_t count = attributes[1] ? strlen((const char *)attributes[1]) : 0;
        if (count > MAX_VALUE) {
            count = MAX_VALUE;
            while (count && (attributes[1][count] & 0xC0) == 0x80) count--;
        }
        hts_attribute attribute;
        attribute.name = add_text(s, attributes[0], strlen((const char *)attributes[0]));
        attribute.value = add_text(s, attributes[1], count);
        if (!buffer_add(&s->attributes, &attribute, sizeof attribute)) s->failed = 1;
        event.attribute_count++;
    }
    add_event(s, event);
    if (s->depth < MAX_DEPTH) return;
    // Within the tag, before its '>'.
    const xmlChar *at = s->parser->input->cur, *end = s->parser->input->end;
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r' || *at == '/')) at++;
    if (at < end && *at == '>') at++;
    anew(s, at);
}

static void on_end(void *user, const xmlChar *name) {
    hts_scanner *s = user;
    if (s->is_anew) return;
    if (--s->depth <= 0) {
        s->depth = 0;
        anew(s, s->parser->input->cur);
        return;
    }
    add_event(s, (hts_event){HTS_END, add_text(s, name, strlen((const char *)name)), 0, 0});
}

static void on_text(void *user, const xmlChar *text, int count) {
    hts_scanner *s = user;
    if (s->is_anew || count <= 0) return;
    add_event(s, (hts_event){HTS_TEXT, add_text(s, text, (size_t)count), 0, 0});
}

static void on_fault(void *user, const char *format, ...) {
    (void)user;
    (void)format;
}

static int begin(hts_scanner *s) {
    if (s->parser) htmlFreeParserCtxt(s->parser);
    s->parser = htmlCreatePushParserCtxt(&s->handler, s, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
    if (!s->parser) {
        s->failed = 1;
        return 0;
    }
    htmlCtxtUseOptions(s->parser, HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                      HTML_PARSE_IGNORE_ENC | HTML_PARSE_NOIMPLIED | HTML_PARSE_NODEFDTD);
    s->depth = 0;
    s->is_anew = 0;
    htmlParseChunk(s->parser, "<", 1, 0);
    htmlParseChunk(s->parser, root, sizeof root - 1, 0);
    htmlParseChunk(s->parser, ">", 1, 0);
    return 1;
}

hts_scanner *hts_new(void) {
    hts_scanner *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    // Old versions must not be initialized by two threads at once.
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, xmlInitParser);
    s->handler.startElement = on_start;
    s->handler.endElement = on_end;
    s->handler.characters = on_text;
    s->handler.ignorableWhitespace = on_text;
    s->handler.cdataBlock = on_text;
    s->handler.error = on_fault;
    s->handler.warning = on_fault;
    s->handler.fatalError = on_fault;
    s->handler.initialized = 1;
    if (!begin(s)) {
        hts_free(s);
        return NULL;
    }
    return s;
}

void hts_free(hts_scanner *s) {
    if (!s) return;
    if (s->parser) htmlFreeParserCtxt(s->parser);
    free(s->bytes.bytes);
    free(s->events.bytes);
    free(s->attributes.bytes);
    free(s->held.bytes);
    free(s->rest.bytes);
    free(s);
}

static void parse(hts_scanner *s, const uint8_t *bytes, size_t count, int is_last) {
    if (s->failed) return;
    htmlParseChunk(s->parser, (const char *)bytes, (int)count, is_last);
    while (s->is_anew && !s->failed && (s->rest.count || !is_last)) {
        buffer rest = s->rest;
        s->rest = (buffer){NULL, 0, 0};
        if (begin(s)) htmlParseChunk(s->parser, (const char *)rest.bytes, (int)rest.count, is_last);
        free(rest.bytes);
    }
}

static void put(hts_scanner *s, const uint8_t *bytes, size_t count) {
    if (!buffer_add(&s->held, bytes, count)) s->failed = 1;
}

// Whether the content of the tag that just ended is not HTML.
static int begins_raw(const hts_scanner *s) {
    if (s->last == '/') return 0;
    return (s->name_length == 6 && memcmp(s->name, "script", 6) == 0) ||
           (s->name_length == 5 && memcmp(s->name, "style", 5) == 0);
}

// Skips scripts and styles up to their end tag: nobody reads them, and the parser would hold all of them.
static void pass_raw(hts_scanner *s, uint8_t c) {
    char lower = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    if (s->seen >= 2 && lower == s->name[s->seen - 2]) {
        if (++s->seen < s->name_length + 2) return;
        put(s, (const uint8_t *)"</", 2);
        put(s, (const uint8_t *)s->name, s->name_length);
        s->state = IN_END_TAG;
    } else {
        s->seen = c == '<' ? 1 : s->seen == 1 && c == '/' ? 2 : 0;
    }
}

// Empties comments, because their content could look like tags.
static void pass_comment(hts_scanner *s, uint8_t c) {
    if (c == '>' && (s->hyphens >= 2 || s->is_banged)) {
        put(s, (const uint8_t *)"-->", 3);
        s->state = IN_TEXT;
    }
    s->is_banged = c == '!' && s->hyphens >= 2 && s->length > 0;
    s->hyphens = c == '-' ? s->hyphens + 1 : 0;
    s->length++;
}

// Passes on one valid UTF-8 character; keeps tags and runs within their limits.
static void pass(hts_scanner *s, const uint8_t *bytes, size_t count) {
    uint8_t c = bytes[0], quote = s->quote;
    switch (s->state) {
    case IN_TEXT:
        // Break up a long text with a meaningless tag before the parser gives up on it.
        s->run += count;
        if (s->run > MAX_RUN) {
            put(s, (const uint8_t *)"<wbr>", 5);
            s->run = 0;
        }
        if (c == '<') s->state = AFTER_ANGLE;
        break;
    case AFTER_ANGLE:
        if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
            s->state = IN_TAG;
            s->pieces = s->length = 0;
            s->quote = 0;
            s->run = 0;
            s->name[0] = (char)(c | 0x20);
            s->name_length = 1;
        } else if (c == '/') {
            s->state = IN_END_TAG;
            s->length = 0;
        } else if (c == '!') {
            s->state = AFTER_BANG;
        } else if (c != '<') {
            s->state = IN_TEXT;
        }
        break;
    case AFTER_BANG:
        if (c == '-') {
            s->state = AFTER_DASH;
            return;
        }
        // Declarations and Outlook's conditional comments become empty comments: they are never useful.
        s->state = IN_DECLARATION;
        put(s, (const uint8_t *)"--", 2);
        if (c != '>') return;
        put(s, (const uint8_t *)"--", 2);
        s->state = IN_TEXT;
        break;
    case AFTER_DASH:
        put(s, (const uint8_t *)"--", 2);
        s->state = IN_DECLARATION;
        if (c == '-') {
            s->state = IN_COMMENT;
            s->hyphens = 2;
            s->is_banged = 0;
            s->length = 0;
        }
        if (c != '>') return;
        put(s, (const uint8_t *)"--", 2);
        s->state = IN_TEXT;
        break;
    case IN_COMMENT:
        pass_comment(s, c);
        if (s->state == IN_TEXT) s->whole = s->held.count;
        return;
    case IN_DECLARATION:
        if (c != '>') return;
        s->state = IN_TEXT;
        put(s, (const uint8_t *)"--", 2);
        break;
    case IN_TAG:
        s->length++;
        if (s->length == s->name_length && (c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
            if (s->name_length < sizeof s->name) s->name[s->name_length] = (char)(c | 0x20);
            s->name_length++;
        }
        if (s->quote) {
            if (c == s->quote) s->quote = 0;
        } else if (c == '>') {
            s->state = begins_raw(s) ? IN_RAW : IN_TEXT;
            s->seen = 0;
        } else if (c == '"' || c == '\'') {
            s->quote = c;
        }
        s->last = c;
        if (c == '"' || c == '\'' || c == ' ' || (c >= 9 && c <= 13)) s->pieces++;
        if (s->state == IN_TAG && (s->pieces > MAX_TAG_PIECES || s->length > MAX_TAG)) {
            if (quote) put(s, &quote, 1);
            s->state = IN_LONG_TAG;
            return;
        }
        break;
    case IN_LONG_TAG:
        if (s->quote) {
            if (c == s->quote) s->quote = 0;
            return;
        }
        if (c != '>') return;
        s->last = c;
        s->state = begins_raw(s) ? IN_RAW : IN_TEXT;
        s->seen = 0;
        break;
    case IN_END_TAG:
        if (c != '>') {
            if (++s->length > MAX_END_TAG) return;
            break;
        }
        s->state = IN_TEXT;
        break;
    case IN_RAW:
        pass_raw(s, c);
        return;
    }
    put(s, bytes, count);
    if (s->state == IN_TEXT || s->state == IN_RAW) s->whole = s->held.count;
}

static const uint8_t replacement[3] = {0xEF, 0xBF, 0xBD};

// Length of the character that begins here; 0: invalid, and *wrong bytes must be replaced; -1: it may continue after
// the end.
static int character(const uint8_t *b, size_t count, size_t *wrong) {
    uint8_t c = b[0];
    *wrong = 1;
    if (c < 0x80) return c == 0 ? 0 : 1;
    int length = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (!length) return 0;
    for (int i = 1; i < length; i++) {
        if ((size_t)i >= count) return -1;
        uint8_t low = 0x80, high = 0xBF;
        if (i == 1) {
            if (c == 0xE0) low = 0xA0;
            if (c == 0xED) high = 0x9F;
            if (c == 0xF0) low = 0x90;
            if (c == 0xF4) high = 0x8F;
        }
        if (b[i] < low || b[i] > high) {
            *wrong = (size_t)i;
            return 0;
        }
    }
    return length;
}

// Passes on the held bytes up to the end of a tag or text. If a tag arrives in two pieces, the parser (libxml2 2.9)
// resumes its search for the tag's end in the wrong place, and then holds everything to the end of the document.
static void drain(hts_scanner *s, int is_last) {
    size_t count = is_last ? s->held.count : s->whole;
    if (count < HTS_BLOCK && !is_last) return;
    parse(s, s->held.bytes, count, is_last);
    s->whole = 0;
    s->held.count -= count;
    if (s->held.count) memmove(s->held.bytes, s->held.bytes + count, s->held.count);
}

static void forget(hts_scanner *s) {
    s->bytes.count = 0;
    s->events.count = 0;
    s->attributes.count = 0;
}

int hts_feed(hts_scanner *s, const uint8_t *bytes, size_t count) {
    forget(s);
    size_t i = 0, wrong = 0;
    while (s->tail_count && i < count) {
        s->tail[s->tail_count++] = bytes[i++];
        int length = character(s->tail, s->tail_count, &wrong);
        if (length < 0) continue;
        if (length > 0) {
            pass(s, s->tail, (size_t)length);
        } else {
            // The last byte is not part of this character; it may start another.
            pass(s, replacement, 3);
            i--;
        }
        s->tail_count = 0;
    }
    while (i < count) {
        if (s->state == IN_TEXT) {
            size_t end = i;
            while (end < count && bytes[end] < 0x80 && bytes[end] != '<' && bytes[end] != 0) end++;
            if (end > i && s->run + (end - i) < MAX_RUN) {
                put(s, bytes + i, end - i);
                s->run += end - i;
                s->whole = s->held.count;
                i = end;
                continue;
            }
        }
        int length = character(bytes + i, count - i, &wrong);
        if (length > 0) {
            pass(s, bytes + i, (size_t)length);
            i += (size_t)length;
        } else if (length == 0) {
            pass(s, replacement, 3);
            i += wrong;
        } else {
            s->tail_count = count - i;
            memcpy(s->tail, bytes + i, s->tail_count);
            break;
        }
    }
    drain(s, 0);
    return !s->failed;
}

int hts_finish(hts_scanner *s) {
    forget(s);
    if (s->tail_count) pass(s, replacement, 3);
    s->tail_count = 0;
    drain(s, 1);
    return !s->failed;
}

const hts_event *hts_events(const hts_scanner *s, size_t *count) {
    *count = s->events.count / sizeof(hts_event);
    return (const hts_event *)s->events.bytes;
}

const hts_attribute *hts_attributes(const hts_scanner *s) { return (const hts_attribute *)s->attributes.bytes; }
const uint8_t *hts_bytes(const hts_scanner *s) { return s->bytes.bytes; }
