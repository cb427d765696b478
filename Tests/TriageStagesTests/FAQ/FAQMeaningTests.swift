import Testing
import TriageCore

@testable import TriageStages

/// Vectors of words, and what texts mean by them.
struct FAQMeaningTests {
    /// A file of vectors with words that point along one axis each.
    private static func file(_ words: [(String, axis: Int)], slots: Int = 64) -> [UInt8] {
        var keys = [UInt32](repeating: 0, count: slots)
        var places = [UInt16](repeating: 0, count: slots)
        var rows: [UInt8] = []
        for (place, word) in words.enumerated() {
            let hash = TextFolder.hash(Array(word.0.utf8))
            var slot = Int(truncatingIfNeeded: hash) & (slots - 1)
            while keys[slot] != 0 { slot = (slot + 1) & (slots - 1) }
            keys[slot] = max(1, UInt32(truncatingIfNeeded: hash >> 32))
            places[slot] = UInt16(place)
            rows += (0..<FAQVectors.size).map { $0 == word.axis ? 100 : 0 }
        }
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let head = [UInt32(FAQVectors.size), UInt32(slots), UInt32(words.count), Float(0.4).bitPattern, 0, 0, 0]
        return Array("TFV1".utf8) + head.flatMap(bytes) + keys.flatMap(bytes)
            + places.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + rows
    }

    private static let words = [("camera", axis: 0), ("kamera", axis: 0), ("shipping", axis: 1), ("versand", axis: 1)]
    private static let library = FAQLibrary(entries: [
        FAQEntry(id: "camera", category: "", question: "camera", answer: "…"),
        FAQEntry(id: "shipping", category: "", question: "shipping", answer: "…"),
    ])

    private func cosines(_ text: String, _ vectors: FAQVectors) -> [Float] {
        let meanings = FAQMeanings(Self.library, vectors)
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = text
        _ = copy.withUTF8 { TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        return vectors.withView { view in
            meanings.entries.withUnsafeBufferPointer { entries in
                tokens.withUnsafeBufferPointer { tokens in
                    var reader = FAQMeaningReader(index: entries, vectors: view)
                    defer { reader.deallocate() }
                    reader.move(to: 0..<folded.count, tokens)
                    return Array(reader.cosines.prefix(2))
                }
            }
        }
    }

    @Test func `words of another language that mean the same lie where the entry does`() {
        let vectors = FAQVectors(Self.file(Self.words))
        #expect(cosines("Kamera?", vectors) == [1, 0])
        #expect(cosines("Versand?", vectors) == [0, 1])
        #expect(cosines("Kamera Versand", vectors).allSatisfy { abs($0 - 0.7071) < 1e-3 })
        #expect(cosines("nothing that is known", vectors) == [0, 0])
        #expect(cosines("", vectors) == [0, 0])
    }

    @Test func `a file that is none, or is cut, knows no word`() {
        let whole = Self.file(Self.words)
        var another = whole
        another[0] = 0x58
        var wider = whole
        wider[4] = 64
        var full = whole
        full[12] = 255
        for file in [[], Array(whole.prefix(20)), Array(whole.dropLast()), another, wider, full] {
            FAQVectors(file).withView { view in
                #expect(view.words == 0)
                #expect(view.word(TextFolder.hash(Array("camera".utf8))) == -1)
            }
        }
    }

    @Test func `a table without a free slot is no file, so that looking up ends`() {
        FAQVectors(Self.file(Self.words, slots: 4)).withView { view in
            #expect(view.word(TextFolder.hash(Array("missing".utf8))) == -1)
        }
    }

    @Test func `what travels with the program knows words of many languages`() {
        FAQVectors().withView { view in
            #expect(view.words > 10_000 && view.none > 0 && view.none < 1)
            for word in ["camera", "envio", "preis", "livraison", "fiyat"] {
                #expect(view.word(TextFolder.hash(TextFolder().words(word)[0])) >= 0, "\(word)")
            }
        }
    }

    @Test func `a word repeated a hundred thousand times stays within bounds`() {
        let vectors = FAQVectors(Self.file(Self.words))
        #expect(cosines(String(repeating: "camera ", count: 100_000), vectors) == [1, 0])
    }

    // MARK: Weights

    @Test func `weights are read by name, over several lines, and missing ones are zero`() {
        let weights = FAQWeights("# a comment\nlinear 1 -2.5\nlinear 3\n\ncues which 20\ncues my -30\nbroken x 4\n")
        #expect(weights.list("linear", count: 5) == [1, -2.5, 3, 0, 0])
        #expect(weights.list("linear", count: 2) == [1, -2.5])
        #expect(weights.list("broken", count: 2) == [0, 4])
        #expect(weights.list("missing", count: 1) == [0])
        #expect(weights.cues == "which 20 my -30")
    }

    @Test func `the weights of the program are all there`() {
        let weights = FAQWeights.shipped
        for (name, count) in [("ranking", FAQModel.scoreCount + 1), ("means", FAQModel.featureCount), ("bias", 3)] {
            #expect(weights.list(name[...], count: count + 1).last == 0)
            #expect(weights.list(name[...], count: count).last != 0, "\(name)")
        }
    }
}

/// Which entry a reply says.
struct FAQRepliesTests {
    private static let library = FAQLibrary(entries: [
        FAQEntry(
            id: "camera", category: "", question: "Which camera do you use?",
            answer: "An old folding camera with a 50 mm lens. The full list is at robin.example/gear."),
        FAQEntry(
            id: "upload", category: "", question: "When do you upload?",
            answer: "Every Tuesday and Saturday at 17:00 Lisbon time."),
        FAQEntry(
            id: "course", category: "", question: "Do you teach?",
            answer: "Twice a year, January and June; the waiting list is at robin.example/course."),
    ])

    @Test(arguments: [
        ("Tuesdays and Saturdays, 17:00 Lisbon time. See you there!", "upload"),
        ("It's an old folding camera, 50 mm lens. Full list at robin.example/gear :)", "camera"),
        ("Only in January and June. The waiting list is at robin.example/course", "course"),
        ("Thank you so much, that made my day!", nil),
        ("see you Saturday", nil),
        ("robin.example", nil),
        ("", nil),
        // Two answers at once: the message before asks more than one entry says.
        (
            "An old folding camera with a 50 mm lens, list at robin.example/gear. Every Tuesday and Saturday at 17:00 Lisbon time.",
            nil
        ),
    ])
    func `a reply in nearly the words of one answer says that entry`(reply: String, id: String?) {
        let found = FAQReplies(Self.library).entry(saidBy: reply)
        #expect(found.map { Self.library.entries[$0].id } == id)
    }

    @Test func `a library without entries has nothing that a reply could say`() {
        #expect(FAQReplies(FAQLibrary(entries: [])).entry(saidBy: "Every Tuesday at five o'clock, in Lisbon.") == nil)
    }
}
