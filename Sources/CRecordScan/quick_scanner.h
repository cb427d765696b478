// The fast path for a line: handles what nearly all lines look like, sixteen bytes at a time, without reporting faults.
#pragma once
#include <cstring>

#include "json_bytes.h"
#include "json_text.h"
#include "record_keys.h"

namespace record_scan {

// The bytes between two values, such as `, "text": "`, as found in an earlier line.
//
// Lines of a file nearly always have the same members in the same order and style, so the separator last seen after a
// key is tried first: bytes equal to checked ones need no second check. For a field that is a string, the separator
// includes the opening quote.
struct Separator {
    static constexpr size_t kLongest = 32;

    uint8_t bytes[kLongest];
    uint32_t beyond;     // bit k: byte k is not part of it; at first 0: matches only zero bytes
    uint8_t length;
    Key key;             // the key in the separator
    uint8_t next;        // index of the separator to try after that key's value
    bool opens_string;   // whether it ends with the opening quote of a string field
    uint8_t unused[24];

    bool stands_at(const uint8_t *p) const {
        const uint32_t first = jsonb_bits((jsonb_signed)(jsonb_load(p) == jsonb_load(bytes)));
        const uint32_t second = jsonb_bits((jsonb_signed)(jsonb_load(p + 16) == jsonb_load(bytes + 16)));
        return (first | second << 16 | beyond) == UINT32_MAX;
    }

    // `value`: the position in the line of the value that follows the separator.
    void learn(const uint8_t *from, const uint8_t *value, Key named, uint8_t behind) {
        const bool is_quoted = *value == '"' && is_string(named);
        const size_t count = static_cast<size_t>(value - from) + (is_quoted ? 1 : 0);
        if (count > kLongest || named == Key::triage) return;
        memcpy(bytes, from, kLongest);
        beyond = count == kLongest ? 0 : UINT32_MAX << count;
        length = static_cast<uint8_t>(count);
        key = named;
        next = behind;
        opens_string = is_quoted;
    }
};

// Finds separators by what precedes them: a field, or in each scope a member that is not a field, or an opening brace.
struct Separators {
    static constexpr uint8_t kScopes = 3;
    static constexpr uint8_t kOther = static_cast<uint8_t>(Key::none);
    static constexpr uint8_t kOpening = kOther + kScopes;

    Separator at[kOpening + kScopes];

    static uint8_t opening(Scope scope) { return static_cast<uint8_t>(kOpening + static_cast<uint8_t>(scope)); }

    static uint8_t behind(Key key, Scope scope) {
        return static_cast<uint8_t>(static_cast<uint8_t>(key) + (key == Key::none ? static_cast<uint8_t>(scope) : 0));
    }
};
static_assert(sizeof(Separators) <= TRS_MEMORY_SIZE && alignof(Separators) <= 8);

// Checks the same grammar as RecordChecker and finds the same fields, or decides nothing: anything wrong or rare is
// left to the checker. At least 64 bytes must be readable after the line: one token may be read before it is known
// whether it lies in the line, but never two.
//
// Its functions take the position of a token and return the position after it; null: nothing is decided.
class QuickScanner {
  public:
    QuickScanner(const uint8_t *line, size_t length, const KeyTable &keys, Separators &separators, Arena &arena,
                 trs_record &record)
        : begin_(line), end_(line + length), keys_(keys), separators_(separators), arena_(arena), record_(record) {}

    // Returns true if the record is complete and valid.
    bool run() {
        // A decoded value is never longer than its source, but it is written in whole blocks.
        const size_t room = static_cast<size_t>(end_ - begin_) + 2 * kBlock;
        if (arena_.capacity - arena_.used < room || begin_ == end_ || *begin_ != '{') return false;
        const uint8_t *p = members(begin_, Scope::record);
        if (p == nullptr) return false;
        record_.closing_brace = static_cast<uint32_t>(p - begin_ - 1);
        return skip_blanks(p) == end_ && record_.text.start != UINT32_MAX;
    }

  private:
    const uint8_t *const begin_;
    const uint8_t *const end_;
    const KeyTable &keys_;
    Separators &separators_;
    Arena &arena_;
    trs_record &record_;

    // One bit per nesting level says whether the container is an object.
    static constexpr unsigned kMaxNesting = 64;

    // Number of string bytes decoded at once: most strings are shorter and end in their first block.
    static constexpr size_t kBlock = 2 * JSONB_BLOCK;

    const uint8_t *in_line(const uint8_t *p) const { return p <= end_ ? p : nullptr; }

    const uint8_t *skip_blanks(const uint8_t *p) const {
        while (p < end_ && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) ++p;
        return p;
    }

