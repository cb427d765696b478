// What both ways through a line know of a record's fields, and how a value gets into them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "record_scan.h"

namespace record_scan {

constexpr trs_span kAbsent = {UINT32_MAX, 0};

enum class Kind : uint8_t { string, integer, other_number, boolean, null, array, object };

// A value as both ways see it.
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

// Those that are strings stand first, in the order of trs_record.
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

// For keys of strings: their bit, if they have one.
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

// Of equal keys the last counts, so everything an earlier one left is undone first.
inline void store_string(trs_record &r, Key key, trs_span span) {
    if (r.ignored != 0) r.ignored &= ~kStringBits[static_cast<size_t>(key)];
    span_of(r, key) = span;
}

// Stores a value of any key; `sender` and `raw` objects are entered by the caller, here they only say what they are.
void store(trs_record &r, Key key, const Value &value);

}  // namespace record_scan
