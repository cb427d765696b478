// What Swift cannot say, or checks too much, when JSON is written and read sixteen bytes at a time: it has no way to turn
// a comparison of vectors into bits.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JSONB_BLOCK 16

// Sixteen bytes are what every machine of the two families compares at once.
typedef uint8_t jsonb_bytes __attribute__((ext_vector_type(JSONB_BLOCK)));
typedef int8_t jsonb_signed __attribute__((ext_vector_type(JSONB_BLOCK)));
typedef bool jsonb_flags __attribute__((ext_vector_type(JSONB_BLOCK)));

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bit k stands for byte k"
#endif

// Bit k is the highest one of byte k.
static inline uint32_t jsonb_bits(jsonb_signed bytes) {
    return __builtin_bit_cast(uint16_t, __builtin_convertvector((jsonb_signed)(bytes < 0), jsonb_flags));
}

static inline jsonb_bytes jsonb_load(const uint8_t *bytes) {
    jsonb_bytes loaded;
    memcpy(&loaded, bytes, sizeof loaded);
    return loaded;
}

// Bit k: byte k cannot stand in a JSON string as it is, for it is a control, a quote or a backslash.
static inline uint32_t jsonb_special(jsonb_bytes bytes) {
    const jsonb_bytes control = (jsonb_bytes)(__builtin_elementwise_min(bytes, (jsonb_bytes)0x1F) == bytes);
    return jsonb_bits((jsonb_signed)(control | (jsonb_bytes)(bytes == '"') | (jsonb_bytes)(bytes == '\\')));
}

// Bit k: byte k is not ASCII.
static inline uint32_t jsonb_beyond_ascii(jsonb_bytes bytes) { return jsonb_bits((jsonb_signed)bytes); }

// Copies 16 bytes and tells which of them are special (see jsonb_special).
static inline uint32_t jsonb_copy(uint8_t *to, const uint8_t *from) {
    const jsonb_bytes bytes = jsonb_load(from);
    memcpy(to, &bytes, sizeof bytes);
    return jsonb_special(bytes);
}

// Cuts off the fraction of what is known to fit.
static inline int64_t jsonb_whole(double value) { return (int64_t)value; }

// Writes the inside of a JSON string and returns how many bytes it has.
// `to` has room for 6 * count + 16 bytes; of `from` no more than `readable` bytes are read, which is at least `count`.
size_t jsonb_write_escaped(uint8_t *to, const uint8_t *from, size_t count, size_t readable);

#ifdef __cplusplus
}
#endif
