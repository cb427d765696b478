// The record fields known to both paths, and how to store a value in them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "record_scan.h"

namespace record_scan {

constexpr trs_span kAbsent = {UINT32_MAX, 0};

enum class Kind : uint8_t { string, integer, other_number, boolean, null, array, object };

// A value as seen by both paths.
struct Value {
    Kind kind = Kind::null;
    bool truth = false;
    int64_t integer = -1;     // for integer
    uint32_t count = 0;       // for array
    trs_span span = kAbsent;  // for string, in the arena
};

struct Arena {
    uint8_t *bytes;
    size_t capacity;
    size_t used;
};

// String fields come first, in the order of trs_record.
enum class Key : uint8_t {
    text, id, platform, conversation_id, conversation_title, sender_id, sender_handle, sender_name, sent_at, lang,
    reply_to, raw_kind, creator,
    sender, sender_verified, sender_followers, sender_is_self, attachments, reactions, raw, participants, triage, none
};

constexpr bool is_string(Key key) { return key <= Key::creator; }

// Bits of trs_record.ignored.
enum Bit : uint32_t {
    kBitId, kBitPlatform, kBitConversationId, kBitConversationTitle, kBitSender, kBitSenderId, kBitSenderHandle,
    kBitSenderName, kBitSenderVerified, kBitSenderFollowers, kBitSenderIsSelf, kBitSentAt, kBitLang, kBitReplyTo,
    kBitAttachments, kBitReactions, kBitRaw, kBitKind, kBitParticipants
};

constexpr uint32_t bits(std::initializer_list<Bit> list) {
    uint32_t mask = 0;
    for (Bit bit : list) mask |= 1u << bit;
    return mask;
}

// The bit of each string key, if it has one.
constexpr uint32_t kStringBits[] = {
    0, bits({kBitId}), bits({kBitPlatform}), bits({kBitConversationId}), bits({kBitConversationTitle}),
    bits({kBitSenderId}), bits({kBitSenderHandle}), bits({kBitSenderName}), bits({kBitSentAt}), bits({kBitLang}),
    bits({kBitReplyTo}), bits({kBitKind}), 0};

inline trs_span &span_of(trs_record &r, Key key) {
    static_assert(offsetof(trs_record, text) == 0
                  && offsetof(trs_record, creator) == static_cast<size_t>(Key::creator) * sizeof(trs_span));
    return *reinterpret_cast<trs_span *>(reinterpret_cast<uint8_t *>(&r) + static_cast<size_t>(key) * sizeof(trs_span));
}

inline void clear(trs_record &r) {
    for (size_t key = 0; key <= static_cast<size_t>(Key::creator); ++key) span_of(r, static_cast<Key>(key)) = kAbsent;
    r.followers = -1;
    r.verified = r.is_self = -1;
    r.participants = r.attachments = r.ignored = r.closing_brace = r.cut_count = 0;
}

// Of duplicate keys the last one counts, so undo everything that an earlier one stored.
inline void store_string(trs_record &r, Key key, trs_span span) {
    if (r.ignored != 0) r.ignored &= ~kStringBits[static_cast<size_t>(key)];
    span_of(r, key) = span;
}

// Stores a value for any key. The caller descends into `sender` and `raw` objects; here only their type matters.
void store(trs_record &r, Key key, const Value &value);

}  // namespace record_scan
