#include "record_fields.h"

namespace record_scan {

namespace {

void put(trs_record &r, int8_t &field, Bit bit, const Value &value) {
    r.ignored &= ~(1u << bit);
    field = -1;
    if (value.kind == Kind::boolean) {
        field = value.truth ? 1 : 0;
    } else if (value.kind != Kind::null) {
        r.ignored |= 1u << bit;
    }
}

void mark_unless(trs_record &r, Bit bit, bool fine) {
    r.ignored &= ~(1u << bit);
    if (!fine) r.ignored |= 1u << bit;
}

void forget_sender(trs_record &r) {
    r.sender_id = r.sender_handle = r.sender_name = kAbsent;
    r.followers = -1;
    r.verified = r.is_self = -1;
    r.ignored &= ~bits({kBitSender, kBitSenderId, kBitSenderHandle, kBitSenderName, kBitSenderVerified,
                        kBitSenderFollowers, kBitSenderIsSelf});
}

void forget_raw(trs_record &r) {
    r.kind = kAbsent;
    r.ignored &= ~bits({kBitRaw, kBitKind});
}

void store_participants(trs_record &r, const Value &value) {
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
}

}  // namespace

void store(trs_record &r, Key key, const Value &value) {
    if (is_string(key)) {
        store_string(r, key, value.kind == Kind::string ? value.span : kAbsent);
        const bool fine = value.kind == Kind::string || value.kind == Kind::null;
        if (!fine) r.ignored |= kStringBits[static_cast<size_t>(key)];
        return;
    }
    switch (key) {
        case Key::sender_verified: put(r, r.verified, kBitSenderVerified, value); break;
        case Key::sender_is_self: put(r, r.is_self, kBitSenderIsSelf, value); break;
        case Key::sender:
            forget_sender(r);
            mark_unless(r, kBitSender, value.kind == Kind::object || value.kind == Kind::null);
            break;
        case Key::raw:
            forget_raw(r);
            mark_unless(r, kBitRaw, value.kind == Kind::object || value.kind == Kind::null);
            break;
        case Key::attachments:
            r.attachments = value.kind == Kind::array ? value.count : 0;
            mark_unless(r, kBitAttachments, value.kind == Kind::array || value.kind == Kind::null);
            break;
        case Key::reactions:
            mark_unless(r, kBitReactions, value.kind == Kind::array || value.kind == Kind::null);
            break;
        case Key::participants: store_participants(r, value); break;
        case Key::sender_followers: {
            const bool fine = value.kind == Kind::integer && value.integer >= 0;
            r.followers = fine ? value.integer : -1;
            mark_unless(r, kBitSenderFollowers, fine || value.kind == Kind::null);
            break;
        }
        default: break;
    }
}

}  // namespace record_scan
