// Decodes one email at a time with GMime: headers, the text that a reader would see first, and the names of
// attachments. All strings are UTF-8 as far as the email allows; nothing of glib is exposed here.
#pragma once
#include <stddef.h>
#include <stdint.h>

// bytes == NULL: absent.
typedef struct { const char *bytes; size_t count; } cms_text;

typedef struct { cms_text name, mime; } cms_attachment;

typedef enum { CMS_NONE = 0, CMS_PLAIN = 1, CMS_HTML = 2 } cms_body_kind;

// A part of the text; other parts, such as pictures, may lie between two of them.
typedef struct {
    int kind, is_flowed, deletes_space;
    cms_text text;
} cms_body;

typedef struct {
    cms_text from_name, from_address, reply_to, subject;
    cms_text message_id, in_reply_to, first_reference;  // without angle brackets
    cms_text thread_id, labels, list_id, precedence, auto_submitted;
    const cms_text *to, *cc, *delivered_to;  // addresses
    size_t to_count, cc_count, delivered_to_count;
    cms_text date_text;
    int64_t date, received;  // seconds since 1970
    int has_date, has_received, has_unsubscribe;
    size_t header_count;
    const cms_body *bodies;
    size_t body_count;
    const cms_attachment *attachments;
    size_t attachment_count;
} cms_message;

typedef struct cms_parser cms_parser;
cms_parser *cms_new(void);  // NULL: out of memory
void cms_free(cms_parser *parser);

// Decodes an email of less than 2 GiB. It never fails, whatever the bytes, but returns NULL if they contain no email at
// all. The result is valid until the next call. The bytes may be modified: what would make GMime recurse without end is
// blanked out.
const cms_message *cms_parse(cms_parser *parser, uint8_t *bytes, size_t count);
