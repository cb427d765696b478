// Sorts 64 bytes of text by kind at once: Swift has no way to turn a comparison of vectors into bits.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TFOLD_BLOCK 64

// Bit k tells about byte k of the block.
typedef struct {
    uint64_t letters;  // of ASCII, as are digits
    uint64_t upper;    // capital letters
    uint64_t digits;
    uint64_t blanks;   // the space and what stands before it
    uint64_t breaks;   // line feeds
    uint64_t others;   // not ASCII, and 0x7F
    uint64_t repeats;  // for letters: the byte before is the same letter, small or capital; bit 0 tells nothing
} tfold_kinds;

// Reads 64 bytes of `text` and writes them to `folded` with small letters, and with a space for each blank.
tfold_kinds tfold_block(const uint8_t *text, uint8_t *folded);

// As tfold_block for fewer bytes, the last that may be read; `folded` gets 64 all the same.
tfold_kinds tfold_part(const uint8_t *text, size_t count, uint8_t *folded);

// The place of the lowest bit of at least one: to ask for none as well costs two instructions more on old machines.
static inline uint64_t tfold_lowest(uint64_t bits) { return (uint64_t)__builtin_ctzll(bits); }

// Moves 64 bytes; the places may overlap.
static inline void tfold_move(uint8_t *to, const uint8_t *from) { memmove(to, from, TFOLD_BLOCK); }

#ifdef __cplusplus
}
#endif
