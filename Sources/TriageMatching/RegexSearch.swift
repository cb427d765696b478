internal import CPatternScan
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tries the machines of a table where their literals stand, in many texts.
///
/// All machines lie in a few flat arrays: a scan borrows them once, and tries thousands of places without counting
/// references.
struct RegexSearch: Sendable {
    /// One machine: where its states lie, and where it is tried.
    private struct Head: Sendable {
        var pattern: UInt32
        var before: Int
        var frontBytes: ByteSet
        var frontLast: ByteSet
        /// Bits that ``TextShape/marks`` must share, one with each of these; a gate of fewer repeats its last.
        var marks: SIMD4<UInt64>
        var signs: SIMD4<UInt8>
        var signCount: Int
        var whole: States
        var ahead: States
        /// Of no meaning without ``hasFront``.
        var front: States
        var hasFront: Bool

        @inline(__always)
        func admits(_ marks: UInt64) -> Bool {
            self.marks[0] & marks != 0 && self.marks[1] & marks != 0 && self.marks[2] & marks != 0
                && self.marks[3] & marks != 0
        }
    }

    /// Where the states of a ``RegexStates`` lie.
    private struct States: Sendable {
        /// Of its first byte in ``kinds``.
        var kinds: Int
        /// Of its first row in ``rows``.
        var rows: Int
        /// The states to start in, as ``rows`` have them.
        var start: UInt32
        var lineStart: UInt32
    }

    private var heads: [Head] = []
    private var kinds: [UInt8] = []
    /// Where a state leads with each kind of byte: the row of the next state, counted from the machine's first one, and
    /// in the lowest two bits what ``RegexStates/flags`` say of it; 0: nowhere.
    private var rows: [UInt32] = []
    /// Machines of each group: `first[group]..<first[group + 1]`.
    private let first: [Int]
    /// Machines that ask for a sign.
    private let withSigns: [Int]
    /// Groups of the literals, as bits.
    private let gateBits: [PatternTable.Groups]
    /// The first pattern that is a gate's literal.
    private let firstGate: Int

    init(_ table: PatternTable) {
        first = (0...table.gates.count).map { group in
            table.machines.firstIndex { Int($0.group) >= group } ?? table.machines.count
        }
        withSigns = table.machines.indices.filter { !table.machines[$0].signs.isEmpty }
        gateBits = table.gateBits
        firstGate = table.literalLengths.count
        for machine in table.machines {
            let asked = table.gates[Int(machine.group)].masks
            // Bit 63 is nobody's: it lets a gate without masks admit all texts.
            var marks = SIMD4<UInt64>(repeating: asked.last ?? 1 << 63)
            for (k, mask) in asked.prefix(4).enumerated() { marks[k] = mask }
            var signs = SIMD4<UInt8>(repeating: 0)
            for (k, sign) in machine.signs.enumerated() { signs[k] = sign }
            let whole = add(machine.whole)
            heads.append(
                Head(
                    pattern: machine.pattern, before: Int(machine.before), frontBytes: machine.frontBytes,
                    frontLast: machine.frontLast, marks: marks, signs: signs, signCount: machine.signs.count,
                    whole: whole, ahead: machine.ahead.map { add($0) } ?? whole,
                    front: machine.front.map { add($0) } ?? whole, hasFront: machine.front != nil))
        }
    }

    private mutating func add(_ states: RegexStates) -> States {
        func row(_ state: UInt16) -> UInt32 {
            UInt32(state) * UInt32(states.kindCount) << 2 | UInt32(states.flags[Int(state)])
        }
        defer {
            kinds += states.kinds
            rows += states.next.map(row)
        }
        return States(
            kinds: kinds.count, rows: rows.count, start: row(states.start), lineStart: row(states.lineStart))
    }

