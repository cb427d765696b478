#include "mail_scan.h"

#include "gmime_functions.h"
#include <string.h>

#include "encoded_words.h"
#include "mail_charset.h"

// Limits against hostile emails.
enum { MAX_ATTACHMENTS = 100, MAX_ADDRESSES = 50, MAX_DEPTH = 100, MAX_PARTS = 1000, MAX_BODY = 16 << 20 };

struct cms_parser {
    GMimeParserOptions *options;
    cms_message message;
    GStringChunk *strings;
    GByteArray *body;
    GArray *to, *cc, *delivered, *attachments, *bodies;
    int parts;
};

cms_parser *cms_new(void) {
    static gsize once = 0;
    if (g_once_init_enter(&once)) {
        g_mime_init();
        g_once_init_leave(&once, 1);
    }
    cms_parser *p = g_new0(cms_parser, 1);
    p->options = g_mime_parser_options_new();
    const char *charsets[] = {"utf-8", "windows-1252", NULL};
    g_mime_parser_options_set_fallback_charsets(p->options, charsets);
    p->strings = g_string_chunk_new(4096);
    p->body = g_byte_array_new();
    p->to = g_array_new(FALSE, FALSE, sizeof(cms_text));
    p->cc = g_array_new(FALSE, FALSE, sizeof(cms_text));
    p->delivered = g_array_new(FALSE, FALSE, sizeof(cms_text));
    p->attachments = g_array_new(FALSE, FALSE, sizeof(cms_attachment));
    p->bodies = g_array_new(FALSE, FALSE, sizeof(cms_body));
    return p;
}

void cms_free(cms_parser *p) {
    if (!p) return;
    g_mime_parser_options_free(p->options);
    g_string_chunk_free(p->strings);
    g_byte_array_free(p->body, TRUE);
    g_array_free(p->to, TRUE);
    g_array_free(p->cc, TRUE);
    g_array_free(p->delivered, TRUE);
    g_array_free(p->attachments, TRUE);
    g_array_free(p->bodies, TRUE);
    g_free(p);
}

static cms_text keep(cms_parser *p, const char *text, size_t count) {
    cms_text kept = {NULL, 0};
    if (!text) return kept;
    while (count && g_ascii_isspace(*text)) text++, count--;
    while (count && g_ascii_isspace(text[count - 1])) count--;
    kept.bytes = g_string_chunk_insert_len(p->strings, text, (gssize)count);
    kept.count = count;
    return kept;
}

static cms_text keep_string(cms_parser *p, const char *text) { return keep(p, text, text ? strlen(text) : 0); }

// Some programs put encoded words in quotes, where GMime does not decode them.
static cms_text keep_decoded(cms_parser *p, const char *text) {
    if (!text || !strstr(text, "=?")) return keep_string(p, text);
    char *decoded = g_mime_utils_header_decode_text(p->options, text);
    cms_text kept = keep_string(p, decoded);
    g_free(decoded);
    return kept;
}

static cms_text header(cms_parser *p, GMimeHeaderList *headers, const char *name) {
    GMimeHeader *found = g_mime_header_list_get_header(headers, name);
    const char *raw = found ? g_mime_header_get_raw_value(found) : NULL;
    char *joined = raw ? cms_join_words(raw) : NULL;
    if (!joined) return keep_decoded(p, found ? g_mime_header_get_value(found) : NULL);
    char *decoded = g_mime_utils_header_decode_text(p->options, joined);
    cms_text kept = keep_string(p, decoded);
    g_free(decoded);
    g_free(joined);
    return kept;
}

// The content of the first angle brackets, else the first word.
static cms_text message_id(cms_parser *p, GMimeHeaderList *headers, const char *name) {
    GMimeHeader *found = g_mime_header_list_get_header(headers, name);
    const char *value = found ? g_mime_header_get_value(found) : NULL;
    if (!value) return (cms_text){NULL, 0};
    const char *open = strchr(value, '<'), *end = open ? strchr(open, '>') : NULL;
    if (open && end && end > open + 1) return keep(p, open + 1, (size_t)(end - open - 1));
    while (g_ascii_isspace(*value)) value++;
    size_t count = strcspn(value, " \t\r\n<>");
    return count ? keep(p, value, count) : (cms_text){NULL, 0};
}

