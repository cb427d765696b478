internal import CPatternScan
internal import CVectorscan
import Synchronization
public import TriageCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// All patterns of a rule set: words in an index, literals and regexes as Vectorscan databases.
///
/// Matching is linear in the text whatever the patterns and the text are.
public final class PatternDatabase: @unchecked Sendable {
    // Proof of sendability: everything but the pool is immutable after init; Vectorscan allows concurrent scans of one
    // database with a scratch each, and `pool` hands a scratch to one scan at a time.
    let table: PatternTable
    private let literals: OpaquePointer?
    private let regexes: OpaquePointer?
    /// The regexes without their starts: several times faster, and most texts have no match at all.
    private let filter: OpaquePointer?
    private let literalInfo: UnsafeMutableBufferPointer<tps_pattern>
    private let regexInfo: UnsafeMutableBufferPointer<tps_pattern>
    private let prototype: OpaquePointer?
    private let pool = Mutex<[ScratchBox]>([])

    /// Compiles the patterns, or takes `serialized` databases (of ``serialized()``) of the same rules if they fit.
    ///
    /// - Throws: ``TriageErrors`` with file and line of each pattern that Vectorscan refuses.
    public init(rules: RuleSet, serialized: [[UInt8]]? = nil) throws {
        if let serialized, serialized.count == PatternTable.blockCount + 3,
            let stored = PatternTable(
                encoded: Array(serialized.dropLast(3)), signalCount: rules.signals.count),
            let compiled = Self.deserialize(Array(serialized.suffix(3)), table: stored)
        {
            table = stored
            literals = compiled[0]
            regexes = compiled[1]
            filter = compiled[2]
        } else {
            table = PatternTable(rules)
            literals = try Self.compileLiterals(table)
            regexes = try Self.compileRegexes(table)
            filter = try Self.compileFilter(table)
        }
        literalInfo = .allocate(capacity: table.literalLengths.count)
        for (index, length) in table.literalLengths.enumerated() {
            literalInfo.initializeElement(
                at: index, to: tps_pattern(length: length, whole_word: table.literalIsWord[index]))
        }
        let regexCount = table.regexOwners.starts.count - 1
        regexInfo = .allocate(capacity: regexCount)
        for index in 0..<regexCount {
            regexInfo.initializeElement(at: index, to: tps_pattern(length: 0, whole_word: 0))
        }
        var scratch: OpaquePointer?
        for database in [literals, regexes, filter] where database != nil {
            if hs_alloc_scratch(database, &scratch) != HS_SUCCESS {
                throw TriageError("matching.memory", "not enough memory to match patterns", exit: .internalError)
            }
        }
        prototype = scratch
    }

    deinit {
        for box in pool.withLock({ $0 }) { hs_free_scratch(box.scratch) }
        if let prototype { hs_free_scratch(prototype) }
        if let literals { hs_free_database(literals) }
        if let regexes { hs_free_database(regexes) }
        if let filter { hs_free_database(filter) }
        literalInfo.deallocate()
        regexInfo.deallocate()
    }

    /// A scratch on its way between scans.
    private struct ScratchBox: @unchecked Sendable {
        // Proof: only ever in the pool or with the one scan that took it out.
        let scratch: OpaquePointer
    }

