// Scans many texts with one Vectorscan database and collects the matches that stand where they may stand.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <hs.h>

#ifdef __cplusplus
extern "C" {
#endif

// One pattern, by its id in the database.
typedef struct {
    uint32_t length;  // bytes of a literal; 0: a regex, whose start the engine reports
    uint8_t whole_word;  // no letter or digit may stand beside it
    uint8_t is_gate;     // no pattern to report, but one that lets regexes try the text
} tps_pattern;

// A match inside one text of the batch; offsets are relative to that text.
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

// Bytes behind the last text that have to be readable and are scanned with it. Vectorscan 5.4.9 on x86 loses matches in
// the last bytes of its input, depending on where the input lies in memory: the text must not be what stands there.
#define TPS_PADDING 64

// A pattern with `is_gate` is no match: it goes to `places`, in order of its ends and without a limit (may be NULL).
// Scans `bytes` (texts back to back; text i is [starts[i], starts[i] + lengths[i])) and appends at most
// `limit_per_text` matches of each text to `out`, in order of their ends. Returns an hs_error_t.
int tps_scan(const hs_database_t *database, hs_scratch_t *scratch, const tps_pattern *patterns, const uint8_t *bytes,
             const uint32_t *starts, const uint32_t *lengths, uint32_t texts, uint32_t limit_per_text,
             tps_matches *places, tps_matches *out);

// Marks in `found` (one byte a text, zeroed by the caller) the texts in which any pattern ends.
int tps_filter(const hs_database_t *database, hs_scratch_t *scratch, const uint8_t *bytes, const uint32_t *starts,
               const uint32_t *lengths, uint32_t texts, uint8_t *found);

// As tps_scan, for the marked texts alone, each on its own.
int tps_scan_found(const hs_database_t *database, hs_scratch_t *scratch, const tps_pattern *patterns,
                   const uint8_t *bytes, const uint32_t *starts, const uint32_t *lengths, uint32_t texts,
                   const uint8_t *found, uint32_t limit_per_text, tps_matches *out);

void tps_matches_free(tps_matches *out);

// Whether the scalar that ends before / starts at `at` is a letter or digit of a script that puts blanks between words.
int tps_word_before(const uint8_t *bytes, size_t start, size_t at);
int tps_word_at(const uint8_t *bytes, size_t end, size_t at);

// The place of the lowest bit of at least one: to ask for none as well costs two instructions more on old machines.
static inline uint64_t tps_lowest(uint64_t bits) { return (uint64_t)__builtin_ctzll(bits); }

#ifdef __cplusplus
}
#endif
