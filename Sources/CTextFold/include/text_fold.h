// Sorts 64 bytes of text by kind at once: Swift has no way to turn a comparison of vectors into bits.
#pragma once
#include <stdbool.h>
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

// Sixteen bytes are what every machine of the two families compares at once.
typedef uint8_t tfold_bytes __attribute__((ext_vector_type(16)));
typedef int8_t tfold_signed __attribute__((ext_vector_type(16)));
typedef bool tfold_flags __attribute__((ext_vector_type(16)));

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bit k stands for byte k");

#define TFOLD_BITS(mask) \
    ((uint64_t)__builtin_bit_cast(uint16_t, __builtin_convertvector((tfold_signed)(mask), tfold_flags)))

// Which bytes lie from `first` to `last`: moved up so that `last` is the highest signed number, one comparison tells.
#define TFOLD_RANGE(bytes, first, last) \
    ((tfold_signed)((bytes) + (uint8_t)(0x7F - (last))) > (int8_t)(0x7F - (last) + (first) - 1))

// Sorts 16 bytes, adds their bits at `shift`, and returns them folded; `before` are the 16 folded ones before them.
static inline tfold_bytes tfold_sixteen(tfold_bytes bytes, tfold_bytes before, int shift, tfold_kinds *kinds) {
    tfold_bytes upper = (tfold_bytes)TFOLD_RANGE(bytes, 'A', 'Z');
    tfold_bytes folded = __builtin_elementwise_max(bytes | (upper & 0x20), (tfold_bytes)' ');
    tfold_bytes previous =
        __builtin_shufflevector(before, folded, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    kinds->letters |= TFOLD_BITS(TFOLD_RANGE(folded, 'a', 'z')) << shift;
    kinds->upper |= TFOLD_BITS(upper) << shift;
    kinds->digits |= TFOLD_BITS(TFOLD_RANGE(bytes, '0', '9')) << shift;
    kinds->blanks |= TFOLD_BITS(folded == ' ') << shift;
    kinds->breaks |= TFOLD_BITS(bytes == '\n') << shift;
    kinds->others |= TFOLD_BITS((tfold_signed)__builtin_elementwise_add_sat(bytes, (tfold_bytes)1) < 0) << shift;
    kinds->repeats |= TFOLD_BITS(folded == previous) << shift;
    return folded;
}

// Reads 64 bytes of `text` and writes them to `folded` with small letters, and with a space for each blank.
static inline tfold_kinds tfold_block(const uint8_t *text, uint8_t *folded) {
    tfold_kinds kinds = {0};
    // No letter is one of these.
    tfold_bytes before = (tfold_bytes)0xFF;
    for (int at = 0; at < TFOLD_BLOCK; at += 16) {
        tfold_bytes bytes;
        memcpy(&bytes, text + at, sizeof bytes);
        before = tfold_sixteen(bytes, before, at, &kinds);
        memcpy(folded + at, &before, sizeof before);
    }
    return kinds;
}

// As tfold_block for fewer bytes, the last that may be read; `folded` gets 64 all the same.
tfold_kinds tfold_part(const uint8_t *text, size_t count, uint8_t *folded);

// Moves 64 bytes; the places may overlap.
static inline void tfold_move(uint8_t *to, const uint8_t *from) { memmove(to, from, TFOLD_BLOCK); }

#ifdef __cplusplus
}
#endif
