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

    /// Seconds that a clock may go back without a line being taken for a pasted one.
    private static let slack: Int64 = 86_400
    /// Headers that are looked ahead to see whether the clock goes on from where it was.
    private static let ahead = 20

    /// The candidates that open a message; the others are lines of the message above them.
    ///
    /// - Parameters:
    ///   - template: of most headers; another opens a message only when its time fits between its neighbors.
    ///   - isLast: whether nothing follows; otherwise the last ones wait until there is something to look ahead to.
    ///   - previous: time of the message before the piece.
    func messages(template: UInt32, order: DateOrder, isLast: Bool, previous: inout Int64?) -> [Candidate] {
        let decided = isLast || candidates.count <= 2 * Self.ahead ? candidates.count : candidates.count - Self.ahead
        let times = candidates.map { $0.header.seconds(order) }
        // Of each candidate, the next one of the template.
        var nexts = [Int](repeating: -1, count: candidates.count)
        var next = -1
        for index in candidates.indices.reversed() {
            nexts[index] = next
            if candidates[index].header.template == template, times[index] != nil { next = index }
        }
        var accepted: [Candidate] = []
        for (index, candidate) in candidates[..<decided].enumerated() {
            guard let time = times[index] else { continue }
            if candidate.header.template == template {
                if let before = previous, time < before - Self.slack,
                    goesOn(from: before, behind: index, nexts, times)
                {
                    continue
                }
            } else {
                guard let before = previous, nexts[index] >= 0, let after = times[nexts[index]], before <= time,
                    time <= after
                else { continue }
            }
            previous = time
            accepted.append(candidate)
        }
        return accepted
    }

    /// Whether the clock goes on where it was: then what lies between was pasted.
    private func goesOn(from before: Int64, behind index: Int, _ nexts: [Int], _ times: [Int64?]) -> Bool {
        var at = index
        for step in 0..<Self.ahead {
            at = nexts[at]
            // Clocks that were set back are rarer than old lines in the last message.
            guard at >= 0, let time = times[at] else { return step < 3 }
            if time >= before - Self.slack { return true }
        }
        return false
    }
}