    /// Scans texts that lie in one buffer; `body` gets the matches of literals and of regexes, each in order of text
    /// and end.
    func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, starts: [UInt32], lengths: [UInt32], limitPerText: UInt32,
        _ body: (UnsafeBufferPointer<tps_match>, UnsafeBufferPointer<tps_match>) -> Void
    ) throws {
        if literals == nil, regexes == nil {
            body(UnsafeBufferPointer(start: nil, count: 0), UnsafeBufferPointer(start: nil, count: 0))
            return
        }
        guard let scratch = takeScratch() else {
            throw TriageError("matching.memory", "not enough memory to match patterns", exit: .internalError)
        }
        defer { pool.withLock { $0.append(scratch) } }
        var literalMatches = tps_matches()
        var regexMatches = tps_matches()
        defer {
            tps_matches_free(&literalMatches)
            tps_matches_free(&regexMatches)
        }
        let count = UInt32(starts.count)
        func check(_ status: Int32) throws {
            if status != HS_SUCCESS {
                throw TriageError("matching.failed", "Vectorscan ended with code \(status)", exit: .internalError)
            }
        }
        if let literals {
            try check(
                tps_scan(
                    literals, scratch.scratch, literalInfo.baseAddress, bytes.baseAddress, starts, lengths, count,
                    limitPerText, &literalMatches))
        }
        if let regexes, let filter {
            var found = [UInt8](repeating: 0, count: starts.count)
            try check(tps_filter(filter, scratch.scratch, bytes.baseAddress, starts, lengths, count, &found))
            try check(
                tps_scan_found(
                    regexes, scratch.scratch, regexInfo.baseAddress, bytes.baseAddress, starts, lengths, count, found,
                    limitPerText, &regexMatches))
        }
        body(
            UnsafeBufferPointer(start: literalMatches.matches, count: literalMatches.count),
            UnsafeBufferPointer(start: regexMatches.matches, count: regexMatches.count))
    }

    private func takeScratch() -> ScratchBox? {
        if let box = pool.withLock({ $0.popLast() }) { return box }
        guard let prototype else { return nil }
        var copy: OpaquePointer?
        guard hs_clone_scratch(prototype, &copy) == HS_SUCCESS, let copy else { return nil }
        return ScratchBox(scratch: copy)
    }

    /// Everything as flat blocks, for ``RuleCache``.
    public func serialized() -> [[UInt8]]? {
        var all = table.encoded()
        for database in [literals, regexes, filter] {
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
        _ parts: [[UInt8]], table: PatternTable
    ) -> [OpaquePointer?]? {
        var databases: [OpaquePointer?] = []
        for (bytes, isNeeded) in zip(
            parts,
            [table.literalLengths.count > 0, table.regexOwners.starts.count > 1, table.regexOwners.starts.count > 1])
        {
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
        return databases
    }

    private static func compileLiterals(_ table: PatternTable) throws -> OpaquePointer? {
        guard !table.literals.isEmpty else { return nil }
        // One buffer, so that the pointers stay put.
        var pool: [CChar] = []
        var offsets: [Int] = []
        for bytes in table.literals {
            offsets.append(pool.count)
            pool += bytes.map { CChar(bitPattern: $0) }
            pool.append(0)
        }
        let lengths = table.literals.map(\.count)
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
                "rules.pattern", "the words and literals of the rules do not compile: \(words(of: fault))",
                exit: .badConfiguration)
        }
        return database
    }

    private static func compileRegexes(_ table: PatternTable) throws -> OpaquePointer? {
        guard !table.regexes.isEmpty else { return nil }
        var faults: [TriageError] = []
        var database: OpaquePointer?
        let status = compile(table.regexes, UInt32(HS_FLAG_SOM_LEFTMOST), &database) { _, _ in }
        if status { return database }
        // Find every bad one, to report them together.
        for (regex, place) in zip(table.regexes, table.regexPlaces) {
            var single: OpaquePointer?
            _ = compile([regex], UInt32(HS_FLAG_SOM_LEFTMOST), &single) { _, message in
                faults.append(
                    TriageError(
                        "rules.bad-pattern", "Vectorscan refuses a regex: \(message)", at: place,
                        remedy: "no lookaround, back references or unbounded Unicode classes; try `words:` or `literals:`",
                        exit: .badConfiguration))
            }
            if let single { hs_free_database(single) }
        }
        if faults.isEmpty {
            faults.append(
                TriageError(
                    "rules.bad-pattern", "the regexes of the rules do not compile together",
                    remedy: "use fewer or simpler regexes", exit: .badConfiguration))
        }
        throw TriageErrors(faults)
    }

    private static func compileFilter(_ table: PatternTable) throws -> OpaquePointer? {
        guard !table.regexes.isEmpty else { return nil }
        var database: OpaquePointer?
        guard compile(table.regexes, 0, &database, { _, _ in }) else {
            throw TriageError(
                "rules.bad-pattern", "the regexes of the rules do not compile together", exit: .badConfiguration)
        }
        return database
    }

    private static func compile(
        _ regexes: [String], _ flag: UInt32, _ database: inout OpaquePointer?, _ report: (Int, String) -> Void
    ) -> Bool {
        let copies = regexes.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers: [UnsafePointer<CChar>?] = copies.map { $0.map { UnsafePointer($0) } }
        let flags = [UInt32](repeating: flag, count: regexes.count)
        let ids = (0..<UInt32(regexes.count)).map { $0 }
        var fault: UnsafeMutablePointer<hs_compile_error_t>?
        let status = hs_compile_multi(
            pointers, flags, ids, UInt32(regexes.count), UInt32(HS_MODE_BLOCK), nil, &database, &fault)
        if status == HS_SUCCESS { return true }
        report(Int(fault?.pointee.expression ?? -1), words(of: fault))
        hs_free_compile_error(fault)
        return false
    }

    private static func words(of fault: UnsafeMutablePointer<hs_compile_error_t>?) -> String {
        guard let message = fault?.pointee.message else { return "no reason given" }
        return String(cString: message)
    }

    /// What the databases depend on besides the rules: engine version and CPU features.
    public static var engineIdentity: String {
        var platform = hs_platform_info_t()
        _ = hs_populate_platform(&platform)
        let version = hs_version().map { String(cString: $0) } ?? ""
        return "\(version)|\(platform.tune)|\(platform.cpu_features)"
    }
}