static cms_text lower(cms_parser *p, const char *text) {
    char *copy = text ? g_ascii_strdown(text, -1) : NULL;
    cms_text kept = keep_string(p, copy);
    g_free(copy);
    return kept;
}

// Adds the mailboxes of a list, including those in groups.
static void add_addresses(cms_parser *p, InternetAddressList *list, GArray *into, cms_text *name, int depth) {
    int count = list ? internet_address_list_length(list) : 0;
    for (int i = 0; i < count && into->len < MAX_ADDRESSES; i++) {
        InternetAddress *address = internet_address_list_get_address(list, i);
        if (INTERNET_ADDRESS_IS_MAILBOX(address)) {
            const char *addr = internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(address));
            cms_text text = lower(p, addr);
            if (!text.count) continue;
            if (name && !name->bytes) *name = keep_decoded(p, internet_address_get_name(address));
            g_array_append_val(into, text);
        } else if (INTERNET_ADDRESS_IS_GROUP(address) && depth < 4) {
            add_addresses(p, internet_address_group_get_members(INTERNET_ADDRESS_GROUP(address)), into, name, depth + 1);
        }
    }
}

static void add_header(cms_parser *p, GMimeHeaderList *headers, const char *key, GArray *into, cms_text *name) {
    GMimeHeader *found = g_mime_header_list_get_header(headers, key);
    const char *raw = found ? g_mime_header_get_raw_value(found) : NULL;
    if (!raw) return;
    char *joined = cms_join_words(raw);
    InternetAddressList *list = internet_address_list_parse(p->options, joined ? joined : raw);
    add_addresses(p, list, into, name, 0);
    if (list) g_object_unref(list);
    g_free(joined);
}

static int unix_time(GDateTime *date, int64_t *seconds) {
    if (!date) return 0;
    *seconds = g_date_time_to_unix(date);
    return 1;
}

static void read_headers(cms_parser *p, GMimeMessage *mail) {
    cms_message *m = &p->message;
    GMimeHeaderList *headers = g_mime_object_get_header_list(GMIME_OBJECT(mail));
    int count = g_mime_header_list_get_count(headers);
    m->header_count = (size_t)count;
    cms_text name = {NULL, 0};
    add_header(p, headers, "From", p->to, &name);
    if (!p->to->len) add_header(p, headers, "Sender", p->to, &name);
    m->from_name = name;
    if (p->to->len) {
        m->from_address = g_array_index(p->to, cms_text, 0);
    } else {
        m->from_name = header(p, headers, "From");
    }
    g_array_set_size(p->to, 0);
    add_header(p, headers, "Reply-To", p->to, NULL);
    if (p->to->len) m->reply_to = g_array_index(p->to, cms_text, 0);
    g_array_set_size(p->to, 0);
    add_header(p, headers, "To", p->to, NULL);
    add_header(p, headers, "Cc", p->cc, NULL);
    m->subject = header(p, headers, "Subject");
    m->message_id = message_id(p, headers, "Message-ID");
    m->in_reply_to = message_id(p, headers, "In-Reply-To");
    m->first_reference = message_id(p, headers, "References");
    m->thread_id = header(p, headers, "X-GM-THRID");
    m->labels = header(p, headers, "X-Gmail-Labels");
    m->list_id = header(p, headers, "List-Id");
    m->precedence = header(p, headers, "Precedence");
    m->auto_submitted = header(p, headers, "Auto-Submitted");
    m->has_unsubscribe = g_mime_header_list_contains(headers, "List-Unsubscribe");
    m->date_text = header(p, headers, "Date");
    m->has_date = unix_time(g_mime_message_get_date(mail), &m->date);
    const char *received = NULL;
    for (int i = 0; i < count; i++) {
        GMimeHeader *one = g_mime_header_list_get_header_at(headers, i);
        const char *key = g_mime_header_get_name(one);
        if (!g_ascii_strcasecmp(key, "Delivered-To") && p->delivered->len < 8) {
            const char *value = g_mime_header_get_value(one);
            cms_text text = lower(p, value);
            if (text.count) g_array_append_val(p->delivered, text);
        } else if (!m->has_date && !g_ascii_strcasecmp(key, "Received")) {
            received = g_mime_header_get_value(one);
        }
    }
    const char *when = received ? strrchr(received, ';') : NULL;
    if (when) {
        GDateTime *date = g_mime_utils_header_decode_date(when + 1);
        m->has_received = unix_time(date, &m->received);
        if (date) g_date_time_unref(date);
    }
}

