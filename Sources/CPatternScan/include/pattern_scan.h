// Scans many texts with one Vectorscan database and collects the matches that satisfy the patterns' word boundaries.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <hs.h>

#ifdef __cplusplus
extern "C" {
#endif

// A pattern; its index is its id in the database.
typedef struct {
    uint32_t length;  // bytes of a literal; 0: a regex, whose start the engine reports
    uint8_t whole_word;  // no letter or digit may be adjacent
    uint8_t is_gate;     // not reported; a match only allows regexes to try the text
} tps_pattern;

// A match within one text of the batch; offsets are relative to that text.
typedef struct {
    uint32_t text;
    uint32_t pattern;
    uint32_t start;
    uint32_t end;
} tps_match;

typedef struct {
    tps_match *matches;
    size_t count;
    size_t capacity;
    int failed;  // out of memory
} tps_matches;

// Number of bytes after the last text that must be readable; they are scanned too. Vectorscan 5.4.9 on x86 loses
// matches in the last bytes of its input, depending on the input's address, so the last bytes must not be text.
#define TPS_PADDING 64

// Scans `bytes` (concatenated texts; text i is [starts[i], starts[i] + lengths[i])) and appends at most
// `limit_per_text` matches per text to `out`, in order of their ends. A match of a pattern with `is_gate` goes to
// `places` instead (may be NULL), in order of the ends and without a limit. Returns an hs_error_t.
int tps_scan(const hs_database_t *database, hs_scratch_t *scratch, const tps_pattern *patterns, const uint8_t *bytes,
             const uint32_t *starts, const uint32_t *lengths, uint32_t texts, uint32_t limit_per_text,
             tps_matches *places, tps_matches *out);

// Marks in `found` (one byte per text, zeroed by the caller) the texts in which any pattern matches.
int tps_filter(const hs_database_t *database, hs_scratch_t *scratch, const uint8_t *bytes, const uint32_t *starts,
               const uint32_t *lengths, uint32_t texts, uint8_t *found);

// Like tps_scan, but scans only the marked texts, each separately.
int tps_scan_found(const hs_database_t *database, hs_scratch_t *scratch, const tps_pattern *patterns,
                   const uint8_t *bytes, const uint32_t *starts, const uint32_t *lengths, uint32_t texts,
                   const uint8_t *found, uint32_t limit_per_text, tps_matches *out);

void tps_matches_free(tps_matches *out);

// Whether the scalar that ends before / starts at `at` is a letter or digit of a script that separates words by spaces.
int tps_word_before(const uint8_t *bytes, size_t start, size_t at);
int tps_word_at(const uint8_t *bytes, size_t end, size_t at);

// Index of the lowest set bit; at least one must be set: checking for zero costs two more instructions on old machines.
static inline uint64_t tps_lowest(uint64_t bits) { return (uint64_t)__builtin_ctzll(bits); }

#ifdef __cplusplus
}
#endif
