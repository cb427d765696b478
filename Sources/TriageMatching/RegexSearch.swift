internal import CPatternScan
import Platform
import TriageCore

/// Tries the machines of a table at the places of their literals, in many texts.
///
/// All machines lie in a few flat arrays. A scan borrows these once and then tries thousands of places without any
/// reference counting.
struct RegexSearch: Sendable {
    /// One machine: where its states lie, and where it is tried.
    private struct Head: Sendable {
        var pattern: UInt32
        var before: Int
        var frontBytes: ByteSet
        var frontLast: ByteSet
        /// ``TextShape/marks`` must share a bit with each of these; a gate with fewer masks repeats its last one.
        var marks: SIMD4<UInt64>
        var signs: SIMD4<UInt8>
        var signCount: Int
        var whole: States
        var ahead: States
        /// Meaningless if ``hasFront`` is false.
        var front: States
        var hasFront: Bool

        @inline(__always)
        func admits(_ marks: UInt64) -> Bool {
            self.marks[0] & marks != 0 && self.marks[1] & marks != 0 && self.marks[2] & marks != 0
                && self.marks[3] & marks != 0
        }
    }

    /// Where the tables of a ``RegexStates`` lie.
    private struct States: Sendable {
        /// Index of its first byte in ``kinds``.
        var kinds: Int
        /// Index of its first row in ``rows``.
        var rows: Int
        /// The start states, encoded as in ``rows``.
        var start: UInt32
        var lineStart: UInt32
    }

    private var heads: [Head] = []
    private var kinds: [UInt8] = []
    /// The transition of each state for each kind of byte.
    ///
    /// An entry holds the row of the next state, relative to the machine's first row, and in the lowest two bits that
    /// state's ``RegexStates/flags``; 0 means no transition.
    private var rows: [UInt32] = []
    /// The machines of a group are `first[group]..<first[group + 1]`.
    private let first: [Int]
    /// Machines whose gate requires a sign.
    private let withSigns: [Int]
    /// The groups of each gate literal, as bits.
    private let gateBits: [PatternTable.Groups]
    /// Number of the first pattern that is a gate literal.
    private let firstGate: Int

    init(_ table: PatternTable) {
        first = (0...table.gates.count).map { group in
            table.machines.firstIndex { Int($0.group) >= group } ?? table.machines.count
        }
        withSigns = table.machines.indices.filter { !table.machines[$0].signs.isEmpty }
        gateBits = table.gateBits
        firstGate = table.literalLengths.count
        // Reserved: tables that grow by and by were a quarter of the memory that a start touches.
        let states = table.machines.flatMap { [$0.whole] + [$0.ahead, $0.front].compactMap(\.self) }
        kinds.reserveCapacity(states.reduce(0) { $0 + $1.kinds.count })
        rows.reserveCapacity(states.reduce(0) { $0 + $1.next.count })
        heads.reserveCapacity(table.machines.count)
        for machine in table.machines {
            let asked = table.gates[Int(machine.group)].masks
            // Bit 63 is unused by marks and set for every text, so a gate without masks admits all texts.
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
            for state in states.next { rows.append(row(state)) }
        }
        return States(
            kinds: kinds.count, rows: rows.count, start: row(states.start), lineStart: row(states.lineStart))
    }

    /// Appends the matches in all texts, text by text and for each regex sorted by start; of matches with the same end,
    /// only the longest.
    ///
    /// - Parameters:
    ///   - places: where the literals of the gates occur, sorted by text and end.
    ///   - limitPerText: maximum number of matches of one regex in one text.
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

    /// The state tables of all machines.
    private struct Machines {
        let kinds: UnsafePointer<UInt8>
        let rows: UnsafePointer<UInt32>

        /// Whether a byte leads anywhere from the start state inside a line; ignores the start state of a line.
        @inline(__always)
        func mayStart(_ states: States, with byte: UInt8) -> Bool {
            rows[states.rows &+ Int(states.start &>> 2) &+ Int(kinds[states.kinds &+ Int(byte)])] != 0
        }

        /// Follows the states backwards from a place; returns whether they reach an end state.
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

        /// Follows the states forwards from a place and calls `ended` with each match end until it returns true;
        /// returns whether it did.
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
                // A line break follows each text.
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
        /// All starts before this one have been tried.
        var next = 0
        var found = 0
        /// Ends after ``cleared`` that already belong to a match, indexed by their last eight bits.
        var ends: SIMD4<UInt64> = .zero
        var cleared = 0

        /// Records the end of a match; returns whether no match with an earlier start has the same end.
        mutating func isNew(_ end: Int, from start: Int) -> Bool {
            // A match has at most 255 bytes, so ends after `start` differ in their last eight bits.
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

    /// The arrays without their owners, and the matches of a scan.
    private struct Tables {
        let heads: UnsafeBufferPointer<Head>
        let machines: Machines
        let progress: UnsafeMutableBufferPointer<Progress>
        let limitPerText: Int
        var matches: [tps_match] = []

        /// Tries a machine at every place of one of its signs.
        mutating func findSigns(
            _ machine: Int, _ content: UnsafeBufferPointer<UInt8>, _ text: Int, _ marks: UInt64
        ) {
            let signs = heads[machine].signs
            // Most texts contain at most one of them.
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

        /// Does the same for several signs, in the order of their places.
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

        /// Tries all starts from which a match could reach a literal at an offset.
        mutating func tryStarts(_ machine: Int, at offset: Int, _ content: UnsafeBufferPointer<UInt8>, _ text: Int) {
            let head = heads.baseAddress! + machine
            if offset > 0, !head.pointee.frontLast.contains(content[offset &- 1]) { return }
            // On return, no start is marked as tried: another literal may be within reach of it.
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
                // Most starts fail at their first byte.
                if asksForLine || machines.mayStart(head.pointee.whole, with: content[start]) {
                    tryStart(machine, start, content)
                }
                start &+= 1
            }
        }

        /// Records the end of every match that starts at an offset.
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
