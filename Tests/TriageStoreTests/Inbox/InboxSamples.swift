import TriageStore

/// A key that differs with its number, in no order.
func key(_ number: Int) -> RecordKey {
    RecordKey(
        high: UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15,
        low: UInt64(truncatingIfNeeded: number) &* 0xD6E8_FEB8_6659_FD93)
}

func identity(_ number: Int, content: UInt64 = 1) -> RecordIdentity {
    RecordIdentity(key: key(number), digest: content)
}

/// A message of somebody's; what matters to a test is set by it.
func message(_ number: Int, _ text: String, _ change: (inout InboxMessage) -> Void = { _ in }) -> InboxMessage {
    var message = InboxMessage(
        key: key(number), id: "m\(number)", text: text, record: Array("{\"id\":\"m\(number)\"}".utf8))
    message.platform = "instagram"
    message.sender = "Ann \(number)"
    message.sentAt = Int64(number) * 60
    message.category = "fan"
    change(&message)
    return message
}
