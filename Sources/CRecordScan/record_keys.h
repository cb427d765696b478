// Names of the members that are fields, found by a perfect hash computed at compile time.
#pragma once
#include <array>
#include <cstring>
#include <string>

#include "record_fields.h"

namespace record_scan {

enum class Scope : uint8_t { record, sender, raw };

// The first and the last eight bytes of a name: all of it, up to 16 bytes.
struct Ends {
    uint64_t head = 0;
    uint64_t tail = 0;

    constexpr uint32_t slot(Scope scope) const {
        return static_cast<uint32_t>(((head ^ (tail + static_cast<uint64_t>(scope)) * 0x9E3779B97F4A7C15u)
                                      * 0xD6E8FEB86659FD93u) >> 58);
    }

    constexpr bool operator==(const Ends &) const = default;

    // Eight bytes must be readable at `name`, however short it is.
    static Ends read(const char *name, size_t length) {
        Ends ends;
        memcpy(&ends.head, name, 8);
        if (length >= 8) {
            memcpy(&ends.tail, name + length - 8, 8);
        } else {
            ends.head &= (uint64_t{1} << (8 * length)) - 1;
            ends.tail = ends.head;
        }
        return ends;
    }

    static constexpr Ends of(const char *name, size_t length) {
        Ends ends;
        auto byte = [name](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(name[i])); };
        for (size_t i = 0; i < length && i < 8; ++i) ends.head |= byte(i) << (8 * i);
        if (length < 8) {
            ends.tail = ends.head;
        } else {
            for (size_t i = 0; i < 8; ++i) ends.tail |= byte(length - 8 + i) << (8 * i);
        }
        return ends;
    }
};

struct KnownKey {
    const char *name = nullptr;
    size_t length = 0;
    Ends ends;
    Scope scope = Scope::record;
    Key key = Key::none;

    constexpr KnownKey() = default;
    constexpr KnownKey(Scope scope, const char *name, Key key)
        : name(name), length(std::char_traits<char>::length(name)), ends(Ends::of(name, length)), scope(scope),
          key(key) {}
};

constexpr size_t kSlots = 64;

constexpr std::array<KnownKey, kSlots> make_known_keys() {
    constexpr KnownKey keys[] = {
        {Scope::record, "id", Key::id}, {Scope::record, "raw", Key::raw}, {Scope::record, "lang", Key::lang},
        {Scope::record, "sender", Key::sender}, {Scope::record, "triage", Key::triage},
        {Scope::record, "sent_at", Key::sent_at}, {Scope::record, "creator", Key::creator},
        {Scope::record, "platform", Key::platform}, {Scope::record, "reply_to", Key::reply_to},
        {Scope::record, "reactions", Key::reactions}, {Scope::record, "attachments", Key::attachments},
        {Scope::record, "participants", Key::participants}, {Scope::record, "conversation_id", Key::conversation_id},
        {Scope::record, "conversation_title", Key::conversation_title},
        {Scope::sender, "id", Key::sender_id}, {Scope::sender, "name", Key::sender_name},
        {Scope::sender, "handle", Key::sender_handle}, {Scope::sender, "is_self", Key::sender_is_self},
        {Scope::sender, "verified", Key::sender_verified}, {Scope::sender, "followers", Key::sender_followers},
        {Scope::raw, "kind", Key::raw_kind}};
    std::array<KnownKey, kSlots> slots;
    for (const KnownKey &key : keys) {
        uint32_t slot = key.ends.slot(key.scope);
        while (slots[slot].name != nullptr) slot = (slot + 1) % kSlots;
        slots[slot] = key;
    }
    return slots;
}

constexpr std::array<KnownKey, kSlots> kKnownKeys = make_known_keys();

class KeyTable {
  public:
    // `text` names the member that holds the message text.
    explicit KeyTable(const char *text) : text_(Scope::record, text, Key::text) {}
    KeyTable() : text_(kText) {}

    // Eight bytes must be readable at `name`, however short it is.
    Key find(Scope scope, const char *name, size_t length) const {
        const Ends ends = Ends::read(name, length);
        if (is(text_, scope, name, length, ends)) return Key::text;
        for (uint32_t slot = ends.slot(scope);; slot = (slot + 1) % kSlots) {
            const KnownKey &known = kKnownKeys[slot];
            if (known.name == nullptr) return Key::none;
            if (is(known, scope, name, length, ends)) return known.key;
        }
    }

  private:
    static constexpr KnownKey kText{Scope::record, "text", Key::text};
    KnownKey text_;

    static bool is(const KnownKey &known, Scope scope, const char *name, size_t length, const Ends &ends) {
        return known.ends == ends && known.length == length && known.scope == scope
               && (length <= 16 || memcmp(known.name, name, length) == 0);
    }
};

}  // namespace record_scan
