package import TriageCore

/// Makes a sketch of every text that is long enough, for comparison with the texts of other senders.
///
/// It reads the words and the hits and writes the sketch. It ignores what campaigns vary from copy to copy: links,
/// mentions, numbers, emoji, and the salutation. A text that shows some sign of spam needs at least three words; any
/// other needs eight, because many people praise in the same few words.
package struct SketchStage: LocalStage {
    package let name = "campaign.sketch"
    package let reads: Set<Field> = [.fields, .folded, .hits]
    package let writes: Set<Field> = [.sketch]

    /// Minimum number of words for any text, and for a text with a lure.
    static let leastWords = 8
    static let leastWordsOfLure = 3
    /// Maximum number of words that are read; what follows may differ.
    private static let mostWords = 256
    /// Maximum number of words in a salutation.
    private static let salutation = 4
    /// Minimum number of letters for scripts without blanks between words, and the maximum number that is read.
    private static let leastLetters = 16
    private static let mostLetters = 512

    private let isLure: [Bool]
    /// Characters that join the parts of an address or precede a name.
    private let addressMarks = "./:@=&_?#".utf8.reduce(0 as UInt64) { $0 | TextShape.bit(of: $1) }

    package init(rules: RuleSet) {
        isLure = rules.signals.map { $0.feeds.facts & (1 << UInt64(FactTag.lure.rawValue)) != 0 }
    }

    package func annotate(_ batch: inout Batch) {
        var sketches: [TextSketch] = []
        swap(&sketches, &batch.sketches)
        batch.withAnswerView { view in
            isLure.withUnsafeBufferPointer { isLure in
                view.forEachAsked { record in
                    guard
                        record.pointee.folded.tokens.count >= Self.leastWordsOfLure
                            || record.pointee.folded.shape.literals >= Self.leastLetters
                    else { return }
                    var sketch = TextSketch()
                    guard fill(&sketch, of: record, in: view, isLure) else { return }
                    sketch.sender = SenderMark.of(record, in: view.arena)
                    record.pointee.sketch = Int32(truncatingIfNeeded: sketches.count)
                    sketches.append(sketch)
                }
            }
        }
        swap(&sketches, &batch.sketches)
    }

    /// Whether a message shows some sign of spam.
    @inline(__always)
    static func hasLure(
        _ record: UnsafePointer<Record>, in view: AnswerView, _ isLure: UnsafeBufferPointer<Bool>
    ) -> Bool {
        for hit in view.hits(of: record) where isLure[Int(hit.signal)] { return true }
        return false
    }

    /// Fills the sketch of a message.
    ///
    /// - Returns: whether there is enough to compare.
    @inline(__always)
    private func fill(
        _ sketch: inout TextSketch, of record: UnsafePointer<Record>, in view: AnswerView,
        _ isLure: UnsafeBufferPointer<Bool>
    ) -> Bool {
        let tokens = record.pointee.folded.tokens
        let isUnspaced = record.pointee.folded.shape.literals >= Self.leastLetters
        // Reading the hits is expensive for the many short messages, but most of those are shorter still.
        let isLong = tokens.count >= Self.leastWords || isUnspaced
        guard isLong || Self.hasLure(record, in: view, isLure) else { return false }
        guard let base = view.folded.baseAddress, let words = view.tokens.baseAddress else { return false }
        let start = base + Int(record.pointee.folded.span.start)
        let hasAddress = record.pointee.folded.shape.marks & addressMarks != 0
        let (taken, letters) = sketch.fill { pen in
            (
                Self.add(words + tokens.lowerBound, tokens.count, of: start, hasAddress: hasAddress, with: pen),
                isUnspaced
                    ? Self.addLetters(
                        of: UnsafeBufferPointer(start: start, count: Int(record.pointee.folded.span.count)), with: pen)
                    : 0
            )
        }
        if taken >= Self.leastWords || letters >= Self.leastLetters { return true }
        guard taken >= Self.leastWordsOfLure, !isLong || Self.hasLure(record, in: view, isLure) else { return false }
        sketch.isShort = true
        return true
    }

    /// Adds words and word pairs, leaving out the words of addresses and words with digits.
    ///
    /// - Parameters:
    ///   - tokens: the words of the text at `text`, `count` of them.
    ///   - hasAddress: whether the text contains any character that occurs in addresses.
    /// - Returns: how many words were added.
    @inline(__always)
    private static func add(
        _ tokens: UnsafePointer<Token>, _ count: Int, of text: UnsafePointer<UInt8>, hasAddress: Bool,
        with pen: TextSketch.JSONWriter
    ) -> Int {
        var taken = 0
        var before: UInt64 = 0
        var isJoined = false
        var index = salutationEnd(tokens, count, of: text)
        let end = min(count, mostWords)
        while index < end {
            let token = tokens[index]
            index &+= 1
            var isLeftOut = token.flags.contains(.digits)
            if hasAddress {
                // Part of a link, an address or a mention: joined to a neighbouring word by a mark without a blank.
                let wasJoined = isJoined
                let last = Int(token.start) &+ Int(token.count)
                isJoined = index < count && joins(text + last, Int(tokens[index].start) &- last)
                let mark = token.start > 0 ? text[Int(token.start) &- 1] : 0
                isLeftOut = isLeftOut || isJoined || wasJoined || mark == 0x40 || mark == 0x23
            }
            if isLeftOut { continue }
            pen.add(word: token.hash)
            if before != 0 { pen.add(pair: before, token.hash) }
            before = token.hash
            taken &+= 1
        }
        return taken
    }

    /// Whether the `count` bytes between two words make them parts of one address.
    @inline(__always)
    private static func joins(_ between: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        switch count {
        case 1:
            switch between[0] {
            case 0x20: false
            case 0x2E, 0x2F, 0x3A, 0x40, 0x3D, 0x26, 0x5F, 0x3F, 0x23: true
            default: false
            }
        case 3: between[0] == 0x3A && between[1] == 0x2F
        default: false
        }
    }

    /// Returns the index of the first word after a salutation: a few words up to a comma, an exclamation mark or a line
    /// end.
    @inline(__always)
    private static func salutationEnd(
        _ tokens: UnsafePointer<Token>, _ count: Int, of text: UnsafePointer<UInt8>
    ) -> Int {
        for index in 0..<max(0, min(salutation, count &- leastWords)) {
            var place = Int(tokens[index].start) &+ Int(tokens[index].count)
            let next = Int(tokens[index &+ 1].start)
            while place < next {
                let byte = text[place]
                if byte == 0x2C || byte == 0x21 || byte == 0x0A { return index &+ 1 }
                place &+= 1
            }
        }
        return 0
    }

    /// For scripts without words: adds pairs of letters in place of words, and triples in place of word pairs.
    ///
    /// - Returns: how many letters there were.
    private static func addLetters(of text: UnsafeBufferPointer<UInt8>, with pen: TextSketch.JSONWriter) -> Int {
        var taken = 0
        var (first, second): (UInt64, UInt64) = (0, 0)
        var place = 0
        while place < text.count, taken < mostLetters {
            let lead = text[place]
            let size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            guard place &+ size <= text.count else { break }
            // Letters of those scripts take three bytes. Emoji take four, and three-byte symbols have lower code
            // points.
            var scalar: UInt64 = 0
            if size == 3 {
                scalar = UInt64(lead & 0x0F) << 12 | UInt64(text[place + 1] & 0x3F) << 6
                scalar |= UInt64(text[place + 2] & 0x3F)
            }
            place &+= size
            switch scalar {
            case 0x0E00...0x0E4F, 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF: break
            default: continue
            }
            if second != 0 { pen.add(word: second << 16 | scalar) }
            if first != 0 { pen.add(pair: first << 16 | second, scalar) }
            (first, second) = (second, scalar)
            taken &+= 1
        }
        return taken
    }
}

/// Identifies the sender of a message, in eight bytes.
enum SenderMark {
    /// Returns the hash of the platform and the sender's id, or else the handle, the name, or the conversation.
    ///
    /// Messages with none of these cannot be distinguished, so they all count as one sender.
    @inline(__always)
    static func of(_ record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let fields = record.pointee.fields
        let (kind, span): (UInt8, Span32) =
            if fields.senderID.count > 0 {
                (1, fields.senderID)
            } else if fields.senderHandle.count > 0 {
                (2, fields.senderHandle)
            } else if fields.senderName.count > 0 {
                (3, fields.senderName)
            } else if fields.conversationID.count > 0 {
                (4, fields.conversationID)
            } else {
                (0, .absent)
            }
        guard kind != 0 else { return 0 }
        let who = TextFolder.hash(UnsafeBufferPointer(rebasing: arena[span.range]))
        let platform = TextFolder.hash(UnsafeBufferPointer(rebasing: arena[fields.platform.range]))
        return (who &* 0x9E37_79B9_7F4A_7C15 ^ platform) &+ UInt64(kind)
    }
}
