import TriageCore

/// Remembers which messages came before, in bounded memory.
///
/// A message is identified by its digest and the number of equal ones before it in its source: two equal messages in
/// one source are two messages, the same message in two sources is one. A source's messages must come one after
/// another.
///
/// Of very many messages, only the latest ``limit`` to twice ``limit`` are remembered.
struct SeenMessages {
    /// Number of messages after which older ones are forgotten.
    let limit: Int
    private var young = Table()
    private var old = Table()
    private static let secrets = (UInt64.random(in: 1...UInt64.max), UInt64.random(in: 1...UInt64.max))

    /// The default fills three quarters of a table of twelve megabytes; there are two such tables.
    init(limit: Int = 3 << 18) { self.limit = limit }

    /// Bytes held.
    var weight: Int { young.weight + old.weight }

    /// Registers the next message of a source.
    ///
    /// - Parameters:
    ///   - source: number of the source; 0: none, for messages with ids of their own.
    ///   - repeated: the digest of the message after a given number of equal ones; never called with 0.
    /// - Returns: how many equal messages of its source came before it; nil: it already came from another source.
    mutating func take(_ digest: MessageDigest, source: UInt32, repeated: (Int) -> MessageDigest) -> Int? {
        guard source != 0, self.source(of: digest) == source else { return mark(digest, source) ? 0 : nil }
        // The equal messages seen so far are numbered without gaps: find their count by exponential, then binary
        // search.
        var known = 0
        var step = 1
        while self.source(of: repeated(known + step)) == source {
            known += step
            step *= 2
        }
        var end = known + step
        while known + 1 < end {
            let middle = known + (end - known) / 2
            if self.source(of: repeated(middle)) == source { known = middle } else { end = middle }
        }
        return mark(repeated(end), source) ? end : nil
    }

    /// The source in which a message was last seen; nil: it is new.
    func origin(of digest: MessageDigest) -> UInt32? { source(of: digest) }

    /// Registers a message if it is new.
    ///
    /// - Returns: the source in which it was first seen; nil: it is new.
    mutating func first(_ digest: MessageDigest, source: UInt32) -> UInt32? {
        let key = key(digest)
        if let found = young.source(of: key) ?? old.source(of: key) { return found }
        if young.count >= limit {
            old = young
            young = Table()
        }
        young.add(key, source)
        return nil
    }

    private func key(_ digest: MessageDigest) -> UInt64 {
        // Mix in secrets, so that nobody can craft two messages with the same key.
        let (high, low) = (digest.high ^ Self.secrets.0).multipliedFullWidth(by: digest.low ^ Self.secrets.1)
        return max(1, high ^ low)
    }

    private func source(of digest: MessageDigest) -> UInt32? {
        let key = key(digest)
        return young.source(of: key) ?? old.source(of: key)
    }

    /// - Returns: whether the message is new.
    private mutating func mark(_ digest: MessageDigest, _ source: UInt32) -> Bool {
        let key = key(digest)
        if young.mark(key, source) { return false }
        if old.mark(key, source) { return false }
        if young.count >= limit {
            old = young
            young = Table()
        }
        young.add(key, source)
        return true
    }

    /// A hash table with open addressing, from keys to the source in which each was last seen.
    private struct Table {
        // 0 marks a free slot.
        private var keys: [UInt64] = []
        private var sources: [UInt32] = []
        private(set) var count = 0

        var weight: Int { keys.count * (MemoryLayout<UInt64>.stride + MemoryLayout<UInt32>.stride) }

        private func slot(of key: UInt64) -> Int? {
            guard !keys.isEmpty else { return nil }
            var slot = start(of: key)
            while keys[slot] != 0 {
                if keys[slot] == key { return slot }
                slot = slot + 1 == keys.count ? 0 : slot + 1
            }
            return nil
        }

        private func start(of key: UInt64) -> Int { Int(key.multipliedFullWidth(by: UInt64(keys.count)).high) }

        func source(of key: UInt64) -> UInt32? { slot(of: key).map { sources[$0] } }

        /// - Returns: whether the key exists.
        mutating func mark(_ key: UInt64, _ source: UInt32) -> Bool {
            guard let slot = slot(of: key) else { return false }
            sources[slot] = source
            return true
        }

        mutating func add(_ key: UInt64, _ source: UInt32) {
            if count * 4 >= keys.count * 3 { grow() }
            put(key, source)
            count += 1
        }

        private mutating func put(_ key: UInt64, _ source: UInt32) {
            var slot = start(of: key)
            while keys[slot] != 0 { slot = slot + 1 == keys.count ? 0 : slot + 1 }
            keys[slot] = key
            sources[slot] = source
        }

        private mutating func grow() {
            let (oldKeys, oldSources) = (keys, sources)
            let size = max(64, keys.count * 2)
            keys = [UInt64](repeating: 0, count: size)
            sources = [UInt32](repeating: 0, count: size)
            for (key, source) in zip(oldKeys, oldSources) where key != 0 { put(key, source) }
        }
    }
}

/// A 128-bit digest that identifies a message for which the platform gives no id.
struct MessageDigest: Hashable {
    let high: UInt64
    let low: UInt64

    /// The first half of the SHA-256 over the parts.
    ///
    /// Each part is preceded by its length in eight bytes (little-endian), so that different lists of parts never hash
    /// the same bytes. The parts are platform, conversation, time as written, sender, text, and the number of earlier
    /// messages with the same five. Unlike positions in files, they stay the same between exports.
    init(platform: String, conversation: String, time: String, sender: String, text: String, ordinal: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + text.utf8.count)
        for part in [platform, conversation, time, sender, text, String(ordinal)] {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part.utf8)
        }
        self.init(ofHash: bytes)
    }

    private init(ofHash bytes: [UInt8]) {
        let digest = SHA256.digest(of: bytes)
        high = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = digest.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The digest of the same message after `count` equal ones.
    func ordinal(_ count: Int) -> MessageDigest { MessageDigest(ofHash: Array("\(hex):\(count)".utf8)) }

    /// 32 hexadecimal digits.
    var hex: String {
        var out: [UInt8] = []
        appendHex(to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    func appendHex(to out: inout [UInt8]) {
        for half in [high, low] {
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(half >> UInt64(shift) & 15)
                out.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
        }
    }
}