    /// Appends the matches of all texts, text by text and in order of their starts for each regex; of the matches with
    /// one end the longest alone.
    ///
    /// - Parameters:
    ///   - places: where the literals of the gates stand, in order of text and end.
    ///   - limitPerText: matches of one regex in one text.
    func run(
        _ bytes: UnsafeBufferPointer<UInt8>, _ starts: [UInt32], _ lengths: [UInt32], _ marks: [UInt64],
        _ places: UnsafeBufferPointer<tps_match>, limitPerText: Int, into matches: inout [tps_match]
    ) {
        guard !heads.isEmpty else { return }
        var progress = [Progress](repeating: Progress(), count: heads.count)
        heads.withUnsafeBufferPointer { heads in
            kinds.withUnsafeBufferPointer { kinds in
                rows.withUnsafeBufferPointer { rows in
                    progress.withUnsafeMutableBufferPointer { progress in
                        guard let kinds = kinds.baseAddress, let rows = rows.baseAddress else { return }
                        var tables = Tables(
                            heads: heads, machines: Machines(kinds: kinds, rows: rows), progress: progress,
                            limitPerText: limitPerText)
                        run(bytes, starts, lengths, marks, places, &tables)
                        matches += tables.matches
                    }
                }
            }
        }
    }

    @inline(__always)
    private func run(
        _ bytes: UnsafeBufferPointer<UInt8>, _ starts: [UInt32], _ lengths: [UInt32], _ marks: [UInt64],
        _ places: UnsafeBufferPointer<tps_match>, _ tables: inout Tables
    ) {
        var place = 0
        for text in starts.indices {
            let from = Int(starts[text])
            let marks = marks[text] | 1 << 63
            let content = UnsafeBufferPointer(rebasing: bytes[from..<from + Int(lengths[text])])
            for machine in withSigns where tables.heads[machine].admits(marks) {
                tables.findSigns(machine, content, text, marks)
            }
            while place < places.count, Int(places[place].text) == text {
                var groups = gateBits[Int(places[place].pattern) - firstGate]
                while groups != 0 {
                    let group = groups.trailingZeroBitCount
                    groups &= groups - 1
                    for machine in first[group]..<first[group + 1] where tables.heads[machine].admits(marks) {
                        tables.tryStarts(machine, at: Int(places[place].start), content, text)
                    }
                }
                place += 1
            }
        }
    }

    /// The states of all machines.
    private struct Machines {
        let kinds: UnsafePointer<UInt8>
        let rows: UnsafePointer<UInt32>

        /// Whether a byte leads on from the start; says nothing of starts of lines.
        @inline(__always)
        func mayStart(_ states: States, with byte: UInt8) -> Bool {
            rows[states.rows &+ Int(states.start &>> 2) &+ Int(kinds[states.kinds &+ Int(byte)])] != 0
        }

        /// Follows the states from a place back; whether they come to an end.
        @inline(__always)
        func leadsBack(_ states: States, _ end: Int, _ content: UnsafeBufferPointer<UInt8>) -> Bool {
            let kinds = kinds + states.kinds
            let rows = rows + states.rows
            var row = states.start
            var i = end
            while i > 0 {
                i &-= 1
                row = rows[Int(row &>> 2) &+ Int(kinds[Int(content[i])])]
                if row == 0 { return false }
                if row & 3 != 0 { return true }
            }
            return false
        }

        /// Follows the states from a place on, and calls `ended` with each end, until it returns true; whether it did.
        @inline(__always)
        func follow(
            _ states: States, _ start: Int, _ content: UnsafeBufferPointer<UInt8>, _ ended: (Int) -> Bool
        ) -> Bool {
            let kinds = kinds + states.kinds
            let rows = rows + states.rows
            let isLineStart = start == 0 || content[start &- 1] == 0x0A
            var row = isLineStart ? states.lineStart : states.start
            var i = start
            while i < content.count {
                row = rows[Int(row &>> 2) &+ Int(kinds[Int(content[i])])]
                if row == 0 { return false }
                i &+= 1
                // A line break stands behind each text.
                if row & 3 != 0,
                    row & UInt32(RegexStates.ends) != 0 || i == content.count || content[i] == 0x0A, ended(i)
                {
                    return true
                }
            }
            return false
        }
    }

    /// How far a machine has come in a text.
    private struct Progress {
        var text = -1
        /// Starts before this one have been tried.
        var next = 0
        var found = 0
        /// Ends that are in a match already, by their last eight bits: those behind ``cleared``.
        var ends: SIMD4<UInt64> = .zero
        var cleared = 0

