import Testing
import TriageCore

@testable import TriageFormats

struct WebhookSignatureTests {
    /// With both escapes of the text as Meta signs them.
    private static let body =
        #"{"object":"instagram","entry":[{"id":"17841400000000001","time":1717238400123,"messaging":[{"sender":{"id":"#
        + #""990001"},"recipient":{"id":"17841400000000001"},"timestamp":1717238400000,"message":{"mid":"m_one","text":"#
        + #""Gr\u00fc\u00dfe"}}]}]}"#
    private static let digest = "fc10af5c497d60df22b9cb0553c7987f72ef52bb576921b15891caae53be4ce1"

    private static func envelope(
        _ body: String, _ digest: String?, header: String = "x-hub-signature-256", prefix: String = "sha256="
    ) -> String {
        let written = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let headers = digest.map { #"{"\#(header)":"\#(prefix)\#($0)"}"# } ?? "{}"
        return #"{"headers":\#(headers),"body":"\#(written)"}"#
    }

    private static func read(_ text: String, secret: String?) throws -> ReadResult {
        var result = ReadResult()
        let assembler = BatchAssembler { collect($0, into: &result) }
        let reader = MetaWebhookReader(
            ReadingContext(assembler: assembler, options: InputReader.Options()), secret: secret.map { Array($0.utf8) })
        try reader.begin(Member(path: "x", source: "x"), opening: Opening(bytes: Array(text.utf8), isWhole: true))
        _ = try Array(text.utf8).withUnsafeBufferPointer { try reader.read($0) }
        try reader.end(fault: nil)
        try reader.finish()
        try assembler.flush()
        return result
    }

    @Test func `a delivery with the right signature is read`() throws {
        for header in ["x-hub-signature-256", "X-Hub-Signature-256"] {
            let result = try Self.read(Self.envelope(Self.body, Self.digest, header: header), secret: "test-secret")
            #expect(result.codes.isEmpty)
            let record = try #require(result.lines.first.flatMap { JSONNode(Array($0.utf8)) })
            #expect(record["id"]?.string == "meta:m_one")
            #expect(record["text"]?.string == "Grüße")
            #expect(record["conversation_id"]?.string == "990001")
            #expect(record["sent_at"]?.string == "2024-06-01T10:40:00Z")
            #expect(record["sender"]?["is_self"]?.bool == false)
        }
    }

    @Test(
        arguments: [
            // The same text written otherwise is another body.
            envelope(body.replacing("\\u00fc\\u00df", with: "üß"), digest),
            envelope(body, String(digest.dropLast()) + "0"), envelope(body, String(digest.dropLast())),
            envelope(body, digest, prefix: "sha1="), envelope(body, digest, header: "x-hub-signature"),
            envelope(body, digest, header: "x-other"), envelope(body, nil), body,
        ])
    func `with a secret nothing else is read`(text: String) throws {
        let result = try Self.read(text, secret: "test-secret")
        #expect(result.lines.isEmpty)
        #expect(result.codes == ["webhook.signature"])
    }

    @Test func `another secret does not fit`() throws {
        #expect(try Self.read(Self.envelope(Self.body, Self.digest), secret: "other").codes == ["webhook.signature"])
    }

    @Test func `without a secret deliveries in envelopes are read as they are`() throws {
        for digest in [Self.digest, "00", nil] {
            #expect(try Self.read(Self.envelope(Self.body, digest), secret: nil).texts == ["Grüße"])
        }
        let opening = Opening(bytes: Array(Self.envelope(Self.body, nil).utf8), isWhole: true)
        #expect(ExportFormats.detect(opening)?.detection.format == "meta-webhook")
    }

    @Test func `a signed body that is cut off by the opening is recognized`() {
        let text = Self.envelope(Self.body + String(repeating: " ", count: Opening.limit), Self.digest)
        let opening = Opening(bytes: Array(text.utf8.prefix(Opening.limit)), isWhole: false)
        #expect(ExportFormats.detect(opening)?.detection.format == "meta-webhook")
    }

    @Test func `the keyed hash is that of RFC 4231`() {
        func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        #expect(
            hex(HMAC.sha256("what do ya want for nothing?".utf8, key: "Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            hex(
                HMAC.sha256(
                    "Test Using Larger Than Block-Size Key - Hash Key First".utf8,
                    key: [UInt8](repeating: 0xAA, count: 131)))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }
}