    // There is nearly always one space or none.
    const uint8_t *blanks(const uint8_t *p) const {
        if (*p == ' ') ++p;
        return *p <= ' ' ? skip_blanks(p) : p;
    }

    // Bit k: byte k ends a plain run in a string, or needs a UTF-8 check.
    static uint32_t stops(jsonb_bytes bytes) {
        const jsonb_bytes low = (jsonb_bytes)((jsonb_signed)bytes < ' ');  // controls and non-ASCII bytes
        return jsonb_bits((jsonb_signed)(low | (jsonb_bytes)(bytes == '"') | (jsonb_bytes)(bytes == '\\')));
    }

    // Decodes the escape or the non-ASCII sequence at `p` and writes up to 4 bytes.
    const uint8_t *decode(const uint8_t *p, uint8_t *&to) const {
        if (p >= end_) return nullptr;
        if (*p != '\\') {
            const size_t length = utf8_length(p, static_cast<size_t>(end_ - p));
            memcpy(to, p, 4);
            to += length;
            return length == 0 ? nullptr : p + length;
        }
        if (p[1] == 'u') {
            const size_t length = unicode_escape(p, end_, to);
            to += length;
            return length == 0 ? nullptr : p;
        }
        *to = simple_escape(p[1]);
        return *to++ == 0 ? nullptr : p + 2;
    }

    // Skips a string from after its opening quote to after its closing one.
    const uint8_t *skip_string(const uint8_t *p) const {
        for (;;) {
            if (p >= end_) return nullptr;
            const uint32_t found = stops(jsonb_load(p));
            if (found == 0) {
                p += JSONB_BLOCK;
                continue;
            }
            p += __builtin_ctz(found);
            if (*p == '"') return in_line(p + 1);
            uint8_t ignored[4];
            uint8_t *to = ignored;
            p = decode(p, to);
            if (p == nullptr) return nullptr;
        }
    }

    // Like skip_string, but decodes the string into the arena and stores it as a field.
    const uint8_t *string(const uint8_t *p, Key key) {
        uint8_t *const start = arena_.bytes + arena_.used;
        uint8_t *to = start;
        for (;;) {
            if (p >= end_) return nullptr;
            const jsonb_bytes low = jsonb_load(p), high = jsonb_load(p + JSONB_BLOCK);
            memcpy(to, &low, sizeof low);
            memcpy(to + JSONB_BLOCK, &high, sizeof high);
            const uint32_t found = stops(low) | stops(high) << JSONB_BLOCK;
            if (found == 0) {
                p += kBlock;
                to += kBlock;
                continue;
            }
            const int plain = __builtin_ctz(found);
            p += plain;
            to += plain;
            if (*p == '"') break;
            // Non-ASCII characters rarely come alone.
            do {
                p = decode(p, to);
                if (p == nullptr) return nullptr;
            } while (*p >= 0x80);
        }
        const size_t count = static_cast<size_t>(to - start);
        store_string(record_, key, {static_cast<uint32_t>(arena_.used), static_cast<uint32_t>(count)});
        arena_.used += count;
        return in_line(p + 1);
    }

    const uint8_t *colon(const uint8_t *p) const {
        p = blanks(p);
        return *p == ':' ? blanks(p + 1) : nullptr;
    }

    // Reads from the quote of a key to its value. A key with escapes or non-ASCII characters is rare.
    const uint8_t *member_key(const uint8_t *p, Scope scope, Key &key) const {
        if (*p != '"') return nullptr;
        const uint8_t *name = ++p;
        uint32_t found;
        do {
            if (p >= end_) return nullptr;
            found = stops(jsonb_load(p));
            p += found == 0 ? JSONB_BLOCK : __builtin_ctz(found);
        } while (found == 0);
        if (*p != '"') return nullptr;
        key = keys_.find(scope, reinterpret_cast<const char *>(name), static_cast<size_t>(p - name));
        return colon(p + 1);
    }

    const uint8_t *skip_key(const uint8_t *p) const {
        if (*p != '"') return nullptr;
        p = skip_string(p + 1);
        return p == nullptr ? nullptr : colon(p);
    }

    const uint8_t *digits(const uint8_t *p) const {
        const uint8_t *start = p;
        while (p < end_ && is_digit(*p)) ++p;
        return p == start ? nullptr : p;
    }

    // Gives no value for numbers that are not plain integers: only the checker can evaluate them.
    const uint8_t *number(const uint8_t *p, Value &value) const {
        const bool negative = *p == '-';
        if (negative) ++p;
        const uint8_t *start = p;
        uint64_t total = 0;
        for (; p < end_ && is_digit(*p); ++p) total = total * 10 + (*p - '0');
        const ptrdiff_t count = p - start;
        if (count == 0 || (count > 1 && *start == '0')) return nullptr;
        value.kind = count > 18 ? Kind::other_number : Kind::integer;
        value.integer = static_cast<int64_t>(negative ? 0 - total : total);
        if (*p == '.') {
            value.kind = Kind::other_number;
            p = digits(p + 1);
            if (p == nullptr) return nullptr;
        }
        if (*p == 'e' || *p == 'E') {
            value.kind = Kind::other_number;
            ++p;
            p = digits(*p == '+' || *p == '-' ? p + 1 : p);
        }
        return p == nullptr ? nullptr : in_line(p);
    }

