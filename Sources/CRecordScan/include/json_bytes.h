// Vector operations for reading and writing JSON sixteen bytes at a time. Swift cannot convert a vector comparison into
// a bit mask, and would add too many checks.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JSONB_BLOCK 16

// Both supported machine families can compare sixteen bytes at once.
typedef uint8_t jsonb_bytes __attribute__((ext_vector_type(JSONB_BLOCK)));
typedef int8_t jsonb_signed __attribute__((ext_vector_type(JSONB_BLOCK)));
typedef bool jsonb_flags __attribute__((ext_vector_type(JSONB_BLOCK)));

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bit k stands for byte k"
#endif

// Bit k is the highest bit of byte k.
static inline uint32_t jsonb_bits(jsonb_signed bytes) {
    return __builtin_bit_cast(uint16_t, __builtin_convertvector((jsonb_signed)(bytes < 0), jsonb_flags));
}

static inline jsonb_bytes jsonb_load(const uint8_t *bytes) {
    jsonb_bytes loaded;
    memcpy(&loaded, bytes, sizeof loaded);
    return loaded;
}

// Bit k: byte k must be escaped in a JSON string, because it is a control character, a quote or a backslash.
static inline uint32_t jsonb_special(jsonb_bytes bytes) {
    const jsonb_bytes control = (jsonb_bytes)(__builtin_elementwise_min(bytes, (jsonb_bytes)0x1F) == bytes);
    return jsonb_bits((jsonb_signed)(control | (jsonb_bytes)(bytes == '"') | (jsonb_bytes)(bytes == '\\')));
}

// Bit k: byte k is not ASCII.
static inline uint32_t jsonb_beyond_ascii(jsonb_bytes bytes) { return jsonb_bits((jsonb_signed)bytes); }

// Copies 16 bytes and returns which of them are special (see jsonb_special).
static inline uint32_t jsonb_copy(uint8_t *to, const uint8_t *from) {
    const jsonb_bytes bytes = jsonb_load(from);
    memcpy(to, &bytes, sizeof bytes);
    return jsonb_special(bytes);
}

// Truncates a value that is known to fit.
static inline int64_t jsonb_whole(double value) { return (int64_t)value; }

// Writes the content of a JSON string and returns its length in bytes. `to` must have room for 6 * count + 16 bytes; at
// most `readable` bytes, which is at least `count`, are read from `from`.
size_t jsonb_write_escaped(uint8_t *to, const uint8_t *from, size_t count, size_t readable);

#ifdef __cplusplus
}
#endif
