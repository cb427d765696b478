/// The file of a model, little-endian: `TRIAGEM1`, a version, counts, notes, the vectors, and a SHA-256 of all of it.
extension StatisticalModel {
    private static let magic = Array("TRIAGEM1".utf8)
    /// Raised with every change of what a feature or a vector means.
    static let version: UInt32 = 2

    /// The file's bytes; the same model gives the same bytes.
    package func encoded() -> [UInt8] {
        var out = ByteSink()
        out.bytes = Self.magic
        out.add(Self.version)
        out.add(UInt32(bits))
        out.add(UInt32(notes.count))
        for note in notes {
            out.add(note.key)
            out.add(note.value)
        }
        out.add(scale)
        out.add(bias)
        out.add(urgentThreshold)
        out.add(injectionThreshold)
        out.add(UInt32(signals.count))
        for (name, weights) in signals.sorted(by: { $0.key < $1.key }) {
            out.add(name)
            out.add(weights)
        }
        out.add(UInt32(facts.count))
        for (fact, weights) in zip(ModelFact.allCases, facts) {
            out.add(fact.name)
            out.add(weights)
        }
        out.add(UInt32(rules.count))
        for weights in rules { out.add(weights) }
        for row in rows { for lane in 0..<8 { out.bytes.append(UInt8(bitPattern: row[lane])) } }
        var hash = SHA256()
        hash.update(out.bytes)
        out.bytes += hash.digest()
        return out.bytes
    }

    /// Reads a model file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - place: its name, for errors.
    ///   - isTrusted: whether it came inside the binary, so that its checksum need not be computed at every start.
    /// - Throws: ``TriageError`` `model.not-a-model`, `model.other-version` or `model.damaged`.
    package init(decoding bytes: UnsafeRawBufferPointer, at place: String, isTrusted: Bool = false) throws(TriageError)
    {
        guard bytes.count >= Self.magic.count, bytes.prefix(Self.magic.count).elementsEqual(Self.magic) else {
            throw TriageError(
                "model.not-a-model", "this is not a triage model", at: place,
                remedy: "name a file written by `triage train`", exit: .badConfiguration)
        }
        var from = ByteSource(bytes: bytes, at: Self.magic.count, end: bytes.count - 32)
        do {
            let version = try from.count()
            guard version == Int(Self.version) else {
                throw TriageError(
                    "model.other-version", "the model has format \(version); this program reads \(Self.version)",
                    at: place, remedy: "train it again with this program", exit: .badConfiguration)
            }
            if !isTrusted {
                var hash = SHA256()
                hash.update(UnsafeRawBufferPointer(rebasing: bytes.dropLast(32)).bindMemory(to: UInt8.self))
                guard hash.digest().elementsEqual(bytes.suffix(32)) else { throw Damage() }
            }
            let bits = try from.count()
            guard Self.bucketBits.contains(bits) else { throw Damage() }
            self.init(bits: bits)
            for _ in 0..<(try from.count()) {
                notes.append(TrainingNote(try from.text(), try from.text()))
            }
            scale = try from.vector()
            bias = try from.vector()
            urgentThreshold = try from.float()
            injectionThreshold = try from.float()
            let count = try from.count()
            signals.reserveCapacity(min(count, 1 << 16))
            for _ in 0..<count {
                let name = try from.text()
                signals[name] = try from.vector()
            }
            let names = Dictionary(uniqueKeysWithValues: ModelFact.allCases.map { ($0.name, $0.rawValue) })
            for _ in 0..<(try from.count()) {
                let name = try from.text()
                let weights = try from.vector()
                if let fact = names[name] { facts[fact] = weights }
            }
            guard try from.count() == rules.count else { throw Damage() }
            for lane in rules.indices { rules[lane] = try from.vector() }
            try from.rows(into: &rows)
            name(after: bytes.suffix(32))
            guard from.isAtEnd else { throw Damage() }
        } catch let error as TriageError {
            throw error
        } catch {
            throw TriageError(
                "model.damaged", "the model file is truncated or damaged", at: place,
                remedy: "copy it again, or train it again", exit: .badConfiguration)
        }
    }
}

/// A file that does not say what it should.
private struct Damage: Error {}

private struct ByteSink {
    var bytes: [UInt8] = []

    mutating func add(_ number: UInt32) {
        for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(shift)))) }
    }

    mutating func add(_ number: Float) { add(number.bitPattern) }

    mutating func add(_ vector: SIMD8<Float>) { for lane in 0..<8 { add(vector[lane]) } }

    mutating func add(_ text: String) {
        let utf8 = Array(text.utf8)
        add(UInt32(utf8.count))
        bytes += utf8
    }
}

private struct ByteSource {
    let bytes: UnsafeRawBufferPointer
    var at: Int
    let end: Int

    var isAtEnd: Bool { at == end }

    mutating func word() throws -> UInt32 {
        guard end - at >= 4 else { throw Damage() }
        defer { at += 4 }
        return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
    }

    /// A number of things that follow, of at least one byte each.
    mutating func count() throws -> Int {
        let number = Int(try word())
        guard number <= end - at else { throw Damage() }
        return number
    }

    mutating func float() throws -> Float {
        let number = Float(bitPattern: try word())
        guard number.isFinite else { throw Damage() }
        return number
    }

    mutating func vector() throws -> SIMD8<Float> {
        var vector = SIMD8<Float>(repeating: 0)
        for lane in 0..<8 { vector[lane] = try float() }
        return vector
    }

    mutating func text() throws -> String {
        let count = try count()
        defer { at += count }
        return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[at..<at + count]), as: UTF8.self)
    }

    mutating func rows(into rows: inout [SIMD8<Int8>]) throws {
        let size = rows.count * MemoryLayout<SIMD8<Int8>>.stride
        guard end - at >= size else { throw Damage() }
        rows.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[at..<at + size])) }
        at += size
    }
}