        /// Notes the end of a match; whether no match that starts earlier has the same.
        mutating func isNew(_ end: Int, from start: Int) -> Bool {
            // A match has 255 bytes at most, so that ends behind `start` differ in their last eight bits.
            if found == 0 {
                cleared = start
            } else if start - cleared >= 256 {
                ends = .zero
            } else {
                var gone = cleared + 1
                while gone <= start {
                    ends[gone >> 6 & 3] &= ~(1 << UInt64(gone & 63))
                    gone += 1
                }
            }
            cleared = max(cleared, start)
            let bit: UInt64 = 1 << UInt64(end & 63)
            guard ends[end >> 6 & 3] & bit == 0 else { return false }
            ends[end >> 6 & 3] |= bit
            found += 1
            return true
        }
    }

    /// The arrays without their owners, and what a scan has found.
    private struct Tables {
        let heads: UnsafeBufferPointer<Head>
        let machines: Machines
        let progress: UnsafeMutableBufferPointer<Progress>
        let limitPerText: Int
        var matches: [tps_match] = []

        /// Tries a machine wherever one of its signs stands.
        mutating func findSigns(
            _ machine: Int, _ content: UnsafeBufferPointer<UInt8>, _ text: Int, _ marks: UInt64
        ) {
            let signs = heads[machine].signs
            // Most texts have one of them at most.
            var present = 0
            var last: UInt8 = 0
            for k in 0..<heads[machine].signCount where marks & TextShape.bit(of: signs[k]) != 0 {
                present += 1
                last = signs[k]
            }
            guard present < 2 else {
                findAllSigns(machine, content, text)
                return
            }
            var place = present == 0 ? .max : Self.place(of: last, in: content, from: 0)
            while place < content.count {
                tryStarts(machine, at: place, content, text)
                place = Self.place(of: last, in: content, from: place + 1)
            }
        }

        /// The same for several signs, in order of their places.
        private mutating func findAllSigns(_ machine: Int, _ content: UnsafeBufferPointer<UInt8>, _ text: Int) {
            let signs = heads[machine].signs
            let count = heads[machine].signCount
            // The next place of each sign.
            var next = SIMD4<Int>(repeating: .max)
            for k in 0..<count { next[k] = Self.place(of: signs[k], in: content, from: 0) }
            while true {
                let place = next.min()
                guard place < content.count else { return }
                tryStarts(machine, at: place, content, text)
                for k in 0..<count where next[k] == place {
                    next[k] = Self.place(of: signs[k], in: content, from: place + 1)
                }
            }
        }

        private static func place(of byte: UInt8, in content: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int {
            guard let base = content.baseAddress, offset < content.count,
                let found = memchr(base + offset, Int32(byte), content.count - offset)
            else { return .max }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }

        /// Tries the starts from which a match could reach a literal at an offset.
        mutating func tryStarts(_ machine: Int, at offset: Int, _ content: UnsafeBufferPointer<UInt8>, _ text: Int) {
            let head = heads.baseAddress! + machine
            if offset > 0, !head.pointee.frontLast.contains(content[offset &- 1]) { return }
            // No start is done with: another literal may be near enough for one.
            if head.pointee.hasFront, !machines.leadsBack(head.pointee.front, offset, content) { return }
            guard machines.follow(head.pointee.ahead, offset, content, { _ in true }) else { return }
            if progress[machine].text != text { progress[machine] = Progress(text: text) }
            let first = max(offset - head.pointee.before, progress[machine].next)
            guard first <= offset else { return }
            progress[machine].next = offset + 1
            var start = offset
            while start > first, head.pointee.frontBytes.contains(content[start &- 1]) { start &-= 1 }
            let asksForLine = head.pointee.whole.start != head.pointee.whole.lineStart
            while start <= offset {
                // Most starts fail with their first byte.
                if asksForLine || machines.mayStart(head.pointee.whole, with: content[start]) {
                    tryStart(machine, start, content)
                }
                start &+= 1
            }
        }

        /// Notes the end of every match that starts at an offset.
        @inline(__always)
        private mutating func tryStart(_ machine: Int, _ start: Int, _ content: UnsafeBufferPointer<UInt8>) {
            _ = machines.follow(heads[machine].whole, start, content) { end in
                note(machine, start, end)
                return false
            }
        }

        @inline(never)
        private mutating func note(_ machine: Int, _ start: Int, _ end: Int) {
            guard progress[machine].found < limitPerText, progress[machine].isNew(end, from: start) else { return }
            matches.append(
                tps_match(
                    text: UInt32(progress[machine].text), pattern: heads[machine].pattern,
                    start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end)))
        }
    }
}
