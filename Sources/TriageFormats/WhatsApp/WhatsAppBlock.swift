/// The lines in a piece of a chat that may start a message.
struct WhatsAppBlock {
    struct Candidate {
        var header: WhatsAppHeader
        private let offset: UInt32
        private let number: UInt32

        init(header: WhatsAppHeader, start: Int, line: Int) {
            self.header = header
            offset = UInt32(start)
            number = UInt32(line)
        }

        /// Offset of its line in the piece.
        var start: Int { Int(offset) }
        /// Index of its line, from 0.
        var line: Int { Int(number) }
    }

    private(set) var candidates: [Candidate] = []
    /// Number of bytes in complete lines.
    private(set) var end = 0
    /// Number of complete lines.
    private(set) var lines = 0

    /// - Parameter isLast: whether the last line is complete although it has no line break.
    init(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
        var scanner = WhatsAppScanner()
        var at = 0
        var number = 0
        while at < bytes.count {
            let next = bytes[at...].firstIndex(of: 0x0A)
            guard next != nil || isLast else { break }
            var stop = next ?? bytes.count
            if stop > at, bytes[stop - 1] == 0x0D { stop -= 1 }
            if let header = scanner.header(UnsafeBufferPointer(rebasing: bytes[at..<stop])) {
                candidates.append(Candidate(header: header, start: at, line: number))
            }
            at = (next ?? bytes.count - 1) + 1
            number += 1
        }
        end = at
        lines = number
    }

    /// Seconds that time may go backwards without being suspicious.
    private static let slack: Int64 = 86_400
    /// Number of headers to look ahead to see how the time continues.
    private static let ahead = 20
    /// How long before the chat's first message a line must be dated to belong to an older chat.
    private static let longBefore: Int64 = 30 * 86_400
    /// Maximum number of lines of a pasted piece.
    private static let longestPaste = 10

    /// What decides besides the times.
    struct Judgement {
        /// The template of most headers.
        var template: UInt32
        var order: DateOrder
        /// Time of the chat's first message.
        var first: Int64?
        /// The speaker in a line; nil: nobody.
        var author: (Candidate) -> String?
        /// Whether a line without a speaker is a WhatsApp notice by its words.
        var isNotice: (Candidate) -> Bool
        /// Whether a person with this name speaks in the chat.
        var isKnown: (String) -> Bool
    }

    /// The candidates that start a message; the others are continuation lines of the previous message.
    ///
    /// A line with a name after its header is a message whatever its time, because clocks are wrong and get changed.
    /// Three kinds of lines are not messages:
    ///
    /// 1. a line with another header form that does not fit between its neighbors;
    /// 2. a pasted piece of an older chat with several people in it;
    /// 3. a line without a name whose time does not fit, as in a list of dates that somebody wrote.
    ///
    /// - Parameters:
    ///   - isLast: whether nothing follows; if not, the last candidates wait until there is more to look ahead to.
    ///   - previous: time of the message before the piece, by the clock of the majority.
    func messages(_ judgement: Judgement, isLast: Bool, previous: inout Int64?) -> [Candidate] {
        let decided = isLast || candidates.count <= 2 * Self.ahead ? candidates.count : candidates.count - Self.ahead
        let times = candidates.map { $0.header.seconds(judgement.order) }
        let isKin = candidates.map { WhatsAppHeader.areKin($0.header.template, judgement.template) }
        // For each candidate, the next one with the usual form.
        var nexts = [Int](repeating: -1, count: candidates.count)
        var next = -1
        for index in candidates.indices.reversed() {
            nexts[index] = next
            if isKin[index], times[index] != nil { next = index }
        }
        let pasted = pastes(judgement, times, isKin)
        var accepted: [Candidate] = []
        for (index, candidate) in candidates[..<decided].enumerated() {
            guard !pasted.contains(index) else { continue }
            guard let time = times[index] else {
                // A date invalid in this order is either in another order, or a line of the text.
                if isKin[index], candidate.header.isSomeDay, let name = judgement.author(candidate),
                    judgement.isKnown(name)
                {
                    accepted.append(candidate)
                }
                continue
            }
            let after = nexts[index] >= 0 ? times[nexts[index]] : nil
            if isKin[index] {
                if let before = previous, judgement.author(candidate) == nil, !judgement.isNotice(candidate) {
                    let spoken = nextSpoken(behind: index, nexts, judgement).flatMap { times[$0] }
                    guard time >= before - Self.slack, time <= (spoken ?? before) + Self.slack else { continue }
                }
            } else {
                guard let before = previous, before <= time else { continue }
                if let after {
                    guard time <= after else { continue }
                } else {
                    // After the last candidate with the usual form, accept only known speakers.
                    guard let name = judgement.author(candidate), judgement.isKnown(name) else { continue }
                }
            }
            accepted.append(candidate)
            // A single clock that is fast does not set the chat's time.
            if !isAhead(time, behind: index, nexts, times) { previous = time }
        }
        return accepted
    }

    /// The next candidate with a speaker, if it is close.
    private func nextSpoken(behind index: Int, _ nexts: [Int], _ judgement: Judgement) -> Int? {
        var at = index
        for _ in 0..<Self.ahead {
            at = nexts[at]
            guard at >= 0 else { return nil }
            if judgement.author(candidates[at]) != nil { return at }
        }
        return nil
    }

    /// Whether the messages that follow show that this clock was fast.
    private func isAhead(_ time: Int64, behind index: Int, _ nexts: [Int], _ times: [Int64?]) -> Bool {
        var at = index
        for _ in 0..<Self.ahead {
            at = nexts[at]
            guard at >= 0, let later = times[at] else { return false }
            if later < time - Self.slack { return true }
        }
        return false
    }

    /// Pasted lines of older chats: runs by several people, dated long before this chat began.
    ///
    /// The chat continues after them.
    private func pastes(_ judgement: Judgement, _ times: [Int64?], _ isKin: [Bool]) -> Set<Int> {
        guard let first = judgement.first else { return [] }
        var found = Set<Int>()
        var run: [Int] = []
        var isAfterMessage = false
        for index in candidates.indices where isKin[index] {
            if let time = times[index], time < first - Self.longBefore {
                run.append(index)
                continue
            }
            if isAfterMessage, run.count >= 2, run.count <= Self.longestPaste,
                Set(run.compactMap { judgement.author(candidates[$0]) }).count >= 2
            {
                found.formUnion(run)
            }
            run = []
            isAfterMessage = times[index] != nil
        }
        return found
    }
}