static int is_attachment(GMimeObject *part) {
    const char *disposition = g_mime_object_get_disposition(part);
    if (disposition && !g_ascii_strcasecmp(disposition, "attachment")) return 1;
    return GMIME_IS_PART(part) && g_mime_part_get_filename(GMIME_PART(part)) != NULL;
}

static void add_attachment(cms_parser *p, GMimeObject *part) {
    if (p->attachments->len >= MAX_ATTACHMENTS) return;
    GMimeContentType *type = g_mime_object_get_content_type(part);
    char *mime = type ? g_mime_content_type_get_mime_type(type) : NULL;
    cms_attachment attachment;
    attachment.mime = lower(p, mime);
    attachment.name = keep_decoded(p, GMIME_IS_PART(part) ? g_mime_part_get_filename(GMIME_PART(part)) : NULL);
    g_free(mime);
    g_array_append_val(p->attachments, attachment);
}

// Takes a part's text as the body; returns whether it had more than whitespace.
static int take_body(cms_parser *p, GMimePart *part, int kind) {
    GMimeDataWrapper *content = g_mime_part_get_content(part);
    if (!content) return 0;
    GMimeStream *stream = g_mime_stream_mem_new();
    g_mime_data_wrapper_write_to_stream(content, stream);
    GByteArray *decoded = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(stream));
    size_t count = decoded->len > MAX_BODY ? MAX_BODY : decoded->len;
    GMimeObject *object = GMIME_OBJECT(part);
    const char *charset = g_mime_object_get_content_type_parameter(object, "charset");
    guint start = p->body->len;
    if (start + count > MAX_BODY) count = start > MAX_BODY ? 0 : MAX_BODY - start;
    cms_to_utf8(decoded->data, count, charset, kind == CMS_HTML, p->body);
    g_object_unref(stream);
    int is_blank = 1;
    for (guint i = start; i < p->body->len && is_blank; i++) is_blank = g_ascii_isspace((char)p->body->data[i]);
    if (is_blank || p->bodies->len >= MAX_PARTS) {
        g_byte_array_set_size(p->body, start);
        return 0;
    }
    const char *format = g_mime_object_get_content_type_parameter(object, "format");
    const char *delsp = g_mime_object_get_content_type_parameter(object, "delsp");
    cms_body body;
    body.kind = kind;
    body.is_flowed = kind == CMS_PLAIN && format && !g_ascii_strcasecmp(format, "flowed");
    body.deletes_space = delsp && !g_ascii_strcasecmp(delsp, "yes");
    body.text.bytes = NULL;  // set at the end, because appending may move the bytes
    body.text.count = p->body->len - start;
    g_array_append_val(p->bodies, body);
    return 1;
}

// Finds the body of a part and records attachments. `wanted`: whether a body is still needed.
static int walk(cms_parser *p, GMimeObject *part, int wanted, int depth) {
    if (!part || depth > MAX_DEPTH || ++p->parts > MAX_PARTS) return 0;
    if (GMIME_IS_MULTIPART(part)) {
        GMimeMultipart *multipart = GMIME_MULTIPART(part);
        GMimeContentType *type = g_mime_object_get_content_type(part);
        int count = g_mime_multipart_get_count(multipart), found = 0;
        int is_choice = type && g_mime_content_type_is_type(type, "multipart", "alternative");
        // Of several alternatives, prefer the plain text, which was written by the sender; try the others only if it is
        // empty.
        for (int pass = is_choice ? 0 : 1; pass < 2; pass++) {
            for (int i = 0; i < count && i < MAX_PARTS; i++) {
                GMimeObject *child = g_mime_multipart_get_part(multipart, i);
                GMimeContentType *own = child ? g_mime_object_get_content_type(child) : NULL;
                int is_plain = own && g_mime_content_type_is_type(own, "text", "plain");
                if (is_choice && (pass == 0) != is_plain) continue;
                // A reader sees all parts of an email one below the other: a picture may lie between two texts.
                if (walk(p, child, wanted && (!found || !is_choice), depth + 1)) found = 1;
            }
        }
        return found;
    }
    if (is_attachment(part) || !GMIME_IS_PART(part)) {
        add_attachment(p, part);
        return 0;
    }
    GMimeContentType *type = g_mime_object_get_content_type(part);
    if (!wanted || !type) return 0;
    if (g_mime_content_type_is_type(type, "text", "plain")) return take_body(p, GMIME_PART(part), CMS_PLAIN);
    if (g_mime_content_type_is_type(type, "text", "html")) return take_body(p, GMIME_PART(part), CMS_HTML);
    // A part without a type is text.
    const char *named = g_mime_object_get_header(part, "Content-Type");
    if (named && !strchr(named, '/')) return take_body(p, GMIME_PART(part), CMS_PLAIN);
    if (depth == 0 && !g_mime_content_type_is_type(type, "text", "*")) add_attachment(p, part);
    return 0;
}

