import TriageCore

/// The patterns of a rule set, folded, deduplicated and numbered as the databases number them.
struct PatternTable: Sendable {
    /// Folded bytes of words and literals; ids are indices.
    var literals: [[UInt8]] = []
    var literalIsWord: [Bool] = []
    /// Expressions of regexes; ids are indices.
    var regexes: [String] = []
    var regexPlaces: [String] = []
    /// Signals of literal `i`: `signals[literalSignals[i]..<literalSignals[i + 1]]`.
    var literalSignals: [UInt32] = [0]
    var regexSignals: [UInt32] = [0]
    var signals: [UInt16] = []
    var regexSignalList: [UInt16] = []

    init(_ rules: RuleSet) {
        let folder = TextFolder()
        var byLiteral: [LiteralKey: Int] = [:]
        var literalOwners: [[UInt16]] = []
        var byRegex: [String: Int] = [:]
        var regexOwners: [[UInt16]] = []
        for (index, signal) in rules.signals.enumerated() {
            guard case .patterns(let patterns) = signal.trigger else { continue }
            for pattern in patterns {
                if pattern.kind == .regex {
                    let id = byRegex[pattern.text] ?? regexes.count
                    if id == regexes.count {
                        byRegex[pattern.text] = id
                        regexes.append(pattern.text)
                        regexPlaces.append(pattern.place)
                        regexOwners.append([])
                    }
                    if regexOwners[id].last != UInt16(index) { regexOwners[id].append(UInt16(index)) }
                    continue
                }
                var bytes = folder.fold(pattern.text)
                while bytes.last == 0x20 { bytes.removeLast() }
                guard !bytes.isEmpty else { continue }
                let key = LiteralKey(bytes: bytes, isWord: pattern.kind == .word)
                let id = byLiteral[key] ?? literals.count
                if id == literals.count {
                    byLiteral[key] = id
                    literals.append(bytes)
                    literalIsWord.append(key.isWord)
                    literalOwners.append([])
                }
                if literalOwners[id].last != UInt16(index) { literalOwners[id].append(UInt16(index)) }
            }
        }
        for owners in literalOwners {
            signals += owners
            literalSignals.append(UInt32(signals.count))
        }
        for owners in regexOwners {
            regexSignalList += owners
            regexSignals.append(UInt32(regexSignalList.count))
        }
    }

    private struct LiteralKey: Hashable {
        var bytes: [UInt8]
        var isWord: Bool
    }
}
