import CEncoder
import ShippedEncoder
import Testing

@testable import TriageStages

struct SentenceEncoderTests {
    private static func cosine(_ a: String, _ b: String) throws -> Float {
        let encoder = try #require(SentenceEncoder.shipped)
        return zip(encoder.vector(of: a.utf8), encoder.vector(of: b.utf8)).reduce(0) { $0 + $1.0 * $1.1 }
    }

    @Test(arguments: [
        ("Which camera do you film with?", "what do you shoot your clips on", "How long does shipping take?"),
        ("Do you ship abroad?", "can you send a print to Norway?", "Which brushes do you use?"),
        ("Which microphone do you use?", "¿Con qué micro grabas?", "¿Cuándo subes el próximo vídeo?"),
        ("How do I return an order?", "Wie kann ich meine Bestellung zurückschicken?", "Woher kommst du?"),
        ("Where are you from?", "Откуда ты родом?", "Какой у тебя микрофон?"),
        ("How old is your dog?", "あなたの犬は何歳ですか？", "次の動画はいつですか？"),
    ])
    func `a question is nearer to the same question in other words than to another one`(
        question: String, same: String, other: String
    ) throws {
        #expect(try Self.cosine(question, same) > Self.cosine(question, other) + 0.02)
    }

    @Test(arguments: [
        "", " ", "\u{0}", "?", "🎉🎉🎉", String(repeating: "a", count: 100_000), String(repeating: "🧶 ", count: 5_000),
        String(repeating: "\u{301}", count: 3_000), "\u{FEFF}\u{202E}abc", "ﷺ", String(repeating: "ﷺ", count: 3_000),
    ])
    func `any text has a vector of length 1`(text: String) throws {
        let vector = try #require(SentenceEncoder.shipped).vector(of: text.utf8)
        #expect(vector.count == 384)
        #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-3)
    }

    @Test func `bytes that are no UTF-8 have a vector of length 1`() throws {
        let encoder = try #require(SentenceEncoder.shipped)
        for text: [UInt8] in [
            [0x80], [0xFF, 0xFE], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC0, 0x80], [0x61, 0xED, 0xA0, 0x80],
        ] {
            let vector = encoder.vector(of: text)
            #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-3)
        }
    }

    @Test func `texts have the same vectors together as one by one`() throws {
        let encoder = try #require(SentenceEncoder.shipped)
        let model = try #require(senc_open(shipped_encoder.bytes, shipped_encoder.count, false))
        let scratch = try #require(senc_scratch_new())
        defer {
            senc_scratch_free(scratch)
            senc_close(model)
        }
        // More than fit together, some as long as what is read of a text, an empty one, and one of them twice.
        var texts = (0..<40).map { number in
            Array(String(repeating: "a word and \(number) more ", count: number % 7 == 0 ? 60 : number % 5).utf8)
        }
        texts.append(texts[3])
        let together = encoder.vectors(of: texts)
        for (text, vector) in zip(texts, together) {
            var alone = [Float](repeating: 0, count: 384)
            text.withUnsafeBufferPointer { bytes in
                senc_encode(model, scratch, [senc_text(bytes: bytes.baseAddress, count: bytes.count)], 1, &alone)
            }
            #expect(alone == vector)
        }
        #expect(encoder.vectors(of: Array(texts.reversed())) == together.reversed())
        #expect(encoder.vectors(of: []).isEmpty)
    }

    @Test func `of the texts that were read, the last ones are remembered and no more than twice as many`() {
        var recent = RecentVectors()
        let count = 5 * RecentVectors.size / 2
        for number in 0..<count { recent.insert([Float(number)], of: Array("\(number)".utf8)) }
        let kept = (0..<count).filter { recent[Array("\($0)".utf8)] != nil }
        #expect(kept.count >= RecentVectors.size && kept.count <= 2 * RecentVectors.size)
        #expect(kept == Array(count - kept.count..<count))
        #expect(kept.allSatisfy { recent[Array("\($0)".utf8)] == [Float($0)] })
    }

    @Test func `machines without byte products come to the same vectors`() throws {
        let file = shipped_encoder
        let model = try #require(senc_open(file.bytes, file.count, true))
        let scratch = try #require(senc_scratch_new())
        defer {
            senc_scratch_free(scratch)
            senc_close(model)
        }
        for text in ["Which camera?", "Ganz lieben Gruß aus Köln, wann kommt das nächste Video?", "質問があります"] {
            var vector = [Float](repeating: 0, count: 384)
            let bytes = Array(text.utf8)
            bytes.withUnsafeBufferPointer { bytes in
                senc_encode(model, scratch, [senc_text(bytes: bytes.baseAddress, count: bytes.count)], 1, &vector)
            }
            #expect(try #require(SentenceEncoder.shipped).vector(of: bytes) == vector)
        }
    }

    @Test func `a file that is cut short or none is refused`() {
        let file = shipped_encoder
        for count in [0, 3, 4, 40, 1_000, 1_000_000, file.count - 4] {
            #expect(senc_open(file.bytes, count, false) == nil)
        }
        var other = [UInt8](repeating: 0, count: 4_096)
        #expect(senc_open(&other, other.count, false) == nil)
    }
}
