internal import CPatternScan
internal import CVectorscan
import Platform
import Synchronization
package import TriageCore

/// All compiled patterns of a rule set.
///
/// Words are in an index, literals in a Vectorscan database. Regexes of bounded length that contain a literal are state
/// tables of our own (``RegexMachine``); the others are in Vectorscan databases.
///
/// Matching takes time linear in the text, whatever the patterns and the text: a state table is tried a bounded number
/// of times per byte, and each try reads at most ``RegexMachine/widthLimit`` bytes.
package final class PatternDatabase: @unchecked Sendable {
    // Sendable because everything but the pool is immutable after init. Vectorscan allows concurrent scans of one
    // database if each has its own scratch, and `pool` hands a scratch to one scan at a time.
    let table: PatternTable
    private let search: RegexSearch
    private let literals: OpaquePointer?
    /// The regexes of each gate group that are not machines.
    private let regexes: [OpaquePointer?]
    /// The regexes of the first group without match starts: several times faster, and most texts do not match at all.
    private let filter: OpaquePointer?
    private let literalInfo: UnsafeMutableBufferPointer<tps_pattern>
    private let regexInfo: UnsafeMutableBufferPointer<tps_pattern>
    private let prototype: OpaquePointer?
    private let pool = Mutex<[ScratchBox]>([])

    /// Compiles the patterns of a rule set.
    ///
    /// - Throws: ``TriageErrors`` with the file and line of each pattern that Vectorscan rejects.
    package init(rules: RuleSet) throws {
        table = PatternTable(rules)
        search = RegexSearch(table)
        literals = try Self.compileLiterals(table)
        regexes = try Self.compileRegexes(table)
        filter = try Self.compileFilter(table)
        (literalInfo, regexInfo) = Self.info(of: table)
        prototype = try Self.scratch(for: [literals, filter] + regexes)
    }

    /// Restores the blocks of ``serialized()``; nil when they do not match each other, this engine or the rules.
    init?(blocks: [ArraySlice<UInt8>], signalCount: Int) {
        guard blocks.count > PatternTable.blockCount,
            let stored = PatternTable(encoded: Array(blocks.prefix(PatternTable.blockCount)), signalCount: signalCount),
            let compiled = Self.deserialize(Array(blocks.dropFirst(PatternTable.blockCount)), table: stored)
        else { return nil }
        // Without databases there is no scratch, which is not an error.
        let scratch: OpaquePointer?
        do {
            scratch = try Self.scratch(for: compiled)
        } catch {
            for database in compiled where database != nil { hs_free_database(database) }
            return nil
        }
        table = stored
        search = RegexSearch(stored)
        literals = compiled[0]
        filter = compiled[1]
        regexes = Array(compiled[2...])
        (literalInfo, regexInfo) = Self.info(of: stored)
        prototype = scratch
    }

    private static func info(
        of table: PatternTable
    ) -> (UnsafeMutableBufferPointer<tps_pattern>, UnsafeMutableBufferPointer<tps_pattern>) {
        let plain = table.literalLengths.count
        let literals = UnsafeMutableBufferPointer<tps_pattern>.allocate(capacity: plain + table.gateBits.count)
        for (index, length) in table.literalLengths.enumerated() {
            literals.initializeElement(
                at: index, to: tps_pattern(length: length, whole_word: table.literalIsWord[index], is_gate: 0))
        }
        for index in table.gateBits.indices {
            literals.initializeElement(
                at: plain + index,
                to: tps_pattern(length: table.gateLengths[index], whole_word: 0, is_gate: 1))
        }
        let regexes = UnsafeMutableBufferPointer<tps_pattern>.allocate(capacity: table.regexOwners.starts.count - 1)
        regexes.initialize(repeating: tps_pattern(length: 0, whole_word: 0, is_gate: 0))
        return (literals, regexes)
    }

    /// Regexes that cost more than necessary; empty for rules loaded from a cache.
    package var slowRegexes: [SlowRegex] { table.slowRegexes }

    /// Allocates a scratch that fits all databases and is cloned for each scan; nil when there is no database.
    private static func scratch(for databases: [OpaquePointer?]) throws -> OpaquePointer? {
        var scratch: OpaquePointer?
        for database in databases where database != nil {
            if hs_alloc_scratch(database, &scratch) != HS_SUCCESS {
                throw TriageError("matching.memory", "not enough memory to match patterns", exit: .internalError)
            }
        }
        return scratch
    }

    deinit {
        for box in pool.withLock({ $0 }) { hs_free_scratch(box.scratch) }
        if let prototype { hs_free_scratch(prototype) }
        if let literals { hs_free_database(literals) }
        for regexes in regexes where regexes != nil { hs_free_database(regexes) }
        if let filter { hs_free_database(filter) }
        literalInfo.deallocate()
        regexInfo.deallocate()
    }

    /// A scratch that moves between scans.
    private struct ScratchBox: @unchecked Sendable {
        // Proof: a scratch is either in the pool or owned by the one scan that took it.
        let scratch: OpaquePointer
    }

    /// Scans texts that lie in one buffer.
    ///
    /// - Parameters:
    ///   - marks: the ``TextShape/marks`` of the texts.
    ///   - body: receives the literal matches, sorted by text and end, and the regex matches, sorted by text, pattern
    ///     and start.
    func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, starts: [UInt32], lengths: [UInt32], marks: [UInt64],
        limitPerText: UInt32,
        _ body: (UnsafeBufferPointer<tps_match>, UnsafeBufferPointer<tps_match>) -> Void
    ) throws {
        if let start = starts.last, let length = lengths.last,
            Int(start) + Int(length) + Int(TPS_PADDING) > bytes.count
        {
            throw TriageError(
                "matching.unpadded", "internal error: the text buffer has no padding", exit: .internalError)
        }
        var literalMatches = tps_matches()
        var places = tps_matches()
        var regexMatches = tps_matches()
        defer {
            tps_matches_free(&literalMatches)
            tps_matches_free(&places)
            tps_matches_free(&regexMatches)
        }
        if let prototype {
            guard let scratch = takeScratch(prototype) else {
                throw TriageError("matching.memory", "not enough memory to match patterns", exit: .internalError)
            }
            defer { pool.withLock { $0.append(scratch) } }
            if let literals {
                try Self.check(
                    tps_scan(
                        literals, scratch.scratch, literalInfo.baseAddress, bytes.baseAddress, starts, lengths,
                        UInt32(starts.count), limitPerText, &places, &literalMatches))
            }
            if hasRegexes {
                let places = UnsafeBufferPointer(start: places.matches, count: places.count)
                try scanRegexes(bytes, starts, lengths, marks, places, limitPerText, scratch, &regexMatches)
            }
        }
        var located = Array(UnsafeBufferPointer(start: regexMatches.matches, count: regexMatches.count))
        search.run(
            bytes, starts, lengths, marks, UnsafeBufferPointer(start: places.matches, count: places.count),
            limitPerText: Int(limitPerText), into: &located)
        // Matches arrive regex by regex; the stage needs them text by text, with the ends of one start together.
        located.sort { ($0.text, $0.pattern, $0.start, $0.end) < ($1.text, $1.pattern, $1.start, $1.end) }
        located.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(start: literalMatches.matches, count: literalMatches.count), $0)
        }
    }

    /// Runs Vectorscan on the regexes that are not in ``PatternTable/machines``.
    ///
    /// - Parameter places: where the literals of the gates occur.
    private func scanRegexes(
        _ bytes: UnsafeBufferPointer<UInt8>, _ starts: [UInt32], _ lengths: [UInt32], _ marks: [UInt64],
        _ places: UnsafeBufferPointer<tps_match>, _ limitPerText: UInt32, _ scratch: ScratchBox,
        _ matches: inout tps_matches
    ) throws {
        let count = UInt32(starts.count)
        // For each text, the groups whose literals occur in it, as bits.
        var admitted = [PatternTable.Groups](repeating: table.groupsWithoutLiterals, count: starts.count)
        for place in places {
            admitted[Int(place.text)] |= table.gateBits[Int(place.pattern) - table.literalLengths.count]
        }
        var found = [UInt8](repeating: 0, count: starts.count)
        for (group, database) in regexes.enumerated() {
            guard let database else { continue }
            if group == 0, let filter {
                try Self.check(
                    tps_filter(filter, scratch.scratch, bytes.baseAddress, starts, lengths, count, &found))
            } else {
                let gate = table.gates[group]
                for text in found.indices {
                    let isAdmitted = admitted[text] >> PatternTable.Groups(group) & 1 != 0
                    found[text] = isAdmitted && gate.admits(marks[text]) ? 1 : 0
                }
            }
            try Self.check(
                tps_scan_found(
                    database, scratch.scratch, regexInfo.baseAddress, bytes.baseAddress, starts, lengths, count, found,
                    limitPerText, &matches))
        }
    }

    private static func check(_ status: Int32) throws {
        if status != HS_SUCCESS {
            throw TriageError("matching.failed", "Vectorscan failed with code \(status)", exit: .internalError)
        }
    }

    private var hasRegexes: Bool { regexes.contains { $0 != nil } }

    private func takeScratch(_ prototype: OpaquePointer) -> ScratchBox? {
        if let box = pool.withLock({ $0.popLast() }) { return box }
        var copy: OpaquePointer?
        guard hs_clone_scratch(prototype, &copy) == HS_SUCCESS, let copy else { return nil }
        return ScratchBox(scratch: copy)
    }

    /// Returns everything as flat blocks, for ``RuleCache``.
    func serialized() -> [[UInt8]]? {
        var all = table.encoded()
        for database in [literals, filter] + regexes {
            guard let database else {
                all.append([])
                continue
            }
            var bytes: UnsafeMutablePointer<CChar>?
            var count = 0
            guard hs_serialize_database(database, &bytes, &count) == HS_SUCCESS, let bytes else { return nil }
            all.append(UnsafeRawBufferPointer(start: bytes, count: count).map { $0 })
            free(bytes)
        }
        return all
    }

    private static func deserialize(
        _ parts: [ArraySlice<UInt8>], table: PatternTable
    ) -> [OpaquePointer?]? {
        var databases: [OpaquePointer?] = []
        guard parts.count == 2 + table.gates.count else { return nil }
        for bytes in parts {
            let isNeeded = !bytes.isEmpty
            var database: OpaquePointer?
            if isNeeded {
                let status = bytes.withUnsafeBytes {
                    hs_deserialize_database($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &database)
                }
                guard status == HS_SUCCESS, database != nil else {
                    for built in databases where built != nil { hs_free_database(built) }
                    return nil
                }
            }
            databases.append(database)
        }
        guard (databases[0] == nil) == (table.literalLengths.isEmpty && table.gateBits.isEmpty),
            (databases[1] == nil) == (databases[2] == nil)
        else {
            for built in databases where built != nil { hs_free_database(built) }
            return nil
        }
        return databases
    }

    private static func compileLiterals(_ table: PatternTable) throws -> OpaquePointer? {
        let literals = table.literals + table.gateLiterals
        guard !literals.isEmpty else { return nil }
        // One buffer, so that the pointers stay valid.
        var pool: [CChar] = []
        var offsets: [Int] = []
        for bytes in literals {
            offsets.append(pool.count)
            pool += bytes.map { CChar(bitPattern: $0) }
            pool.append(0)
        }
        let lengths = literals.map(\.count)
        let flags = [UInt32](repeating: 0, count: lengths.count)
        let ids = (0..<UInt32(lengths.count)).map { $0 }
        var database: OpaquePointer?
        var fault: UnsafeMutablePointer<hs_compile_error_t>?
        let status = pool.withUnsafeBufferPointer { pool in
            let pointers: [UnsafePointer<CChar>?] = offsets.map { pool.baseAddress! + $0 }
            return hs_compile_lit_multi(
                pointers, flags, ids, lengths, UInt32(lengths.count), UInt32(HS_MODE_BLOCK), nil, &database, &fault)
        }
        defer { hs_free_compile_error(fault) }
        guard status == HS_SUCCESS else {
            throw TriageError(
                "rules.pattern", "cannot compile the words and literals of the rules: \(words(of: fault))",
                exit: .badConfiguration)
        }
        return database
    }

    private static func compileRegexes(_ table: PatternTable) throws -> [OpaquePointer?] {
        var databases: [OpaquePointer?] = []
        for group in table.gates.indices {
            var database: OpaquePointer?
            let members = members(of: group, in: table)
            if !members.isEmpty, !compile(members, of: table, UInt32(HS_FLAG_SOM_LEFTMOST), &database, { _ in }) {
                for built in databases where built != nil { hs_free_database(built) }
                throw faults(of: table)
            }
            databases.append(database)
        }
        return databases
    }

    /// Returns the regexes of a group that are left to Vectorscan.
    private static func members(of group: Int, in table: PatternTable) -> [Int] {
        let others = Set(table.machines.map { Int($0.pattern) })
        return table.regexes.indices.filter { table.regexGroups[$0] == group && !others.contains($0) }
    }

    /// Returns an error, with file and line, for every regex that Vectorscan rejects.
    private static func faults(of table: PatternTable) -> TriageErrors {
        var faults: [TriageError] = []
        for member in table.regexes.indices {
            var single: OpaquePointer?
            _ = compile([member], of: table, UInt32(HS_FLAG_SOM_LEFTMOST), &single) { message in
                faults.append(
                    TriageError(
                        "rules.bad-pattern", "invalid or unsupported regex: \(message)", at: table.regexPlaces[member],
                        remedy:
                            "lookaround, back references and unbounded Unicode classes are not supported;"
                            + " try `words:` or `literals:`",
                        exit: .badConfiguration))
            }
            if let single { hs_free_database(single) }
        }
        if faults.isEmpty {
            faults.append(
                TriageError(
                    "rules.bad-pattern", "each regex is valid, but they are too complex together",
                    remedy: "use fewer or simpler regexes", exit: .badConfiguration))
        }
        return TriageErrors(faults)
    }

    /// Compiles the first group without match starts.
    private static func compileFilter(_ table: PatternTable) throws -> OpaquePointer? {
        let members = members(of: 0, in: table)
        guard !members.isEmpty else { return nil }
        var database: OpaquePointer?
        guard compile(members, of: table, 0, &database, { _ in }) else { throw faults(of: table) }
        return database
    }

    private static func compile(
        _ members: [Int], of table: PatternTable, _ flag: UInt32, _ database: inout OpaquePointer?,
        _ report: (String) -> Void
    ) -> Bool {
        let copies = members.map { strdup(table.regexes[$0]) }
        defer { for copy in copies { free(copy) } }
        let pointers: [UnsafePointer<CChar>?] = copies.map { $0.map { UnsafePointer($0) } }
        // A line break follows each text; in multi-line mode `^` and `$` therefore match at the text's own ends.
        let flags = [UInt32](repeating: flag | UInt32(HS_FLAG_MULTILINE), count: members.count)
        let ids = members.map { UInt32($0) }
        var fault: UnsafeMutablePointer<hs_compile_error_t>?
        let status = hs_compile_multi(
            pointers, flags, ids, UInt32(members.count), UInt32(HS_MODE_BLOCK), nil, &database, &fault)
        if status == HS_SUCCESS { return true }
        report(words(of: fault))
        hs_free_compile_error(fault)
        return false
    }

    private static func words(of fault: UnsafeMutablePointer<hs_compile_error_t>?) -> String {
        guard let message = fault?.pointee.message else { return "no reason given" }
        return String(cString: message)
    }

    /// What the databases depend on besides the rules: the engine version and the CPU features.
    package static var engineIdentity: String {
        var platform = hs_platform_info_t()
        _ = hs_populate_platform(&platform)
        let version = hs_version().map { String(cString: $0) } ?? ""
        return "\(version)|\(platform.tune)|\(platform.cpu_features)"
    }
}
