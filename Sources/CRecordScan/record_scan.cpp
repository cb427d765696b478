// Two ways through a line that must agree: simdjson's DOM for what nearly all lines are, and a checker of our own
// for whatever simdjson refuses or cannot tell. simdjson refuses legal things (numbers beyond 64 bits, lone
// surrogates) and gives no offsets, so nothing is rejected on its word: only the checker rejects.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <cstring>
#include <new>

#include "record_scan.h"

namespace {

constexpr size_t kMaxDepth = 1000;
// Longer lines take the checker: simdjson needs about 14 bytes of memory per byte of line, and these are rare.
constexpr size_t kFastLimit = 128 * 1024;
constexpr trs_span kAbsent = {UINT32_MAX, 0};

// Bits of trs_record.ignored.
enum Bit : uint32_t {
    kBitId, kBitPlatform, kBitConversationId, kBitConversationTitle, kBitSender, kBitSenderId, kBitSenderHandle,
    kBitSenderName, kBitSenderVerified, kBitSenderFollowers, kBitSenderIsSelf, kBitSentAt, kBitLang, kBitReplyTo,
    kBitAttachments, kBitReactions, kBitRaw, kBitKind, kBitParticipants, kBitNone
};

enum class Kind : uint8_t { string, integer, other_number, boolean, null, array, object };

// A value as both ways see it.
struct Value {
    Kind kind;
    bool truth = false;
    int64_t integer = -1;  // for integer
    uint32_t count = 0;    // for array
    trs_span span = kAbsent;  // for string, in the arena
};

enum class Key : uint8_t {
    none, text, id, platform, conversation_id, conversation_title, sender, sent_at, lang, reply_to, attachments,
    reactions, raw, participants, creator, triage, sender_id, sender_handle, sender_name, sender_verified,
    sender_followers, sender_is_self, raw_kind
};

enum class Scope : uint8_t { record, sender, raw };

struct Arena {
    uint8_t *bytes;
    size_t capacity;
    size_t used;
};

inline bool same(const char *key, const char *name, size_t length) { return memcmp(key, name, length) == 0; }

struct KeyTable {
    const char *text = "text";
    size_t text_length = 4;

