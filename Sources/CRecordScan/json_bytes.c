#include "json_bytes.h"

// Writes one special byte as an escape of at most 6 bytes.
static size_t write_escape(uint8_t *to, uint8_t byte) {
    static const char hex[] = "0123456789abcdef";
    to[0] = '\\';
    switch (byte) {
        case '\n': to[1] = 'n'; return 2;
        case '\r': to[1] = 'r'; return 2;
        case '\t': to[1] = 't'; return 2;
        case '"': case '\\': to[1] = byte; return 2;
        default:
            memcpy(to + 1, "u00", 3);
            to[4] = (uint8_t)hex[byte >> 4];
            to[5] = (uint8_t)hex[byte & 15];
            return 6;
    }
}

size_t jsonb_write_escaped(uint8_t *to, const uint8_t *from, size_t count, size_t readable) {
    uint8_t *out = to;
    size_t at = 0;
    // Process two blocks at a time while there are two.
    while (count - at >= 2 * JSONB_BLOCK) {
        const uint32_t low = jsonb_copy(out, from + at);
        const uint32_t special = low | jsonb_copy(out + JSONB_BLOCK, from + at + JSONB_BLOCK) << JSONB_BLOCK;
        if (special == 0) {
            at += 2 * JSONB_BLOCK;
            out += 2 * JSONB_BLOCK;
            continue;
        }
        const size_t plain = (size_t)__builtin_ctz(special);
        at += plain;
        out += plain;
        out += write_escape(out, from[at]);
        ++at;
    }
    while (at < count) {
        const size_t left = count - at;
        uint32_t special;
        if (readable - at >= JSONB_BLOCK) {
            special = jsonb_copy(out, from + at);
        } else {
            uint8_t last[JSONB_BLOCK] = {0};
            memcpy(last, from + at, left < JSONB_BLOCK ? left : JSONB_BLOCK);
            special = jsonb_copy(out, last);
        }
        // The bit just after the end of the string makes sure that the search stops.
        const size_t plain = (size_t)__builtin_ctz(special | (left < JSONB_BLOCK ? 1u << left : 1u << JSONB_BLOCK));
        at += plain;
        out += plain;
        if (plain < JSONB_BLOCK && plain < left) {
            out += write_escape(out, from[at]);
            ++at;
        }
    }
    return (size_t)(out - to);
}
