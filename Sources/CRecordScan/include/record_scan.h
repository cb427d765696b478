// Finds the fields of a message record in a line of JSON, after checking its full grammar (RFC 8259, depth <= 1,000).
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A decoded value in the arena; start == UINT32_MAX: absent.
typedef struct { uint32_t start, count; } trs_span;

// A byte range of the line.
typedef struct { uint32_t start, end; } trs_cut;

// Bits of trs_record.ignored, in the order of IgnoredFields in TriageCore.
typedef struct {
    trs_span text, id, platform, conversation_id, conversation_title, sender_id, sender_handle, sender_name, sent_at,
        lang, reply_to, kind, creator;
    int64_t followers;       // -1: unknown
    int8_t verified;         // 1, 0, -1: unknown
    int8_t is_self;          // 1, 0, -1: unknown
    uint32_t participants;   // array length or number; 0: unknown
    uint32_t attachments;    // array length
    uint32_t ignored;        // fields of a wrong type
    uint32_t closing_brace;  // offset of the record's last '}' in the line
    uint32_t cut_count;      // members named "triage": byte ranges to cut (with the comma that goes with each)
    trs_cut cuts[8];
} trs_record;

typedef enum {
    TRS_OK = 0,
    TRS_SYNTAX,        // not JSON; offset says where
    TRS_DEPTH,         // nested deeper than 1,000
    TRS_UTF8,          // invalid UTF-8
    TRS_NOT_OBJECT,    // JSON, but not an object
    TRS_NO_TEXT,       // no member "text"
    TRS_TEXT_TYPE,     // "text" is no string
    TRS_EMPTY,         // only whitespace
    TRS_ARENA_FULL,    // arena too small (needs at most line length + 64): a bug in the caller
    TRS_TOO_MANY_CUTS  // more than 8 members named "triage"
} trs_status;

// Size of the memory that carries what consecutive lines have in common; align it to 8 and zero it at first.
enum { TRS_MEMORY_SIZE = 2048 };

// Scans line[0, length); at least 64 readable bytes must follow it. Decoded values are appended to arena[*used...].
// `text_key` (NULL: "text") names the member that holds the message text. On error *error_offset is the byte offset in
// the line and *reason a static phrase without content. `memory` belongs to one `text_key`; it speeds up the next line
// and never changes the result. Without it (NULL) the line goes through the exact checker, which finds the same but is
// slower; tests compare both.
trs_status trs_scan(const uint8_t *line, size_t length, const char *text_key, void *memory, uint8_t *arena,
                    size_t arena_capacity, size_t *used, trs_record *record, size_t *error_offset,
                    const char **reason);

// Checks only the grammar: any RFC 8259 text in UTF-8 with depth <= max_depth (1,000 at most).
trs_status trs_check(const uint8_t *text, size_t length, size_t max_depth, size_t *error_offset, const char **reason);

#ifdef __cplusplus
}
#endif