    Key find(Scope scope, const char *key, size_t length) const {
        switch (scope) {
            case Scope::record:
                if (length == text_length && same(key, text, length)) return Key::text;
                switch (length) {
                    case 2: return same(key, "id", 2) ? Key::id : Key::none;
                    case 3: return same(key, "raw", 3) ? Key::raw : Key::none;
                    case 4: return same(key, "lang", 4) ? Key::lang : Key::none;
                    case 6:
                        if (same(key, "sender", 6)) return Key::sender;
                        return same(key, "triage", 6) ? Key::triage : Key::none;
                    case 7:
                        if (same(key, "sent_at", 7)) return Key::sent_at;
                        return same(key, "creator", 7) ? Key::creator : Key::none;
                    case 8:
                        if (same(key, "platform", 8)) return Key::platform;
                        return same(key, "reply_to", 8) ? Key::reply_to : Key::none;
                    case 9: return same(key, "reactions", 9) ? Key::reactions : Key::none;
                    case 11: return same(key, "attachments", 11) ? Key::attachments : Key::none;
                    case 12: return same(key, "participants", 12) ? Key::participants : Key::none;
                    case 15: return same(key, "conversation_id", 15) ? Key::conversation_id : Key::none;
                    case 18: return same(key, "conversation_title", 18) ? Key::conversation_title : Key::none;
                    default: return Key::none;
                }
            case Scope::sender:
                switch (length) {
                    case 2: return same(key, "id", 2) ? Key::sender_id : Key::none;
                    case 4: return same(key, "name", 4) ? Key::sender_name : Key::none;
                    case 6: return same(key, "handle", 6) ? Key::sender_handle : Key::none;
                    case 7: return same(key, "is_self", 7) ? Key::sender_is_self : Key::none;
                    case 8: return same(key, "verified", 8) ? Key::sender_verified : Key::none;
                    case 9: return same(key, "followers", 9) ? Key::sender_followers : Key::none;
                    default: return Key::none;
                }
            case Scope::raw: return length == 4 && same(key, "kind", 4) ? Key::raw_kind : Key::none;
        }
        return Key::none;
    }
};

void clear(trs_record &r) {
    r.text = r.id = r.platform = r.conversation_id = r.conversation_title = kAbsent;
    r.sender_id = r.sender_handle = r.sender_name = kAbsent;
    r.sent_at = r.lang = r.reply_to = r.kind = r.creator = kAbsent;
    r.followers = -1;
    r.verified = r.is_self = -1;
    r.participants = r.attachments = r.ignored = r.closing_brace = r.cut_count = 0;
}

// Of equal keys the last counts, so everything an earlier one left is undone first.
inline void put(trs_record &r, trs_span &field, Bit bit, const Value &value) {
    r.ignored &= ~(1u << bit);
    field = kAbsent;
    if (value.kind == Kind::string) {
        field = value.span;
    } else if (value.kind != Kind::null && bit != kBitNone) {
        r.ignored |= 1u << bit;
    }
}

inline void put(trs_record &r, int8_t &field, Bit bit, const Value &value) {
    r.ignored &= ~(1u << bit);
    field = -1;
    if (value.kind == Kind::boolean) {
        field = value.truth ? 1 : 0;
    } else if (value.kind != Kind::null) {
        r.ignored |= 1u << bit;
    }
}

inline void mark_unless(trs_record &r, Bit bit, bool fine) {
    if (!fine) r.ignored |= 1u << bit;
}

void forget_sender(trs_record &r) {
    r.sender_id = r.sender_handle = r.sender_name = kAbsent;
    r.followers = -1;
    r.verified = r.is_self = -1;
    r.ignored &= ~((1u << kBitSender) | (1u << kBitSenderId) | (1u << kBitSenderHandle) | (1u << kBitSenderName)
                   | (1u << kBitSenderVerified) | (1u << kBitSenderFollowers) | (1u << kBitSenderIsSelf));
}

void forget_raw(trs_record &r) {
    r.kind = kAbsent;
    r.ignored &= ~((1u << kBitRaw) | (1u << kBitKind));
}

// Whether a value of this key is needed at all, and so has to be decoded.
inline bool wants_string(Key key) {
    switch (key) {
        case Key::none: case Key::triage: case Key::sender: case Key::raw: case Key::attachments: case Key::reactions:
        case Key::participants: case Key::sender_verified: case Key::sender_followers: case Key::sender_is_self:
            return false;
        default: return true;
    }
}

// `sender` and `raw` objects are entered by the caller; here they arrive only to say what kind they were.
void store(trs_record &r, Key key, const Value &value) {
    switch (key) {
        case Key::none: case Key::triage: break;
        case Key::text: put(r, r.text, kBitNone, value); break;
        case Key::id: put(r, r.id, kBitId, value); break;
        case Key::platform: put(r, r.platform, kBitPlatform, value); break;
        case Key::conversation_id: put(r, r.conversation_id, kBitConversationId, value); break;
        case Key::conversation_title: put(r, r.conversation_title, kBitConversationTitle, value); break;
        case Key::sent_at: put(r, r.sent_at, kBitSentAt, value); break;
        case Key::lang: put(r, r.lang, kBitLang, value); break;
        case Key::reply_to: put(r, r.reply_to, kBitReplyTo, value); break;
        case Key::creator: put(r, r.creator, kBitNone, value); break;
        case Key::sender_id: put(r, r.sender_id, kBitSenderId, value); break;
        case Key::sender_handle: put(r, r.sender_handle, kBitSenderHandle, value); break;
        case Key::sender_name: put(r, r.sender_name, kBitSenderName, value); break;
        case Key::sender_verified: put(r, r.verified, kBitSenderVerified, value); break;
        case Key::sender_is_self: put(r, r.is_self, kBitSenderIsSelf, value); break;
        case Key::raw_kind: put(r, r.kind, kBitKind, value); break;
        case Key::sender:
            forget_sender(r);
            mark_unless(r, kBitSender, value.kind == Kind::object || value.kind == Kind::null);
            break;
        case Key::raw:
            forget_raw(r);
            mark_unless(r, kBitRaw, value.kind == Kind::object || value.kind == Kind::null);
            break;
        case Key::attachments:
            r.ignored &= ~(1u << kBitAttachments);
            r.attachments = value.kind == Kind::array ? value.count : 0;
            mark_unless(r, kBitAttachments, value.kind == Kind::array || value.kind == Kind::null);
            break;
        case Key::reactions:
            r.ignored &= ~(1u << kBitReactions);
            mark_unless(r, kBitReactions, value.kind == Kind::array || value.kind == Kind::null);
            break;
        case Key::participants: {
            r.ignored &= ~(1u << kBitParticipants);
            r.participants = 0;
            bool fine = value.kind == Kind::null;
            if (value.kind == Kind::array) {
                r.participants = value.count;
                fine = true;
            } else if (value.kind == Kind::integer && value.integer >= 0) {
                r.participants = value.integer > INT32_MAX ? INT32_MAX : static_cast<uint32_t>(value.integer);
                fine = true;
            }
            mark_unless(r, kBitParticipants, fine);
            break;
        }
        case Key::sender_followers: {
            r.ignored &= ~(1u << kBitSenderFollowers);
            bool fine = value.kind == Kind::integer && value.integer >= 0;
            r.followers = fine ? value.integer : -1;
            mark_unless(r, kBitSenderFollowers, fine || value.kind == Kind::null);
            break;
        }
    }
}

// MARK: The checker

struct Fault {
    trs_status status = TRS_OK;
    size_t offset = 0;
    const char *reason = "";
};

class Checker {
  public:
    Checker(const uint8_t *text, size_t length, size_t max_depth)
        : begin_(text), p_(text), end_(text + length), max_depth_(max_depth > kMaxDepth ? kMaxDepth : max_depth) {}

