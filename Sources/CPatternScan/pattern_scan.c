#include "pattern_scan.h"

#include <stdlib.h>

// Whether it is a letter, digit or mark of a script that separates words by spaces. Han, kana, Thai, emojis and symbols
// do not count: a Latin word may stand right beside them.
static int is_word_scalar(uint32_t s) {
    if (s < 0x80) {
        return (s >= 'a' && s <= 'z') || (s >= '0' && s <= '9') || (s >= 'A' && s <= 'Z');
    }
    if (s < 0xC0) return s == 0xAA || s == 0xB5 || s == 0xBA;
    if (s <= 0x24F) return s != 0xD7 && s != 0xF7;
    if (s <= 0x36F) return 1;
    if (s <= 0x52F) return s != 0x37E && s != 0x387;
    if (s >= 0x531 && s <= 0x587) return 1;
    if (s >= 0x5D0 && s <= 0x5F2) return 1;
    if (s >= 0x620 && s <= 0x6FF) return s != 0x66A && s != 0x66B && s != 0x66C && s != 0x66D && s != 0x6D4;
    if (s >= 0x900 && s <= 0xDFF) return s != 0x964 && s != 0x965;
    if (s >= 0x10A0 && s <= 0x10FF) return 1;
    if (s >= 0x1E00 && s <= 0x1FFF) return 1;
    return 0;
}

int tps_word_before(const uint8_t *bytes, size_t start, size_t at) {
    if (at <= start) return 0;
    uint8_t last = bytes[at - 1];
    if (last < 0x80) return is_word_scalar(last);
    size_t i = at - 1;
    while (i > start && at - i < 4 && (bytes[i] & 0xC0) == 0x80) i--;
    return tps_word_at(bytes, at, i);
}

int tps_word_at(const uint8_t *bytes, size_t end, size_t at) {
    if (at >= end) return 0;
    uint32_t b = bytes[at];
    if (b < 0x80) return is_word_scalar(b);
    if (b < 0xE0 && at + 1 < end) return is_word_scalar((b & 0x1F) << 6 | (bytes[at + 1] & 0x3F));
    if (b < 0xF0 && at + 2 < end)
        return is_word_scalar((b & 0x0F) << 12 | (uint32_t)(bytes[at + 1] & 0x3F) << 6 | (bytes[at + 2] & 0x3F));
    return 0;
}

typedef struct {
    const tps_pattern *patterns;
    const uint8_t *bytes;
    const uint32_t *starts;
    const uint32_t *lengths;
    uint32_t texts;
    uint32_t text;
    uint32_t in_text;
    uint32_t limit;
    tps_matches *places;
    tps_matches *out;
} scan_state;

// Appends a match; returns 0 when out of memory.
static int append(tps_matches *out, tps_match match) {
    if (out->count == out->capacity) {
        size_t capacity = out->capacity ? out->capacity * 2 : 4096;
        tps_match *grown = realloc(out->matches, capacity * sizeof(tps_match));
        if (!grown) {
            out->failed = 1;
            return 0;
        }
        out->matches = grown;
        out->capacity = capacity;
    }
    out->matches[out->count++] = match;
    return 1;
}

static int on_match(unsigned int id, unsigned long long from, unsigned long long to, unsigned int flags, void *context) {
    (void)flags;
    scan_state *s = context;
    const tps_pattern *pattern = &s->patterns[id];
    size_t start = pattern->length ? (size_t)to - pattern->length : (size_t)from;
    // Matches arrive in order of their ends, so the text index can only advance.
    while (s->text < s->texts && to > (unsigned long long)s->starts[s->text] + s->lengths[s->text]) {
        s->text++;
        s->in_text = 0;
    }
    if (s->text >= s->texts) return 1;
    size_t text_start = s->starts[s->text];
    size_t text_end = text_start + s->lengths[s->text];
    if (start < text_start) return 0;
    tps_match match = {s->text, id, (uint32_t)(start - text_start), (uint32_t)((size_t)to - text_start)};
    if (pattern->is_gate) return s->places && !append(s->places, match);
    if (s->in_text >= s->limit) return 0;
    if (pattern->whole_word) {
        if (tps_word_before(s->bytes, text_start, start) && tps_word_at(s->bytes, text_end, start)) return 0;
        if (tps_word_at(s->bytes, text_end, (size_t)to) && tps_word_before(s->bytes, text_start, (size_t)to)) return 0;
    }
    if (!append(s->out, match)) return 1;
    s->in_text++;
    return 0;
}

int tps_scan(const hs_database_t *database, hs_scratch_t *scratch, const tps_pattern *patterns, const uint8_t *bytes,
             const uint32_t *starts, const uint32_t *lengths, uint32_t texts, uint32_t limit_per_text,
             tps_matches *places, tps_matches *out) {
    if (texts == 0) return HS_SUCCESS;
    scan_state state = {patterns, bytes, starts, lengths, texts, 0, 0, limit_per_text, places, out};
    size_t end = (size_t)starts[texts - 1] + lengths[texts - 1] + TPS_PADDING;
    int status = hs_scan(database, (const char *)bytes, (unsigned int)end, 0, scratch, on_match, &state);
    return status == HS_SCAN_TERMINATED && !out->failed && !(places && places->failed) ? HS_SUCCESS : status;
}

typedef struct {
    const uint32_t *starts;
    const uint32_t *lengths;
    uint32_t texts;
    uint32_t text;
    uint8_t *found;
} filter_state;

static int on_filter(unsigned int id, unsigned long long from, unsigned long long to, unsigned int flags, void *context) {
    (void)id, (void)from, (void)flags;
    filter_state *s = context;
    while (s->text < s->texts && to > (unsigned long long)s->starts[s->text] + s->lengths[s->text]) s->text++;
    if (s->text >= s->texts) return 1;
    s->found[s->text] = 1;
    return 0;
}

int tps_filter(const hs_database_t *database, hs_scratch_t *scratch, const uint8_t *bytes, const uint32_t *starts,
               const uint32_t *lengths, uint32_t texts, uint8_t *found) {
    if (texts == 0) return HS_SUCCESS;
    filter_state state = {starts, lengths, texts, 0, found};
    size_t end = (size_t)starts[texts - 1] + lengths[texts - 1] + TPS_PADDING;
    int status = hs_scan(database, (const char *)bytes, (unsigned int)end, 0, scratch, on_filter, &state);
    return status == HS_SCAN_TERMINATED ? HS_SUCCESS : status;
}

int tps_scan_found(const hs_database_t *database, hs_scratch_t *scratch, const tps_pattern *patterns,
                   const uint8_t *bytes, const uint32_t *starts, const uint32_t *lengths, uint32_t texts,
                   const uint8_t *found, uint32_t limit_per_text, tps_matches *out) {
    for (uint32_t i = 0; i < texts; i++) {
        if (!found[i]) continue;
        size_t before = out->count;
        uint32_t start = 0;
        int status = tps_scan(database, scratch, patterns, bytes + starts[i], &start, &lengths[i], 1, limit_per_text, NULL, out);
        if (status != HS_SUCCESS) return status;
        for (size_t m = before; m < out->count; m++) out->matches[m].text = i;
    }
    return HS_SUCCESS;
}

void tps_matches_free(tps_matches *out) {
    free(out->matches);
    out->matches = NULL;
    out->count = out->capacity = 0;
}