// Address fields may contain groups, which GMime parses recursively, one level per colon. No real list has that many.
static void flatten_groups(uint8_t *bytes, size_t count) {
    static const char *const names[] = {"from:", "sender:", "reply-to:", "to:", "cc:", "bcc:", "resent-"};
    int is_address = 0, colons = 0;
    for (size_t at = 0; at < count;) {
        uint8_t *line = bytes + at, *found = memchr(line, '\n', count - at);
        size_t length = found ? (size_t)(found - line) : count - at;
        if (length > 0 && line[0] != ' ' && line[0] != '\t') {
            is_address = colons = 0;
            for (size_t i = 0; i < G_N_ELEMENTS(names) && !is_address; i++) {
                size_t size = strlen(names[i]);
                // A space may precede the colon.
                is_address = (line[0] | 0x20) == names[i][0] && length >= size
                             && !g_ascii_strncasecmp((const char *)line, names[i], size - 1);
            }
        }
        if (is_address) {
            for (size_t i = 0; i < length; i++) {
                if (line[i] == ':' && ++colons > 500) line[i] = ' ';
            }
        }
        at += length + 1;
    }
}

const cms_message *cms_parse(cms_parser *p, uint8_t *bytes, size_t count) {
    memset(&p->message, 0, sizeof p->message);
    g_string_chunk_clear(p->strings);
    g_byte_array_set_size(p->body, 0);
    g_array_set_size(p->to, 0);
    g_array_set_size(p->cc, 0);
    g_array_set_size(p->delivered, 0);
    g_array_set_size(p->attachments, 0);
    g_array_set_size(p->bodies, 0);
    p->parts = 0;
    if (count == 0 || count > G_MAXINT32) return NULL;

    // A view of the caller's bytes; the parts are views of it in turn.
    flatten_groups(bytes, count);
    GByteArray view = {bytes, (guint)count};
    GMimeStream *stream = g_mime_stream_mem_new();
    g_mime_stream_mem_set_byte_array(GMIME_STREAM_MEM(stream), &view);
    GMimeParser *parser = g_mime_parser_new_with_stream(stream);
    g_mime_parser_set_format(parser, GMIME_FORMAT_MESSAGE);
    GMimeMessage *mail = g_mime_parser_construct_message(parser, p->options);
    const cms_message *result = NULL;
    if (mail) {
        read_headers(p, mail);
        walk(p, g_mime_message_get_mime_part(mail), 1, 0);
        cms_message *m = &p->message;
        size_t at = 0;
        for (guint i = 0; i < p->bodies->len; i++) {
            cms_body *body = &g_array_index(p->bodies, cms_body, i);
            body->text.bytes = (const char *)p->body->data + at;
            at += body->text.count;
        }
        m->bodies = (const cms_body *)(void *)p->bodies->data;
        m->body_count = p->bodies->len;
        m->to = (const cms_text *)(void *)p->to->data;
        m->to_count = p->to->len;
        m->cc = (const cms_text *)(void *)p->cc->data;
        m->cc_count = p->cc->len;
        m->delivered_to = (const cms_text *)(void *)p->delivered->data;
        m->delivered_to_count = p->delivered->len;
        m->attachments = (const cms_attachment *)(void *)p->attachments->data;
        m->attachment_count = p->attachments->len;
        result = m;
        g_object_unref(mail);
    }
    g_object_unref(parser);
    g_object_unref(stream);
    return result;
}
