#include "text_fold.h"

#include <stdbool.h>

// At program start, select code for machines that process 32 bytes at once or for those that process 16.
#if defined(__x86_64__) && defined(__GLIBC__)
#define TFOLD_FOR_EACH_MACHINE __attribute__((target_clones("avx2", "default")))
#else
#define TFOLD_FOR_EACH_MACHINE
#endif

#define TFOLD_WIDTH 32
typedef uint8_t tfold_bytes __attribute__((ext_vector_type(TFOLD_WIDTH)));
typedef int8_t tfold_signed __attribute__((ext_vector_type(TFOLD_WIDTH)));
typedef bool tfold_flags __attribute__((ext_vector_type(TFOLD_WIDTH)));

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bit k stands for byte k");

#define TFOLD_BITS(mask) \
    ((uint64_t)__builtin_bit_cast(uint32_t, __builtin_convertvector((tfold_signed)(mask), tfold_flags)))

// Which bytes are between `first` and `last`: shifted so that `last` is the highest signed number, one comparison
// suffices.
#define TFOLD_RANGE(bytes, first, last) \
    ((tfold_signed)((bytes) + (uint8_t)(0x7F - (last))) > (int8_t)(0x7F - (last) + (first) - 1))

TFOLD_FOR_EACH_MACHINE
tfold_kinds tfold_block(const uint8_t *text, uint8_t *folded) {
    tfold_kinds kinds = {0};
    // 0xFF is not a letter.
    tfold_bytes before = (tfold_bytes)0xFF;
    for (int at = 0; at < TFOLD_BLOCK; at += TFOLD_WIDTH) {
        tfold_bytes bytes;
        memcpy(&bytes, text + at, sizeof bytes);
        tfold_bytes upper = (tfold_bytes)TFOLD_RANGE(bytes, 'A', 'Z');
        tfold_bytes small = __builtin_elementwise_max(bytes | (upper & 0x20), (tfold_bytes)' ');
        tfold_bytes previous = __builtin_shufflevector(before, small, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
                                                       44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
                                                       60, 61, 62);
        kinds.letters |= TFOLD_BITS(TFOLD_RANGE(small, 'a', 'z')) << at;
        kinds.upper |= TFOLD_BITS(upper) << at;
        kinds.digits |= TFOLD_BITS(TFOLD_RANGE(bytes, '0', '9')) << at;
        kinds.blanks |= TFOLD_BITS(small == ' ') << at;
        kinds.breaks |= TFOLD_BITS(bytes == '\n') << at;
        kinds.others |= TFOLD_BITS((tfold_signed)__builtin_elementwise_add_sat(bytes, (tfold_bytes)1) < 0) << at;
        kinds.repeats |= TFOLD_BITS(small == previous) << at;
        before = small;
        memcpy(folded + at, &small, sizeof small);
    }
    return kinds;
}

tfold_kinds tfold_part(const uint8_t *text, size_t count, uint8_t *folded) {
    uint8_t padded[TFOLD_BLOCK] = {0};
    memcpy(padded, text, count < TFOLD_BLOCK ? count : TFOLD_BLOCK);
    return tfold_block(padded, folded);
}