    // Reads everything except strings and containers.
    const uint8_t *literal(const uint8_t *p, Value &value) const {
        switch (*p) {
            case 't':
                value.kind = Kind::boolean;
                value.truth = true;
                return memcmp(p, "true", 4) == 0 ? in_line(p + 4) : nullptr;
            case 'f':
                value.kind = Kind::boolean;
                value.truth = false;
                return memcmp(p, "false", 5) == 0 ? in_line(p + 5) : nullptr;
            case 'n':
                value.kind = Kind::null;
                return memcmp(p, "null", 4) == 0 ? in_line(p + 4) : nullptr;
            default: return number(p, value);
        }
    }

    // Skips the container that begins at `p` and counts its elements.
    const uint8_t *skip_container(const uint8_t *p, uint32_t &count) const {
        uint64_t objects = 0;
        unsigned depth = 0;
        count = 0;
        for (;;) {
            if (p == nullptr || p >= end_) return nullptr;
            const uint8_t byte = *p;
            if (byte == '{' || byte == '[') {
                if (depth == kMaxNesting) return nullptr;
                objects = objects << 1 | (byte == '{' ? 1 : 0);
                ++depth;
                p = blanks(p + 1);
                if (*p != (byte == '{' ? '}' : ']')) {
                    if (byte == '{') p = skip_key(p);
                    continue;
                }
                ++p;
                objects >>= 1;
                --depth;
            } else if (byte == '"') {
                p = skip_string(p + 1);
            } else {
                Value ignored;
                p = literal(p, ignored);
            }
            // A value is complete: close the containers that end here.
            for (;;) {
                if (p == nullptr || depth == 0) return p == nullptr ? nullptr : in_line(p);
                if (depth == 1) ++count;
                p = blanks(p);
                if (p >= end_) return nullptr;
                const bool is_object = (objects & 1) != 0;
                if (*p == ',') {
                    p = blanks(p + 1);
                    if (is_object) p = skip_key(p);
                    break;
                }
                if (*p != (is_object ? '}' : ']')) return nullptr;
                ++p;
                objects >>= 1;
                --depth;
            }
        }
    }

    // Reads the members of an object from its brace and stores the known ones.
    const uint8_t *members(const uint8_t *p, Scope scope) {
        uint8_t before = Separators::opening(scope);
        for (bool is_first = true;; is_first = false) {
            Separator &separator = separators_.at[before];
            Key key = separator.key;
            if (separator.stands_at(p)) {
                p += separator.length;
                before = separator.next;
                if (separator.opens_string) {
                    p = string(p, key);
                    if (p == nullptr) return nullptr;
                    continue;
                }
                if (*p <= ' ') p = skip_blanks(p);
            } else {
                const uint8_t *const start = p;
                if (!is_first) p = blanks(p);
                if (!is_first && *p != ',') break;
                p = blanks(p + 1);
                if (is_first && *p == '}') break;
                if (p >= end_) return nullptr;
                p = member_key(p, scope, key);
                if (p == nullptr) return nullptr;
                before = Separators::behind(key, scope);
                separator.learn(start, p, key, before);
            }
            // Members that must be cut out are left to the checker.
            if (p >= end_ || key == Key::triage) return nullptr;
            p = *p == '"' && is_string(key) ? string(p + 1, key) : other_value(p, key);
            if (p == nullptr) return nullptr;
        }
        return *p == '}' ? in_line(p + 1) : nullptr;
    }

    // Reads any value that is not a field's string.
    const uint8_t *other_value(const uint8_t *p, Key key) {
        Value value;
        if (*p == '"') {
            value.kind = Kind::string;
            p = skip_string(p + 1);
        } else if (*p == '{' && (key == Key::sender || key == Key::raw)) {
            value.kind = Kind::object;
            store(record_, key, value);
            return members(p, key == Key::sender ? Scope::sender : Scope::raw);
        } else if (*p == '{' || *p == '[') {
            value.kind = *p == '{' ? Kind::object : Kind::array;
            p = skip_container(p, value.count);
        } else {
            p = literal(p, value);
            if (value.kind == Kind::other_number && !is_string(key) && key != Key::none) return nullptr;
        }
        if (p != nullptr && key != Key::none) store(record_, key, value);
        return p;
    }
};

}  // namespace record_scan
