import Testing
import TriageCore

@testable import TriageStages

struct FAQLexiconTests {
    @Test func `every concept has a weight and words, and every role is known`() {
        let (concepts, words) = FAQLexicon.parse()
        #expect(concepts.count > 150)
        let used = Set(words.map(\.concept))
        for (number, concept) in concepts.enumerated() {
            #expect((0...3).contains(concept.weight), "\(concept.name)")
            #expect(used.contains(number), "\(concept.name)")
        }
        for role in ["who", "what", "where", "when", "howmuch", "how", "why", "can", "do", "you", "me"] {
            #expect(concepts.contains { $0.role == FAQLexicon.Role(name: role) && $0.role != .none }, "\(role)")
        }
    }

    @Test(arguments: [
        ("shipping", "ships"), ("shipped", "ship"), ("recipes", "recipe"), ("cancelled", "cancel"),
        ("montando", "montar"), ("monitors", "monitor"),
    ])
    func `forms of a word share a stem`(a: String, b: String) {
        func stem(_ word: String) -> String {
            let bytes = Array(word.utf8)
            return String(
                decoding: bytes.prefix(bytes.withUnsafeBufferPointer { FAQStemmer.length(of: $0) }), as: UTF8.self)
        }
        #expect(stem(a) == stem(b))
    }

    @Test func `a table finds what was put in, by language`() {
        var table = FAQTable(bits: 2)
        for key in 0..<500 { table.insert(UInt64(key) &* 0x9E37_79B9, key, 0) }
        table.insert(7 &* 0x9E37_79B9, 9, 3)
        table.withView { view in
            for key in 0..<500 { #expect(view.find(UInt64(key) &* 0x9E37_79B9, 0) == key) }
            #expect(view.find(7 &* 0x9E37_79B9, 3) == 9)
            #expect(view.find(7 &* 0x9E37_79B9, 4) == 7)
            #expect(view.find(12345, 0) == -1)
        }
    }
}
