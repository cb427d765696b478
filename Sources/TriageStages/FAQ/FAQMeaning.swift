internal import ShippedFAQ
import TriageCore

/// What words mean, as vectors: those of a question and of the entry that answers it point the same way, whatever the
/// language.
///
/// A text is the sum of its words. The vectors were learned for that alone, from labelled messages and public sets of
/// questions, by `Tests/Benchmarks/faq.py fit`; words that tell nothing came out short. A word is known by its hash.
///
/// The file: `TFV1`, then in 32 bits each the number of components, of slots and of words, the cosine that stands for no
/// entry, and three zeros; the upper half of each slot's hash (0: free); the number of each slot's word in 16 bits; the
/// components of each word in 8 bits.
struct FAQVectors: Sendable {
    /// Components of a vector.
    static let size = 128
    private static let header = 32
    private static let magic: UInt32 = 0x3156_4654

    /// The file; nil: the one that travels with the program.
    private let bytes: [UInt8]?

    init() { bytes = nil }

    /// - Parameter bytes: a file; one that is no such file knows no word.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func withView<R>(_ body: (View) -> R) -> R {
        guard let bytes else {
            let file = shipped_faq_vectors
            return body(View(UnsafeRawBufferPointer(start: file.bytes, count: file.count)))
        }
        return bytes.withUnsafeBytes { body(View($0)) }
    }

    /// Bare pointers for looking up.
    struct View {
        private let keys: UnsafeRawPointer
        private let numbers: UnsafeRawPointer
        private let components: UnsafeRawPointer
        /// Slots minus one; they are a power of two.
        private let mask: Int
        /// Words there are; 0: nothing is known.
        let words: Int
        /// Cosine that an entry has to beat.
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

        /// Never read.
        private static var nothing: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped }

        /// The number of a word; −1: unknown.
        @inline(__always)
        func word(_ hash: UInt64) -> Int32 {
            guard words > 0 else { return -1 }
            let key = max(1, UInt32(truncatingIfNeeded: hash &>> 32))
            var slot = Int(truncatingIfNeeded: hash) & mask
            // A table that is full would be gone round once.
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

        /// Adds a word's vector to a sum.
        @inline(__always)
        func add(_ word: Int32, to sum: UnsafeMutablePointer<SIMD16<Int16>>) {
            let row = (components + Int(word) &* FAQVectors.size).assumingMemoryBound(to: Int8.self)
            // One by one: that the compiler makes fast, and widening sixteen at once it does not.
            sum.withMemoryRebound(to: Int16.self, capacity: FAQVectors.size) { sum in
                for k in 0..<FAQVectors.size { sum[k] &+= Int16(truncatingIfNeeded: row[k]) }
            }
        }
    }
}

/// What the entries of a library mean: the mean of an entry's wordings, and a little of its answer.
struct FAQMeanings: Sendable {
    /// What a word of the answer counts beside one of the question.
    private static let answerShare: Float = 0.25
    /// Words of one text that are looked at; the sum of more could leave its 16 bits.
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

/// What a text means beside each entry; made once a batch.
struct FAQMeaningReader {
    /// How far apart meanings are told: the smaller, the more the nearest entry gets.
    private static let spread: Float = 0.1
    private static let unknown: Int32 = -2

    private let index: UnsafeBufferPointer<SIMD16<Float>>
    private let vectors: FAQVectors.View
    private let none: Float
    private let entries: Int
    /// Words of the text: their numbers, ``unknown`` before they were looked up.
    private let numbers: UnsafeMutableBufferPointer<Int32>
    private let sum: UnsafeMutablePointer<SIMD16<Int16>>
    private var looked = 0..<0
    /// Cosine of the stretch in hand with each entry, and the highest of all stretches of the text.
    let cosines: UnsafeMutableBufferPointer<Float>
    let highest: UnsafeMutableBufferPointer<Float>
    /// Of the stretch in hand: the nearest entry and the next, and what all weigh together with none of them.
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

    /// Begins another text.
    mutating func clear() {
        for k in looked { numbers[k] = Self.unknown }
        looked = 0..<0
        for k in 0..<entries { highest[k] = -1 }
    }

    /// Compares a stretch of the text with all entries.
    mutating func move(to stretch: Range<Int>, _ tokens: UnsafeBufferPointer<Token>) {
        for k in 0..<FAQMeanings.blocks { sum[k] = .zero }
        // The first word of the stretch.
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

    /// What all entries weigh together.
    private func powers(of cosines: UnsafeMutableBufferPointer<Float>) -> Float {
        var sum = SIMD16<Float>.zero
        // There is room for whole blocks; entries that are none are far away.
        var entry = 0
        while entry < entries {
            let block = UnsafeRawPointer(cosines.baseAddress.unsafelyUnwrapped + entry)
                .loadUnaligned(as: SIMD16<Float>.self)
            sum += FAQModel.powers(block / Self.spread)
            entry += 16
        }
        return sum.sum()
    }

    /// How much nearer an entry is than any other; below 0: how much farther than the nearest.
    @inline(__always)
    func lead(of entry: Int) -> Float {
        if entry != first { return cosines[entry] - cosines[first] }
        return second < 0 ? cosines[entry] : cosines[entry] - cosines[second]
    }

    /// The entry's share of the stretch.
    @inline(__always)
    func share(of entry: Int) -> Float { FAQModel.power(cosines[entry] / Self.spread) / weight }

    /// What all stretches of a text together say of an entry.
    struct Summary {
        var highest: Float = -1
        var lead: Float = -1
        var share: Float = 0
        var none: Float = 1
        var top: Float = -1
    }

    /// - Parameter entry: the one that is to be judged.
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
