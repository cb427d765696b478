import Platform
package import TriageCore

/// Keeps compiled rules between runs, so that a warm start neither parses YAML nor compiles patterns.
///
/// The cache is optional: without a folder, with a read-only disk or with a broken file, the rules are silently
/// compiled again. Entries are keyed by the rule sources, the program version, the Vectorscan version and the CPU.
package struct RuleCache: Sendable {
    /// The cache folder; nil: no cache.
    package let folder: String?
    private let version: String

    /// Everything that a warm start needs.
    package struct Entry: Sendable {
        /// The rules without the texts of patterns, reasons and examples.
        package var rules: RuleSet
        package var database: PatternDatabase
    }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - folder: the cache folder; nil to work without a cache.
    ///   - version: the program version; entries of other versions are not read.
    package init(folder: String?, version: String) {
        self.folder = folder
        self.version = version
    }

    /// Returns `$XDG_CACHE_HOME/triage`, or else `$HOME/.cache/triage`; nil when neither is an absolute path.
    package static func standardFolder(environment: (String) -> String?) -> String? {
        if let base = environment("XDG_CACHE_HOME"), base.hasPrefix("/") { return base + "/triage" }
        if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.cache/triage" }
        return nil
    }

    /// Returns the key for a rule set's digest: the hex SHA-256 of everything that the entry depends on.
    package func key(digest: String) -> String {
        SHA256.hex("\(version)\n\(PatternDatabase.engineIdentity)\n\(digest)\n".utf8)
    }

    /// Loads an entry; nil when there is none or it is incomplete.
    package func load(key: String) -> Entry? {
        guard let folder, let bytes = readFile("\(folder)/rules-\(key.prefix(32)).bin", limit: 64 << 20) else {
            return nil
        }
        var reader = ByteReader(bytes)
        guard reader.take(Self.magic.count) == Self.magic[...], reader.block() == Array(key.utf8)[...],
            let rulesBytes = reader.block(), let count = reader.take(1)?.first
        else { return nil }
        // Slices: the file has 11 MB, and a copy of it was a sixth of the pages that a start touched.
        var blocks: [ArraySlice<UInt8>] = []
        for _ in 0..<count {
            guard let block = reader.block() else { return nil }
            blocks.append(block)
        }
        guard
            let checksum = reader.take(8), reader.isAtEnd
        else { return nil }
        let expected = TextFolder.hash(bytes[..<(bytes.count - 8)])
        guard checksum.enumerated().allSatisfy({ UInt8(truncatingIfNeeded: expected >> (8 * $0)) == $1 }),
            let rules = RuleSet(encoded: Array(rulesBytes)),
            let database = PatternDatabase(blocks: blocks, signalCount: rules.signals.count)
        else { return nil }
        return Entry(rules: rules, database: database)
    }

    /// Stores an entry if possible: written to a temporary file and renamed, readable only by its owner.
    package func store(rules: RuleSet, database: PatternDatabase, key: String) {
        guard let folder, let blocks = database.serialized(), blocks.count <= Int(UInt8.max) else { return }
        var bytes = Self.magic
        func block(_ content: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt64(content.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: content)
        }
        block(key.utf8)
        block(Self.withoutPatterns(rules).encoded())
        bytes.append(UInt8(blocks.count))
        for content in blocks { block(content) }
        let checksum = TextFolder.hash(bytes)
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: checksum >> (8 * shift))) }
        makeFolder(folder)
        let path = "\(folder)/rules-\(key.prefix(32)).bin"
        guard (try? OutputFile.write(bytes, to: path)) != nil else { return }
        removeOlder(than: path, in: folder)
    }

    private static let magic = Array("triage-rules-11\n".utf8)

    /// Returns the part of the rules that a run needs once their patterns are compiled: names, feeds, triggers.
    private static func withoutPatterns(_ rules: RuleSet) -> RuleSet {
        var slim = rules
        for index in slim.signals.indices {
            if case .patterns = slim.signals[index].trigger { slim.signals[index].trigger = .patterns([]) }
            slim.signals[index].examples = Signal.Examples()
            slim.signals[index].why = ""
        }
        return slim
    }

    /// Creates the folder and its parent, which is the user's cache folder.
    private func makeFolder(_ folder: String) {
        if let slash = folder.lastIndex(of: "/") { mkdir(String(folder[..<slash]), 0o700) }
        mkdir(folder, 0o700)
    }

    /// Keeps only the eight newest entries, so that edited rules do not fill the disk.
    private func removeOlder(than path: String, in folder: String) {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        var found: [(path: String, time: Int)] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Unfinished files that killed processes left count, too.
            guard name.hasPrefix("rules-"), name.hasSuffix(".bin") || name.hasSuffix(".part") else { continue }
            var info = stat()
            if lstat("\(folder)/\(name)", &info) == 0 {
                #if canImport(Darwin)
                    found.append(("\(folder)/\(name)", info.st_mtimespec.tv_sec))
                #else
                    found.append(("\(folder)/\(name)", info.st_mtim.tv_sec))
                #endif
            }
        }
        for old in found.sorted(by: { $0.time > $1.time }).dropFirst(8) where old.path != path { unlink(old.path) }
    }

    private func readFile(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_size > 0, info.st_size <= limit, info.st_uid == geteuid() else {
            return nil
        }
        let size = Int(info.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = read(descriptor, buffer.baseAddress! + count, size - count)
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                count += got
            }
        }
        return bytes.count == size ? bytes : nil
    }
}

/// Reads length-prefixed blocks; returns nil instead of reading beyond the end.
private struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func block() -> ArraySlice<UInt8>? {
        guard let head = take(8) else { return nil }
        var count: UInt64 = 0
        for (shift, byte) in head.enumerated() { count |= UInt64(byte) << (8 * UInt64(shift)) }
        guard count <= UInt64(bytes.count) else { return nil }
        return take(Int(count))
    }
}