    Fault fault;

    size_t offset() const { return static_cast<size_t>(p_ - begin_); }
    bool at_end() const { return p_ == end_; }
    uint8_t peek() const { return p_ == end_ ? 0 : *p_; }
    void step() { ++p_; }

    void blanks() {
        while (p_ != end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\n' || *p_ == '\r')) ++p_;
    }

    bool fail(trs_status status, const char *reason) { return fail(status, reason, offset()); }

    bool fail(trs_status status, const char *reason, size_t offset) {
        fault = {status, offset, reason};
        return false;
    }

    bool expected(const char *reason) {
        return fail(TRS_SYNTAX, at_end() ? "the record ends too early" : reason);
    }

    bool end_of_text() {
        blanks();
        return at_end() || fail(TRS_SYNTAX, "something follows the end of the record");
    }

    // Checks one string from its opening quote; decodes it into the arena when one is given.
    bool string(Arena *arena, trs_span *span) {
        const size_t start = arena ? arena->used : 0;
        ++p_;
        for (;;) {
            const uint8_t *run = p_;
            plain_run();
            if (arena && !append(*arena, run, static_cast<size_t>(p_ - run))) return false;
            if (at_end()) return fail(TRS_SYNTAX, "a string is not closed");
            const uint8_t byte = *p_;
            if (byte == '"') {
                ++p_;
                break;
            }
            if (byte == '\\') {
                if (!escape(arena)) return false;
            } else if (byte < 0x20) {
                return fail(TRS_SYNTAX, "a control character stands unescaped in a string");
            } else {
                const size_t length = utf8_length();
                if (length == 0) return fail(TRS_UTF8, "the bytes are not valid UTF-8");
                if (arena && !append(*arena, p_, length)) return false;
                p_ += length;
            }
        }
        if (arena) *span = {static_cast<uint32_t>(start), static_cast<uint32_t>(arena->used - start)};
        return true;
    }

    bool number(Value &value) {
        const uint8_t *start = p_;
        if (peek() == '-') ++p_;
        if (peek() == '0') {
            ++p_;
            if (is_digit(peek())) return fail(TRS_SYNTAX, "a number begins with a zero");
        } else if (!digits()) {
            return expected("a number has no digits");
        }
        const uint8_t *whole_end = p_;
        if (peek() == '.') {
            ++p_;
            if (!digits()) return expected("a number has no digits behind its point");
        }
        const uint8_t *mantissa_end = p_;
        if (peek() == 'e' || peek() == 'E') {
            ++p_;
            if (peek() == '+' || peek() == '-') ++p_;
            if (!digits()) return expected("a number has no digits in its exponent");
        }
        measure(start, whole_end, mantissa_end, p_, value);
        return true;
    }

    // Checks any value; `depth` is the number of containers around it.
    bool skip(size_t depth) {
        uint8_t is_object[kMaxDepth + 1];
        const size_t base = depth;
        for (;;) {
            blanks();
            const uint8_t byte = peek();
            if (byte == '{' || byte == '[') {
                if (depth >= max_depth_) return fail(TRS_DEPTH, "nested deeper than 1,000 levels");
                ++p_;
                blanks();
                if (peek() == (byte == '{' ? '}' : ']')) {
                    ++p_;
                } else {
                    is_object[depth++] = byte == '{';
                    if (byte == '{' && !key_and_colon()) return false;
                    continue;
                }
            } else {
                Value ignored;
                if (!scalar(nullptr, ignored)) return false;
            }
            // A value is complete: close what ends here.
            for (;;) {
                if (depth == base) return true;
                blanks();
                const uint8_t next = peek();
                if (next == ',') {
                    ++p_;
                    if (is_object[depth - 1] && !key_and_colon()) return false;
                    break;
                }
                if (is_object[depth - 1]) {
                    if (next != '}') return expected("expected ',' or '}'");
                } else if (next != ']') {
                    return expected("expected ',' or ']'");
                }
                ++p_;
                --depth;
            }
        }
    }

    // A string, number or literal.
    bool scalar(Arena *arena, Value &value) {
        switch (peek()) {
            case '"':
                value.kind = Kind::string;
                return string(arena, &value.span);
            case 't':
                value.kind = Kind::boolean;
                value.truth = true;
                return literal("true", 4);
            case 'f':
                value.kind = Kind::boolean;
                value.truth = false;
                return literal("false", 5);
            case 'n':
                value.kind = Kind::null;
                return literal("null", 4);
            case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8':
            case '9': return number(value);
            default: return expected("expected a value");
        }
    }

    bool colon() {
        blanks();
        if (peek() != ':') return expected("expected ':'");
        ++p_;
        return true;
    }

  private:
    const uint8_t *begin_;
    const uint8_t *p_;
    const uint8_t *end_;
    const size_t max_depth_;

    static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

    bool digits() {
        const uint8_t *start = p_;
        while (p_ != end_ && is_digit(*p_)) ++p_;
        return p_ != start;
    }

    bool key_and_colon() {
        blanks();
        if (peek() != '"') return expected("expected a key in quotes");
        return string(nullptr, nullptr) && colon();
    }

    bool literal(const char *name, size_t length) {
        for (size_t i = 0; i < length; ++i, ++p_) {
            if (at_end() || *p_ != static_cast<uint8_t>(name[i])) return expected("expected a value");
        }
        return true;
    }

    // Stops at a quote, a backslash, a control character or the first byte beyond ASCII.
    void plain_run() {
        constexpr uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
        while (end_ - p_ >= 8) {
            uint64_t word;
            memcpy(&word, p_, 8);
            const uint64_t quote = word ^ (ones * '"'), slash = word ^ (ones * '\\');
            const uint64_t stop =
                ((word - ones * 0x20) | word | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & highs;
            if (stop != 0) break;
            p_ += 8;
        }
        while (p_ != end_ && *p_ >= 0x20 && *p_ < 0x80 && *p_ != '"' && *p_ != '\\') ++p_;
    }

    // Length of the well-formed sequence at p_ (Unicode, table 3-7); 0 when it is none.
    size_t utf8_length() const {
        const size_t left = static_cast<size_t>(end_ - p_);
        const uint8_t lead = p_[0];
        auto follows = [this](size_t i, uint8_t low, uint8_t high) { return p_[i] >= low && p_[i] <= high; };
        if (lead >= 0xC2 && lead <= 0xDF) return left >= 2 && follows(1, 0x80, 0xBF) ? 2 : 0;
        if (lead >= 0xE0 && lead <= 0xEF) {
            const uint8_t low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
            return left >= 3 && follows(1, low, high) && follows(2, 0x80, 0xBF) ? 3 : 0;
        }
        if (lead >= 0xF0 && lead <= 0xF4) {
            const uint8_t low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
            return left >= 4 && follows(1, low, high) && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
        }
        return 0;
    }

    bool append(Arena &arena, const uint8_t *bytes, size_t count) {
        if (arena.capacity - arena.used < count) return fail(TRS_ARENA_FULL, "the arena is too small");
        if (count != 0) memcpy(arena.bytes + arena.used, bytes, count);
        arena.used += count;
        return true;
    }

    static int hex(uint8_t byte) {
        if (is_digit(byte)) return byte - '0';
        if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
        if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
        return -1;
    }

    // The four digits at `at`, or -1.
    int32_t unit(const uint8_t *at) const {
        if (end_ - at < 4) return -1;
        int32_t code = 0;
        for (int i = 0; i < 4; ++i) {
            const int digit = hex(at[i]);
            if (digit < 0) return -1;
            code = code * 16 + digit;
        }
        return code;
    }

    bool escape(Arena *arena) {
        if (end_ - p_ < 2) {
            p_ = end_;
            return fail(TRS_SYNTAX, "a string is not closed");
        }
        uint8_t plain;
        switch (p_[1]) {
            case '"': case '\\': case '/': plain = p_[1]; break;
            case 'b': plain = '\b'; break;
            case 'f': plain = '\f'; break;
            case 'n': plain = '\n'; break;
            case 'r': plain = '\r'; break;
            case 't': plain = '\t'; break;
            case 'u': return unicode_escape(arena);
            default: return fail(TRS_SYNTAX, "an unknown escape stands in a string");
        }
        p_ += 2;
        return !arena || append(*arena, &plain, 1);
    }

    bool unicode_escape(Arena *arena) {
        int32_t code = unit(p_ + 2);
        if (code < 0) return fail(TRS_SYNTAX, "\\u is not followed by four hexadecimal digits");
        p_ += 6;
        if (code >= 0xD800 && code <= 0xDBFF) {
            int32_t low = -1;
            if (end_ - p_ >= 6 && p_[0] == '\\' && p_[1] == 'u') low = unit(p_ + 2);
            if (low >= 0xDC00 && low <= 0xDFFF) {
                p_ += 6;
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            } else {
                code = 0xFFFD;
            }
        } else if (code >= 0xDC00 && code <= 0xDFFF) {
            code = 0xFFFD;
        }
        if (!arena) return true;
        uint8_t out[4];
        size_t count;
        if (code < 0x80) {
            out[0] = static_cast<uint8_t>(code);
            count = 1;
        } else if (code < 0x800) {
            out[0] = static_cast<uint8_t>(0xC0 | (code >> 6));
            out[1] = static_cast<uint8_t>(0x80 | (code & 0x3F));
            count = 2;
        } else if (code < 0x10000) {
            out[0] = static_cast<uint8_t>(0xE0 | (code >> 12));
            out[1] = static_cast<uint8_t>(0x80 | ((code >> 6) & 0x3F));
            out[2] = static_cast<uint8_t>(0x80 | (code & 0x3F));
            count = 3;
        } else {
            out[0] = static_cast<uint8_t>(0xF0 | (code >> 18));
            out[1] = static_cast<uint8_t>(0x80 | ((code >> 12) & 0x3F));
            out[2] = static_cast<uint8_t>(0x80 | ((code >> 6) & 0x3F));
            out[3] = static_cast<uint8_t>(0x80 | (code & 0x3F));
            count = 4;
        }
        return append(*arena, out, count);
    }

    // Whether the number is an integer of at most 63 bits, however it is spelt (12, 12.0, 1.2e1), and which.
    static void measure(const uint8_t *start, const uint8_t *whole_end, const uint8_t *mantissa_end,
                        const uint8_t *end, Value &value) {
        value.kind = Kind::other_number;
        const bool negative = *start == '-';
        int64_t exponent = 0;
        if (mantissa_end != end) {
            const uint8_t *p = mantissa_end + 1;
            const bool down = *p == '-';
            if (*p == '-' || *p == '+') ++p;
            for (; p != end; ++p) {
                if (exponent < 1000000000000) exponent = exponent * 10 + (*p - '0');
            }
            if (down) exponent = -exponent;
        }
        // The decimal point moves right by `exponent`; every digit behind it must be a zero.
        const int64_t whole_digits = whole_end - start - (negative ? 1 : 0);
        const int64_t point = whole_digits + exponent;
        uint64_t total = 0;
        int64_t index = 0;
        bool any = false;
        for (const uint8_t *p = start + (negative ? 1 : 0); p != mantissa_end; ++p) {
            if (*p == '.') continue;
            const uint64_t digit = *p - '0';
            if (index < point) {
                if (total > (static_cast<uint64_t>(INT64_MAX) - digit) / 10) return;
                total = total * 10 + digit;
            } else if (digit != 0) {
                return;
            }
            any = any || digit != 0;
            ++index;
        }
        for (; any && index < point; ++index) {
            if (total > static_cast<uint64_t>(INT64_MAX) / 10) return;
            total *= 10;
        }
        value.kind = Kind::integer;
        value.integer = negative ? -static_cast<int64_t>(total) : static_cast<int64_t>(total);
    }
};

// The exact way: one pass over the line with everything it says about the record.
class RecordChecker {
  public:
    RecordChecker(const uint8_t *line, size_t length, const KeyTable &keys, Arena &arena, trs_record &record)
        : check_(line, length, kMaxDepth), keys_(keys), arena_(arena), record_(record) {}

    Fault run() {
        check_.blanks();
        if (check_.at_end()) return {TRS_EMPTY, 0, "the line is blank"};
        if (check_.peek() != '{') {
            const size_t start = check_.offset();
            if (check_.skip(0) && check_.end_of_text()) {
                check_.fail(TRS_NOT_OBJECT, "the record is no JSON object", start);
            }
            return check_.fault;
        }
        if (!members(Scope::record, 1)) return check_.fault;
        record_.closing_brace = static_cast<uint32_t>(check_.offset() - 1);
        if (!check_.end_of_text()) return check_.fault;
        if (!has_text_member_) return {TRS_NO_TEXT, record_.closing_brace, "the record has no member for its text"};
        if (record_.text.start == UINT32_MAX) return {TRS_TEXT_TYPE, text_offset_, "the text is no string"};
        if (too_many_cuts_) return {TRS_TOO_MANY_CUTS, 0, "more than 8 members are named 'triage'"};
        return {};
    }

  private:
    Checker check_;
    const KeyTable &keys_;
    Arena &arena_;
    trs_record &record_;
    bool has_text_member_ = false;
    bool too_many_cuts_ = false;
    size_t text_offset_ = 0;

    // Checks an object from its brace and stores what is known of it.
    bool members(Scope scope, size_t depth) {
        check_.step();
        check_.blanks();
        if (check_.peek() == '}') {
            check_.step();
            return true;
        }
        bool has_kept = false;        // a member that stays stands before this one
        size_t comma = 0;             // offset of the comma before this member
        for (;;) {
            check_.blanks();
            const size_t start = check_.offset();
            Key key;
            if (!member_key(scope, key)) return false;
            if (!check_.colon()) return false;
            check_.blanks();
            if (!member_value(key, depth)) return false;
            const size_t end = check_.offset();
            check_.blanks();
            const bool last = check_.peek() == '}';
            if (!last && check_.peek() != ',') return check_.expected("expected ',' or '}'");
            if (key == Key::triage) {
                // With the comma before it, or, where nothing that stays precedes it, with the one behind it.
                cut(has_kept ? comma : start, has_kept || last ? end : check_.offset() + 1);
            } else {
                has_kept = true;
            }
            comma = check_.offset();
            check_.step();
            if (last) return true;
        }
    }

    bool member_key(Scope scope, Key &key) {
        if (check_.peek() != '"') return check_.expected("expected a key in quotes");
        // Keys are decoded behind the values and forgotten again.
        Arena scratch = arena_;
        trs_span span = kAbsent;
        if (!check_.string(&scratch, &span)) return false;
        key = keys_.find(scope, reinterpret_cast<const char *>(scratch.bytes + span.start), span.count);
        return true;
    }

    void cut(size_t start, size_t end) {
        if (record_.cut_count == 8) {
            too_many_cuts_ = true;
            return;
        }
        record_.cuts[record_.cut_count++] = {static_cast<uint32_t>(start), static_cast<uint32_t>(end)};
    }

    bool member_value(Key key, size_t depth) {
        if (key == Key::text) {
            has_text_member_ = true;
            text_offset_ = check_.offset();
        }
        Value value;
        switch (check_.peek()) {
            case '{':
                value.kind = Kind::object;
                store(record_, key, value);
                if (key == Key::sender) return members(Scope::sender, depth + 1);
                if (key == Key::raw) return members(Scope::raw, depth + 1);
                return check_.skip(depth);
            case '[':
                value.kind = Kind::array;
                if (key == Key::attachments || key == Key::participants) {
                    if (!count_elements(depth + 1, value.count)) return false;
                } else if (!check_.skip(depth)) {
                    return false;
                }
                store(record_, key, value);
                return true;
            default:
                if (!check_.scalar(wants_string(key) ? &arena_ : nullptr, value)) return false;
                store(record_, key, value);
                return true;
        }
    }

    bool count_elements(size_t depth, uint32_t &count) {
        check_.step();
        check_.blanks();
        count = 0;
        if (check_.peek() == ']') {
            check_.step();
            return true;
        }
        for (;;) {
            if (!check_.skip(depth)) return false;
            ++count;
            check_.blanks();
            if (check_.peek() == ']') {
                check_.step();
                return true;
            }
            if (check_.peek() != ',') return check_.expected("expected ',' or ']'");
            check_.step();
        }
    }
};

// MARK: The fast way

// simdjson 3.0.1 decodes a lone low surrogate to the three bytes of one: not UTF-8, and the checker's business.
bool has_surrogate_bytes(const uint8_t *bytes, size_t count) {
    const uint8_t *end = bytes + count;
    while (bytes < end) {
        bytes = static_cast<const uint8_t *>(memchr(bytes, 0xED, static_cast<size_t>(end - bytes)));
        if (bytes == nullptr) return false;
        if (end - bytes >= 2 && bytes[1] >= 0xA0) return true;
        ++bytes;
    }
    return false;
}

// Everything but strings and containers that must be entered; false: leave it to the checker.
inline bool plain_value(simdjson::dom::element element, Value &value) {
    using simdjson::dom::element_type;
    switch (element.type()) {
        case element_type::BOOL:
            value.kind = Kind::boolean;
            return element.get(value.truth) == simdjson::SUCCESS;
        case element_type::NULL_VALUE: value.kind = Kind::null; return true;
        case element_type::INT64:
            value.kind = Kind::integer;
            return element.get(value.integer) == simdjson::SUCCESS;
        case element_type::ARRAY: {
            simdjson::dom::array array;
            if (element.get(array) != simdjson::SUCCESS) return false;
            value.kind = Kind::array;
            value.count = static_cast<uint32_t>(array.size());
            return true;
        }
        case element_type::OBJECT: value.kind = Kind::object; return true;
        // Whether a double is an integer depends on its digits, which the checker reads.
        default: return false;
    }
}

// `has_escapes`: whether the line has a backslash at all, for only an escape can make a surrogate.
bool fast_members(simdjson::dom::object object, Scope scope, const KeyTable &keys, bool has_escapes, Arena &arena,
                  trs_record &record) {
    for (auto field : object) {
        const Key key = keys.find(scope, field.key.data(), field.key.size());
        if (key == Key::none) continue;
        if (key == Key::triage) return false;
        Value value;
        if (field.value.type() == simdjson::dom::element_type::STRING) {
            std::string_view string;
            if (field.value.get(string) != simdjson::SUCCESS) return false;
            value.kind = Kind::string;
            if (wants_string(key)) {
                const auto *bytes = reinterpret_cast<const uint8_t *>(string.data());
                if (arena.capacity - arena.used < string.size()) return false;
                if (has_escapes && has_surrogate_bytes(bytes, string.size())) return false;
                memcpy(arena.bytes + arena.used, bytes, string.size());
                value.span = {static_cast<uint32_t>(arena.used), static_cast<uint32_t>(string.size())};
                arena.used += string.size();
            }
        } else if (!plain_value(field.value, value)) {
            return false;
        }
        store(record, key, value);
        if (value.kind == Kind::object && (key == Key::sender || key == Key::raw)) {
            simdjson::dom::object inner;
            if (field.value.get(inner) != simdjson::SUCCESS) return false;
            if (!fast_members(inner, key == Key::sender ? Scope::sender : Scope::raw, keys, has_escapes, arena,
                              record)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

struct trs_scanner {
    simdjson::dom::parser parser;
    bool is_fast = true;
};

namespace {

// True: the record is complete and right. False: nothing is decided, the checker has the word.
bool scan_fast(trs_scanner &scanner, const uint8_t *line, size_t length, const KeyTable &keys, Arena &arena,
               trs_record &record) {
    size_t last = length;
    while (last > 0 && (line[last - 1] == ' ' || line[last - 1] == '\t' || line[last - 1] == '\r')) --last;
    if (last < 2 || line[0] != '{' || line[last - 1] != '}') return false;
    simdjson::dom::element root;
    if (scanner.parser.parse(line, last, false).get(root) != simdjson::SUCCESS) return false;
    simdjson::dom::object object;
    if (root.get(object) != simdjson::SUCCESS) return false;
    const bool has_escapes = memchr(line, '\\', last) != nullptr;
    if (!fast_members(object, Scope::record, keys, has_escapes, arena, record)) return false;
    if (record.text.start == UINT32_MAX) return false;
    record.closing_brace = static_cast<uint32_t>(last - 1);
    return true;
}

}  // namespace

extern "C" {

trs_scanner *trs_scanner_new(void) {
    trs_scanner *scanner = new (std::nothrow) trs_scanner;
    if (scanner == nullptr) return nullptr;
    if (scanner->parser.allocate(kFastLimit, kMaxDepth) != simdjson::SUCCESS
        || scanner->parser.doc.allocate(kFastLimit) != simdjson::SUCCESS) {
        delete scanner;
        return nullptr;
    }
    return scanner;
}

void trs_scanner_free(trs_scanner *scanner) { delete scanner; }

void trs_scanner_use_fast_path(trs_scanner *scanner, int enabled) { scanner->is_fast = enabled != 0; }

trs_status trs_scan(trs_scanner *scanner, const uint8_t *line, size_t length, const char *text_key, uint8_t *arena,
                    size_t arena_capacity, size_t *used, trs_record *record, size_t *error_offset,
                    const char **reason) {
    *error_offset = 0;
    *reason = "";
    KeyTable keys;
    if (text_key != nullptr) {
        keys.text = text_key;
        keys.text_length = strlen(text_key);
    }
    clear(*record);
    // Spans and offsets are 32 bits wide.
    if (length > UINT32_MAX - 64 || arena_capacity > UINT32_MAX) {
        *reason = "the line is longer than 4 GiB";
        return TRS_ARENA_FULL;
    }
    Arena target = {arena, arena_capacity, *used};
    const bool is_fast = scanner != nullptr && scanner->is_fast && length <= kFastLimit;
    if (is_fast && scan_fast(*scanner, line, length, keys, target, *record)) {
        *used = target.used;
        return TRS_OK;
    }
    target.used = *used;
    clear(*record);
    const Fault fault = RecordChecker(line, length, keys, target, *record).run();
    *error_offset = fault.offset;
    *reason = fault.reason;
    if (fault.status == TRS_OK) *used = target.used;
    return fault.status;
}

trs_status trs_check(const uint8_t *text, size_t length, size_t max_depth, size_t *error_offset, const char **reason) {
    Checker checker(text, length, max_depth);
    checker.blanks();
    if (checker.at_end()) {
        checker.fail(TRS_EMPTY, "there is nothing but blanks");
    } else if (checker.skip(0)) {
        checker.end_of_text();
    }
    *error_offset = checker.fault.offset;
    *reason = checker.fault.reason;
    return checker.fault.status;
}

}  // extern "C"
