// Classifies 64 bytes of text at once: Swift cannot convert a vector comparison into a bit mask.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TFOLD_BLOCK 64

// Bit k describes byte k of the block.
typedef struct {
    uint64_t letters;  // ASCII only, like digits
    uint64_t upper;    // capital letters
    uint64_t digits;
    uint64_t blanks;   // the space and all bytes below it
    uint64_t breaks;   // line feeds
    uint64_t others;   // not ASCII, and 0x7F
    uint64_t repeats;  // letters whose previous byte is the same letter in either case; bit 0 is meaningless
} tfold_kinds;

// Reads 64 bytes of `text` and writes them to `folded` in lower case, with each blank replaced by a space.
tfold_kinds tfold_block(const uint8_t *text, uint8_t *folded);

// Like tfold_block for fewer bytes, which may be the last readable ones; `folded` still gets 64.
tfold_kinds tfold_part(const uint8_t *text, size_t count, uint8_t *folded);

// Index of the lowest set bit; at least one must be set: checking for zero costs two more instructions on old machines.
static inline uint64_t tfold_lowest(uint64_t bits) { return (uint64_t)__builtin_ctzll(bits); }

// Copies 64 bytes; the ranges may overlap.
static inline void tfold_move(uint8_t *to, const uint8_t *from) { memmove(to, from, TFOLD_BLOCK); }

#ifdef __cplusplus
}
#endif
