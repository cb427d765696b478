// The exact path for a line, which alone decides lines that are unusual or invalid.
#pragma once
#include "json_checker.h"
#include "record_keys.h"

namespace record_scan {

// The exact path: one pass over the line that reports everything about the record.
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
                check_.fail(TRS_NOT_OBJECT, "the record is not a JSON object", start);
            }
            return check_.fault;
        }
        if (!members(Scope::record, 1)) return check_.fault;
        record_.closing_brace = static_cast<uint32_t>(check_.offset() - 1);
        if (!check_.end_of_text()) return check_.fault;
        if (!has_text_member_) return {TRS_NO_TEXT, record_.closing_brace, "the record has no member for its text"};
        if (record_.text.start == UINT32_MAX) return {TRS_TEXT_TYPE, text_offset_, "the text is not a string"};
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

    // Checks an object from its brace and stores the known members.
    bool members(Scope scope, size_t depth) {
        check_.step();
        check_.blanks();
        if (check_.peek() == '}') {
            check_.step();
            return true;
        }
        bool has_kept = false;        // whether a remaining member precedes this one
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
                // Cut it with the comma before it or, if no remaining member precedes it, with the one after it.
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
        // Keys are decoded into the free arena space after the values and then discarded.
        Arena scratch = arena_;
        trs_span span = kAbsent;
        if (!check_.string(&scratch, &span)) return false;
        if (scratch.capacity - span.start < 8) return check_.fail(TRS_ARENA_FULL, "the arena is too small");
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
                if (!check_.scalar(is_string(key) ? &arena_ : nullptr, value)) return false;
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

}  // namespace record_scan
