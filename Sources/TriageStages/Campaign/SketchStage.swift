public import TriageCore

/// Makes of every text with enough in it what is compared with that of other senders.
///
/// Reads the words and the hits. Writes the sketch. What campaigns change from one copy to the next is left out: links,
/// mentions, numbers, emoji, and the salutation. Texts of three words and more count if they have something of spam in them,
/// others from eight words on, for many people praise in the same few.
public struct SketchStage: LocalStage {
    public let name = "campaign.sketch"
    public let reads: Set<Field> = [.fields, .folded, .hits]
    public let writes: Set<Field> = [.sketch]

    /// Words that any text needs, and that one with a lure needs.
    static let leastWords = 8
    static let leastWordsOfLure = 3
    /// Words that are read: behind them two texts differ as they like.
    private static let mostWords = 256
    /// Words of a salutation.
    private static let salutation = 4
    /// Letters that a text needs in scripts that set no blanks, and how many are read.
    private static let leastLetters = 16
    private static let mostLetters = 512

    private let isLure: [Bool]

    public init(rules: RuleSet) {
        isLure = rules.signals.map { $0.feeds.facts & (1 << UInt64(FactTag.lure.rawValue)) != 0 }
    }

    public func annotate(_ batch: inout Batch) {
        var sketches: [TextSketch] = []
        sketches.reserveCapacity(batch.records.count)
        batch.withAnswerView { view in
            isLure.withUnsafeBufferPointer { isLure in
                view.forEachAsked { record in
                    guard var sketch = Self.sketch(of: record, in: view, isLure) else { return }
                    sketch.sender = SenderMark.of(record, in: view.arena)
                    record.pointee.sketch = Int32(truncatingIfNeeded: sketches.count)
                    sketches.append(sketch)
                }
            }
        }
        batch.sketches = sketches
    }

    /// Whether a message has something of spam.
    @inline(__always)
    static func hasLure(
        _ record: UnsafePointer<Record>, in view: AnswerView, _ isLure: UnsafeBufferPointer<Bool>
    ) -> Bool {
        for hit in view.hits(of: record) where isLure[Int(hit.signal)] { return true }
        return false
    }

    private static func sketch(
        of record: UnsafePointer<Record>, in view: AnswerView, _ isLure: UnsafeBufferPointer<Bool>
    ) -> TextSketch? {
        let folded = record.pointee.folded
        let isUnspaced = folded.shape.literals >= leastLetters
        guard folded.tokens.count >= leastWordsOfLure || isUnspaced, let base = view.folded.baseAddress else {
            return nil
        }
        // A look at the hits is dear for the many short ones, but most of those are shorter still.
        let isLong = folded.tokens.count >= leastWords || isUnspaced
        guard isLong || hasLure(record, in: view, isLure) else { return nil }
        let text = UnsafeBufferPointer(start: base + Int(folded.span.start), count: Int(folded.span.count))
        var sketch = TextSketch()
        let (words, letters) = sketch.fill { pen in
            (
                add(UnsafeBufferPointer(rebasing: view.tokens[folded.tokens]), of: text, with: pen),
                isUnspaced ? addLetters(of: text, with: pen) : 0
            )
        }
        if words >= leastWords || letters >= leastLetters { return sketch }
        guard words >= leastWordsOfLure, !isLong || hasLure(record, in: view, isLure) else { return nil }
        sketch.isShort = true
        return sketch
    }

    /// - Returns: how many words were taken.
    @inline(__always)
    private static func add(
        _ tokens: UnsafeBufferPointer<Token>, of text: UnsafeBufferPointer<UInt8>, with pen: TextSketch.Pen
    ) -> Int {
        var taken = 0
        var before: UInt64 = 0
        var isJoined = false
        for index in salutationEnd(tokens, of: text)..<min(tokens.count, mostWords) {
            let token = tokens[index]
            let end = Int(token.start) &+ Int(token.count)
            // Part of a link, an address or a mention: joined to its neighbours by a mark without a blank.
            let wasJoined = isJoined
            isJoined = index &+ 1 < tokens.count && joins(text, end, Int(tokens[index &+ 1].start))
            if isJoined || wasJoined || token.flags.contains(.digits) { continue }
            if token.start > 0 {
                let mark = text[Int(token.start) &- 1]
                if mark == 0x40 || mark == 0x23 { continue }
            }
            pen.add(word: token.hash)
            if before != 0 { pen.add(pair: before, token.hash) }
            before = token.hash
            taken &+= 1
        }
        return taken
    }

    /// Whether what stands between two words makes them parts of one address.
    @inline(__always)
    private static func joins(_ text: UnsafeBufferPointer<UInt8>, _ end: Int, _ start: Int) -> Bool {
        switch start &- end {
        case 1:
            switch text[end] {
            case 0x2E, 0x2F, 0x3A, 0x40, 0x3D, 0x26, 0x5F, 0x3F, 0x23: true
            default: false
            }
        case 3: text[end] == 0x3A && text[end &+ 1] == 0x2F
        default: false
        }
    }

    /// The first word behind a salutation: a few words up to a comma, an exclamation mark or the end of the line.
    @inline(__always)
    private static func salutationEnd(
        _ tokens: UnsafeBufferPointer<Token>, of text: UnsafeBufferPointer<UInt8>
    ) -> Int {
        for index in 0..<max(0, min(salutation, tokens.count &- leastWords)) {
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

    /// Takes pairs of letters that make no words, and triples in place of pairs of words.
    ///
    /// - Returns: how many there were.
    private static func addLetters(of text: UnsafeBufferPointer<UInt8>, with pen: TextSketch.Pen) -> Int {
        var taken = 0
        var (first, second): (UInt64, UInt64) = (0, 0)
        var place = 0
        while place < text.count, taken < mostLetters {
            let lead = text[place]
            let size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            guard place &+ size <= text.count else { break }
            // Letters of those scripts take three bytes; emoji take four, and signs of three bytes lie below them.
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

/// Which sender a message is from, in eight bytes.
enum SenderMark {
    /// The hash of the platform and the id, else the handle, else the name, else the conversation.
    ///
    /// Messages that name none of these cannot be told apart: all of them are of one sender.
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
