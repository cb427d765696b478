// Walks HTML of any size with libxml2's push parser, without a tree: tags and text as flat lists.
// Never loads anything: no network, no DTD, no entities but those of HTML.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef enum { HTS_START = 0, HTS_TEXT = 1, HTS_END = 2 } hts_kind;

// A range of hts_bytes.
typedef struct { uint32_t start, count; } hts_span;

typedef struct { hts_span name, value; } hts_attribute;

typedef struct {
    uint32_t kind;
    hts_span text;  // the name in lower case, or the text; neighboring texts belong together
    uint32_t first_attribute, attribute_count;
} hts_event;

typedef struct hts_scanner hts_scanner;
hts_scanner *hts_new(void);  // NULL: out of memory
void hts_free(hts_scanner *scanner);

// Bytes that one call takes at most; events do not depend on how the bytes are cut.
#define HTS_BLOCK 16384

// Takes up to HTS_BLOCK bytes, as UTF-8 (what is none becomes U+FFFD). 1: go on; 0: out of memory, nothing more comes.
// The events of the previous call are gone.
int hts_feed(hts_scanner *scanner, const uint8_t *bytes, size_t count);
// The end: the last events.
int hts_finish(hts_scanner *scanner);

const hts_event *hts_events(const hts_scanner *scanner, size_t *count);
const hts_attribute *hts_attributes(const hts_scanner *scanner);
const uint8_t *hts_bytes(const hts_scanner *scanner);
