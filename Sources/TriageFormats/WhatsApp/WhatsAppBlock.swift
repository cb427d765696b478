/// The lines of a piece of a chat that may open a message.
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

        /// Where its line begins in the piece.
        var start: Int { Int(offset) }
        /// Which line that is, from 0.
        var line: Int { Int(number) }
    }

    private(set) var candidates: [Candidate] = []
    /// Bytes of whole lines.
    private(set) var end = 0
    /// Whole lines.
    private(set) var lines = 0

    /// - Parameter isLast: whether the last line is whole though it has no line break.
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

    /// Seconds that a clock may go back without anything being odd.
    private static let slack: Int64 = 86_400
    /// Headers that are looked ahead to see how the clock goes on.
    private static let ahead = 20
    /// How far before the first message of a chat a line must lie to be one of an older chat.
    private static let longBefore: Int64 = 30 * 86_400
    /// Lines of a pasted piece, at most.
    private static let longestPaste = 10

    /// What decides besides the times.
    struct Judgement {
        /// Of most headers.
        var template: UInt32
        var order: DateOrder
        /// Time of the first message of the chat.
        var first: Int64?
        /// Who speaks in a line; nil: nobody does.
        var author: (Candidate) -> String?
        /// Whether a line under nobody's name is one of WhatsApp's by its words.
        var isNotice: (Candidate) -> Bool
        /// Whether somebody of this name speaks in the chat.
        var isKnown: (String) -> Bool
    }

    /// The candidates that open a message; the others are lines of the message above them.
    ///
    /// A line with a name behind its header is a message whatever its time says: clocks are wrong and are set. What is
    /// not taken for one is (1) a line of another form that does not fit between its neighbors, (2) a piece of an older
    /// chat, with several people in it, that somebody pasted, and (3) a line without a name whose time does not fit, as in
    /// a list of dates that somebody wrote.
    ///
    /// - Parameters:
    ///   - isLast: whether nothing follows; otherwise the last ones wait until there is something to look ahead to.
    ///   - previous: time of the message before the piece, on the clock of most.
    func messages(_ judgement: Judgement, isLast: Bool, previous: inout Int64?) -> [Candidate] {
        let decided = isLast || candidates.count <= 2 * Self.ahead ? candidates.count : candidates.count - Self.ahead
        let times = candidates.map { $0.header.seconds(judgement.order) }
        let isKin = candidates.map { WhatsAppHeader.areKin($0.header.template, judgement.template) }
        // Of each candidate, the next one of the form.
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
                // A day that is none in this order is one in another, or a line of the text.
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
                    // Behind the last one of the form only somebody who is known speaks.
                    guard let name = judgement.author(candidate), judgement.isKnown(name) else { continue }
                }
            }
            accepted.append(candidate)
            // One clock that is fast is not that of the chat.
            if !isAhead(time, behind: index, nexts, times) { previous = time }
        }
        return accepted
    }

    /// The next candidate under somebody's name, not far behind.
    private func nextSpoken(behind index: Int, _ nexts: [Int], _ judgement: Judgement) -> Int? {
        var at = index
        for _ in 0..<Self.ahead {
            at = nexts[at]
            guard at >= 0 else { return nil }
            if judgement.author(candidates[at]) != nil { return at }
        }
        return nil
    }

    /// Whether the messages that follow show that a clock was fast.
    private func isAhead(_ time: Int64, behind index: Int, _ nexts: [Int], _ times: [Int64?]) -> Bool {
        var at = index
        for _ in 0..<Self.ahead {
            at = nexts[at]
            guard at >= 0, let later = times[at] else { return false }
            if later < time - Self.slack { return true }
        }
        return false
    }

    /// Lines of older chats: runs, by several people, from long before this one began, after which it goes on.
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
