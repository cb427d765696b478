// Scans HTML of any size with libxml2's push parser, without building a tree: tags and text as flat lists. Never loads
// anything: no network, no DTD, no entities except those of HTML.
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

// Maximum bytes per call; events do not depend on how the bytes are split.
#define HTS_BLOCK 16384

// Processes up to HTS_BLOCK bytes of UTF-8 (invalid bytes become U+FFFD). Returns 1 to continue, 0 when out of memory,
// after which nothing more comes. The events of the previous call become invalid.
int hts_feed(hts_scanner *scanner, const uint8_t *bytes, size_t count);
// Ends the input and returns the last events.
int hts_finish(hts_scanner *scanner);

const hts_event *hts_events(const hts_scanner *scanner, size_t *count);
const hts_attribute *hts_attributes(const hts_scanner *scanner);
const uint8_t *hts_bytes(const hts_scanner *scanner);
