internal import TriageCore

/// The ``ModelFact``s of a message.
enum FactReader {
    /// - Parameter length: of the text, as ``TextWalk/length`` has it: saying one thing forty times makes no long message.
    @inline(__always)
    static func forEach(
        _ record: UnsafePointer<Record>, length: Int, _ arena: UnsafeBufferPointer<UInt8>, _ visit: (ModelFact) -> Void
    ) {
        visit(self.length(length))
        visit(reach(record.pointee.fields.followers))
        if record.pointee.fields.isVerified == true { visit(.verified) }
        let handle = arena[record.pointee.fields.senderHandle.range]
        // Behind the first letter: many handles are written with an at sign.
        if handle.dropFirst().contains(0x40) { visit(.mailHandle) }
        if record.pointee.folded.shape.questionMarks > 0 { visit(.question) }
        if record.pointee.fields.replyTo.isPresent { visit(.isReply) }
    }

    private static func length(_ bytes: Int) -> ModelFact {
        switch bytes {
        case ..<16: bytes < 8 ? .length8 : .length16
        case ..<64: bytes < 32 ? .length32 : .length64
        case ..<256: bytes < 128 ? .length128 : .length256
        case ..<512: .length512
        default: .lengthMore
        }
    }

    private static func reach(_ followers: Int64?) -> ModelFact {
        switch followers {
        case nil: .followersUnknown
        case .some(..<100): .followers100
        case .some(..<1_000): .followers1k
        case .some(..<10_000): .followers10k
        case .some(..<100_000): .followers100k
        case .some: .followersMore
        }
    }
}
