import Testing
import TriageLLM

@Suite struct `What a server said` {
    private static let key = "sk-proj-1234567890abcdef"

    private static func words(_ body: String, status: Int = 400, data: String = "") -> String? {
        let request = HTTPRequest(
            .post, "http://h",
            headers: [HTTPHeader("authorization", "Bearer " + key), HTTPHeader("x-gw", "hush hush-hush")])
        return ServerWords(HTTPResponse(status: status, body: Array(body.utf8)), to: request, hiding: data)?.description
    }

    @Test(arguments: [
        (
            #"{"error":{"message":"The model gpt-9 does not exist","code":"model_not_found"}}"#, 404,
            "HTTP 404: The model gpt-9 does not exist"
        ),
        (#"{"error":"model not found, try pulling it first"}"#, 404, "HTTP 404: model not found, try pulling it first"),
        (#"{"detail":"Not authenticated"}"#, 403, "HTTP 403: Not authenticated"),
        (
            #"{"error":{"message":"Unsupported parameter: 'max_tokens'"}}"#, 400,
            "HTTP 400: Unsupported parameter: max_tokens"
        ),
        ("upstream connect error", 502, "HTTP 502: upstream connect error"),
        ("<html><h1>Bad Gateway</h1></html>", 502, "HTTP 502"), ("", 500, "HTTP 500"), ("{}", 503, "HTTP 503"),
        (#"{"error":{"message":"Overloaded"}}"#, 200, "HTTP 200: Overloaded"),
    ])
    func `is shown with its status`(body: String, status: Int, text: String) {
        #expect(Self.words(body, status: status) == text)
    }

    @Test func `is nothing where nothing failed`() {
        #expect(Self.words(#"{"choices":[]}"#, status: 200) == nil)
    }

    @Test(arguments: [
        "Incorrect API key provided: sk-proj-1234567890abcdef.", "bad key sk-proj-********cdef",
        "key 'sk-other-key-0000'",
        "token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9abc1 expired", "gateway word hush-hush is wrong",
    ])
    func `shows no key, whole or in part`(message: String) throws {
        let words = try #require(Self.words(#"{"error":{"message":"\#(message)"}}"#, status: 401))
        for part in ["sk-", "1234567890", "cdef", "eyJ", "hush-hush"] { #expect(!words.contains(part), "\(words)") }
    }

    @Test(arguments: [
        "Your prompt: my ex found my address in Rotterdam", "rejected 'my ex found my address'", "invalid: ROTTERDAM",
        "cannot parse \u{5bc6}\u{7801}\u{5728}\u{8fd9}\u{91cc} now", "my ex-found\u{200b} my address",
    ])
    func `shows no word of a message`(message: String) {
        let data = "bdx m1\nMy ex found my address in Rotterdam \u{5bc6}\u{7801}\u{5728}\u{8fd9}\u{91cc}!\nbdx end"
        let body = JSONValue.object([
            JSONMember("error", .object([JSONMember("message", .string(message))]))
        ]).encoded
        let words = Self.words(String(decoding: body, as: UTF8.self), data: data) ?? ""
        for part in ["ex found", "address", "otterdam", "OTTERDAM", "\u{5bc6}\u{7801}"] {
            #expect(!words.contains(part), "\(words)")
        }
    }

    @Test func `is short, on one line, and drives no terminal`() throws {
        let long = String(repeating: "word\u{1b}[31m\n\u{202e}\u{9b}2J ", count: 5_000)
        let body = JSONValue.object([JSONMember("error", .string(long))]).encoded
        let words = try #require(Self.words(String(decoding: body, as: UTF8.self)))
        #expect(words.count < 220)
        #expect(!words.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) })
    }
}
