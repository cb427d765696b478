internal import ShippedFAQ
import TriageCore

/// Word vectors: a question and the entry that answers it point in the same direction, whatever the language.
///
/// The vector of a text is the sum of its word vectors. They were trained for this purpose only, by
/// `Tests/Benchmarks/faq.py fit`, on labelled messages and public question sets; words without content came out short.
/// A word is identified by its hash.
///
/// File format: `TFV1`; then, 32 bits each, the number of components, of slots and of words, the cosine that stands for
/// no entry, and three zeros; the upper half of each slot's hash (0: free); the word number of each slot in 16 bits;
/// the components of each word in 8 bits.
struct FAQVectors: Sendable {
    /// Number of components of a vector.
    static let size = 128
    private static let header = 32
    private static let magic: UInt32 = 0x3156_4654

    /// The file; nil: the one embedded in the program.
    private let bytes: [UInt8]?

    init() { bytes = nil }

    /// Creates vectors from a file.
    ///
    /// - Parameter bytes: the file; if it has another format, no word is known.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func withView<R>(_ body: (View) -> R) -> R {
        guard let bytes else {
            let file = shipped_faq_vectors
            return body(View(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
        }
        return bytes.withUnsafeBytes { body(View($0)) }
    }

    /// Bare pointers for look-ups.
    struct View {
        private let keys: UnsafeRawPointer
        private let numbers: UnsafeRawPointer
        private let components: UnsafeRawPointer
        /// Number of slots, a power of two, minus one.
        private let mask: Int
        /// Number of words; 0: none are known.
        let words: Int
        /// The cosine that an entry has to exceed.
        let none: Float

        fileprivate init(_ file: UnsafeRawBufferPointer) {
            func number(_ place: Int) -> Int {
                Int(UInt32(littleEndian: file.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            }
            guard file.count > FAQVectors.header, let start = file.baseAddress, number(0) == Int(FAQVectors.magic)
            else {
                (keys, numbers, components, mask, words) = (Self.nothing, Self.nothing, Self.nothing, 0, 0)
                none = 1
                return
            }
            let slots = number(8)
            let count = number(12)
            keys = start + FAQVectors.header
            numbers = keys + 4 * slots
            components = numbers + 2 * slots
            let isWhole =
                number(4) == FAQVectors.size && slots > count && slots & (slots - 1) == 0
                && file.count == FAQVectors.header + 6 * slots + count * FAQVectors.size
            mask = slots - 1
            words = isWhole ? count : 0
            none = Float(bitPattern: UInt32(truncatingIfNeeded: number(16)))
        }

        /// A placeholder that is never read.
        private static var nothing: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped }

        /// Returns the number of a word; −1 if it is unknown.
        @inline(__always)
        func word(_ hash: UInt64) -> Int32 {
            guard words > 0 else { return -1 }
            let key = max(1, UInt32(truncatingIfNeeded: hash &>> 32))
            var slot = Int(truncatingIfNeeded: hash) & mask
            // Even if the table were full, the search would go round only once.
            for _ in 0...mask {
                let found = keys.loadUnaligned(fromByteOffset: 4 &* slot, as: UInt32.self)
                if found == 0 { return -1 }
                if found == key {
                    let number = numbers.loadUnaligned(fromByteOffset: 2 &* slot, as: UInt16.self)
                    return Int(number) < words ? Int32(number) : -1
                }
                slot = (slot &+ 1) & mask
            }
            return -1
        }

        /// Adds the vector of a word to a sum.
        @inline(__always)
        func add(_ word: Int32, to sum: UnsafeMutablePointer<SIMD16<Int16>>) {
            let row = (components + Int(word) &* FAQVectors.size).assumingMemoryBound(to: Int8.self)
            // One component at a time: the compiler vectorises this loop, but not one that widens sixteen at once.
            sum.withMemoryRebound(to: Int16.self, capacity: FAQVectors.size) { sum in
                for k in 0..<FAQVectors.size { sum[k] &+= Int16(truncatingIfNeeded: row[k]) }
            }
        }
    }
}

/// The meanings of the entries of a library: the mean of an entry's wordings, plus a small share of its answer.
struct FAQMeanings: Sendable {
    /// Weight of a word in the answer relative to a word in the question.
    private static let answerShare: Float = 0.25
    /// Maximum number of words of a text that are used; with more, the sum could overflow its 16 bits.
    static let wordLimit = 200

    /// Vectors of length 1, one after another.
    let entries: [SIMD16<Float>]
    let vectors: FAQVectors

    init(_ library: FAQLibrary, _ vectors: FAQVectors) {
        self.vectors = vectors
        entries = vectors.withView { view in
            library.entries.prefix(FAQIndex.partLimit).flatMap { entry in
                var sum = [SIMD16<Float>](repeating: .zero, count: Self.blocks)
                let wordings = [entry.question] + entry.alsoAsked
                for wording in wordings { Self.add(wording, 1 / Float(wordings.count), view, to: &sum) }
                Self.add(entry.answer, Self.answerShare, view, to: &sum)
                let length = max(Self.leastLength, sum.reduce(Float(0)) { $0 + ($1 * $1).sum() }.squareRoot())
                return sum.map { $0 / length }
            }
        }
    }

    static let blocks = FAQVectors.size / 16
    static let leastLength: Float = 0.01

    private static func add(_ text: String, _ share: Float, _ view: FAQVectors.View, to sum: inout [SIMD16<Float>]) {
        var words = [SIMD16<Int16>](repeating: .zero, count: blocks)
        words.withUnsafeMutableBufferPointer { words in
            guard let base = words.baseAddress else { return }
            for word in TextFolder().words(text).prefix(wordLimit) {
                let number = view.word(TextFolder.hash(word))
                if number >= 0 { view.add(number, to: base) }
            }
        }
        for k in 0..<blocks { sum[k] += SIMD16<Float>(words[k]) * share }
    }
}

/// Compares the meaning of a text with each entry; created once per batch.
struct FAQMeaningReader {
    /// How sharply meanings are distinguished: the smaller, the larger the share of the nearest entry.
    private static let spread: Float = 0.1
    private static let unknown: Int32 = -2

    private let index: UnsafeBufferPointer<SIMD16<Float>>
    private let vectors: FAQVectors.View
    private let none: Float
    private let entries: Int
    /// The word numbers of the text; ``unknown`` until they are looked up.
    private let numbers: UnsafeMutableBufferPointer<Int32>
    private let sum: UnsafeMutablePointer<SIMD16<Int16>>
    private var looked = 0..<0
    /// Cosine of the current stretch with each entry, and the highest over all stretches of the text.
    let cosines: UnsafeMutableBufferPointer<Float>
    let highest: UnsafeMutableBufferPointer<Float>
    /// For the current stretch: the nearest entry and the second nearest, and the total weight of all entries and of no
    /// entry.
    private(set) var first = -1
    private(set) var second = -1
    private var weight: Float = 1

    init(index: UnsafeBufferPointer<SIMD16<Float>>, vectors: FAQVectors.View) {
        let entries = index.count / FAQMeanings.blocks
        self.index = index
        self.vectors = vectors
        none = vectors.none
        self.entries = entries
        numbers = .allocate(capacity: FAQReader.wordLimit)
        numbers.initialize(repeating: Self.unknown)
        let room = (entries + 15) / 16 * 16
        cosines = .allocate(capacity: room)
        cosines.initialize(repeating: -2)
        highest = .allocate(capacity: room)
        highest.initialize(repeating: -2)
        sum = .allocate(capacity: FAQMeanings.blocks)
        sum.initialize(repeating: .zero, count: FAQMeanings.blocks)
    }

    func deallocate() {
        numbers.deallocate()
        cosines.deallocate()
        highest.deallocate()
        sum.deallocate()
    }

    /// Starts a new text.
    mutating func clear() {
        for k in looked { numbers[k] = Self.unknown }
        looked = 0..<0
        for k in 0..<entries { highest[k] = -1 }
    }

    /// Compares a stretch of the text with all entries.
    mutating func move(to stretch: Range<Int>, _ tokens: UnsafeBufferPointer<Token>) {
        for k in 0..<FAQMeanings.blocks { sum[k] = .zero }
        // Find the first word of the stretch.
        var (low, high) = (0, min(tokens.count, FAQReader.wordLimit))
        let end = high
        while low < high {
            let middle = (low + high) / 2
            if Int(tokens[middle].start) < stretch.lowerBound { low = middle + 1 } else { high = middle }
        }
        var token = low
        while token < end, token - low < FAQMeanings.wordLimit, Int(tokens[token].start) < stretch.upperBound {
            if numbers[token] == Self.unknown { numbers[token] = vectors.word(tokens[token].hash) }
            if numbers[token] >= 0 { vectors.add(numbers[token], to: sum) }
            token += 1
        }
        looked = looked.isEmpty ? low..<token : min(low, looked.lowerBound)..<max(token, looked.upperBound)
        withUnsafeTemporaryAllocation(of: SIMD16<Float>.self, capacity: FAQMeanings.blocks) { text in
            var squares = SIMD16<Float>.zero
            for k in 0..<FAQMeanings.blocks {
                text[k] = SIMD16<Float>(sum[k])
                squares += text[k] * text[k]
            }
            let scale = 1 / max(FAQMeanings.leastLength, squares.sum().squareRoot())
            (first, second) = (-1, -1)
            for entry in 0..<entries {
                var products = SIMD16<Float>.zero
                for k in 0..<FAQMeanings.blocks { products += text[k] * index[entry &* FAQMeanings.blocks &+ k] }
                let cosine = products.sum() * scale
                cosines[entry] = cosine
                if cosine > highest[entry] { highest[entry] = cosine }
                if first < 0 || cosine > cosines[first] {
                    (first, second) = (entry, first)
                } else if second < 0 || cosine > cosines[second] {
                    second = entry
                }
            }
        }
        weight = FAQModel.power(none / Self.spread) + powers(of: cosines)
    }

    /// Returns the total weight of all entries.
    private func powers(of cosines: UnsafeMutableBufferPointer<Float>) -> Float {
        var sum = SIMD16<Float>.zero
        // There is room for whole blocks; elements beyond the last entry are far away and add almost nothing.
        var entry = 0
        while entry < entries {
            let block = UnsafeRawPointer(cosines.baseAddress.unsafelyUnwrapped + entry)
                .loadUnaligned(as: SIMD16<Float>.self)
            sum += FAQModel.powers(block / Self.spread)
            entry += 16
        }
        return sum.sum()
    }

    /// Returns how much closer an entry is than any other; if negative, how much farther than the nearest.
    @inline(__always)
    func lead(of entry: Int) -> Float {
        if entry != first { return cosines[entry] - cosines[first] }
        return second < 0 ? cosines[entry] : cosines[entry] - cosines[second]
    }

    /// Returns the entry's share of the stretch.
    @inline(__always)
    func share(of entry: Int) -> Float { FAQModel.power(cosines[entry] / Self.spread) / weight }

    /// What all stretches of a text together say about an entry.
    struct Summary {
        var highest: Float = -1
        var lead: Float = -1
        var share: Float = 0
        var none: Float = 1
        var top: Float = -1
    }

    /// Summarises the text's meaning with respect to an entry.
    ///
    /// - Parameter entry: the entry to be judged.
    func summary(of entry: Int) -> Summary {
        var other: Float = -1
        for k in 0..<entries where k != entry { other = max(other, highest[k]) }
        let none = FAQModel.power(none / Self.spread)
        let weight = none + powers(of: highest)
        return Summary(
            highest: highest[entry], lead: highest[entry] - other,
            share: FAQModel.power(highest[entry] / Self.spread) / weight,
            none: none / weight, top: max(other, highest[entry]))
    }
}
