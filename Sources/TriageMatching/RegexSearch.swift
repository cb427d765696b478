internal import CPatternScan
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tries the machines of a table where their literals stand, in many texts.
struct RegexSearch {
    /// How far a machine has come in a text.
    fileprivate struct Progress {
        var text = -1
        /// Starts before this one have been tried.
        var next = 0
        var found = 0
        /// Ends that are in a match already, by their last eight bits: those behind ``cleared``.
        var ends: SIMD4<UInt64> = .zero
        var cleared = 0
    }

    private let table: PatternTable
    private let limitPerText: Int
    private var progress: [Progress]
    /// Machines of each group: `first[group]..<first[group + 1]`.
    private var first: [Int]
    /// Machines that ask for a sign.
    private let withSigns: [Int]

    init(_ table: PatternTable, limitPerText: Int) {
        self.table = table
        self.limitPerText = limitPerText
        progress = [Progress](repeating: Progress(), count: table.machines.count)
        first = (0...table.gates.count).map { group in
            table.machines.firstIndex { Int($0.group) >= group } ?? table.machines.count
        }
        withSigns = table.machines.indices.filter { !table.machines[$0].signs.isEmpty }
    }

    /// Appends the matches of all texts, text by text and in order of their starts for each regex; of the matches with
    /// one end the longest alone.
    ///
    /// - Parameter places: where the literals of the gates stand, in order of text and end.
    mutating func run(
        _ bytes: UnsafeBufferPointer<UInt8>, _ starts: [UInt32], _ lengths: [UInt32], _ marks: [UInt64],
        _ places: UnsafeBufferPointer<tps_match>, into matches: inout [tps_match]
    ) {
        guard !table.machines.isEmpty else { return }
        let literals = table.literalLengths.count
        var place = 0
        for text in starts.indices {
            let from = Int(starts[text])
            let content = UnsafeBufferPointer(rebasing: bytes[from..<from + Int(lengths[text])])
            for machine in withSigns where table.gates[Int(table.machines[machine].group)].admits(marks[text]) {
                findSigns(machine, content, text, into: &matches)
            }
            while place < places.count, Int(places[place].text) == text {
                var groups = table.gateBits[Int(places[place].pattern) - literals]
                while groups != 0 {
                    let group = groups.trailingZeroBitCount
                    groups &= groups - 1
                    guard table.gates[group].admits(marks[text]) else { continue }
                    for machine in first[group]..<first[group + 1] {
                        tryStarts(machine, at: Int(places[place].start), content, text, into: &matches)
                    }
                }
                place += 1
            }
        }
    }

    /// Tries a machine wherever one of its signs stands.
    private mutating func findSigns(
        _ machine: Int, _ content: UnsafeBufferPointer<UInt8>, _ text: Int, into matches: inout [tps_match]
    ) {
        let signs = table.machines[machine].signs
        // The next place of each sign; there are four at most.
        var next = SIMD4<Int>(repeating: .max)
        for k in 0..<min(4, signs.count) { next[k] = Self.place(of: signs[k], in: content, from: 0) }
        while true {
            let place = next.min()
            guard place < content.count else { return }
            tryStarts(machine, at: place, content, text, into: &matches)
            for k in 0..<min(4, signs.count) where next[k] == place {
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
    private mutating func tryStarts(
        _ machine: Int, at offset: Int, _ content: UnsafeBufferPointer<UInt8>, _ text: Int,
        into matches: inout [tps_match]
    ) {
        if progress[machine].text != text { progress[machine] = Progress(text: text) }
        let pattern = table.machines[machine].pattern
        var start = max(offset - Int(table.machines[machine].before), progress[machine].next, 0)
        guard start <= offset else { return }
        progress[machine].next = offset + 1
        while start <= offset {
            table.machines[machine].run(content, at: start) { end in
                guard progress[machine].isNew(end, from: start), progress[machine].found <= limitPerText else { return }
                matches.append(
                    tps_match(
                        text: UInt32(text), pattern: pattern, start: UInt32(truncatingIfNeeded: start),
                        end: UInt32(truncatingIfNeeded: end)))
            }
            start += 1
        }
    }
}

extension RegexSearch.Progress {
    /// Notes the end of a match; whether no match that starts earlier has the same.
    fileprivate mutating func isNew(_ end: Int, from start: Int) -> Bool {
        // A match has 255 bytes at most, so that ends behind `start` differ in their last eight bits.
        if start - cleared >= 256 {
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
