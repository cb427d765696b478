import Testing
import TriageLLM

@Suite struct `Strict JSON` {
    private static let deep32 = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)

    @Test(arguments: [
        ("null", JSONValue.null), (" true\t", .bool(true)), ("\r\nfalse\n", .bool(false)), ("\"\"", .string("")),
        ("[]", .array([])), ("{}", .object([])), ("[ ]", .array([])), ("{ }", .object([])), ("0", .number("0")),
        ("-0", .number("-0")), ("0.0", .number("0.0")), ("1E+2", .number("1E+2")), ("-1.5e-07", .number("-1.5e-07")),
        ("123456789012345678901234567890", .number("123456789012345678901234567890")),
        ("1e999", .number("1e999")),
        (
            "[1,[2,{\"a\":[]}]]",
            .array([
                .number("1"), .array([.number("2"), .object([JSONMember("a", .array([]))])]),
            ])
        ),
        ("{\"b\" : 1 ,\n\"a\":2}", .object([JSONMember("b", .number("1")), JSONMember("a", .number("2"))])),
        ("{\"\":0}", .object([JSONMember("", .number("0"))])),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")), (#""\u0041\u00e9\u65e5""#, .string("Aé日")),
        (#""\uD83D\uDE00""#, .string("😀")), (#""\ud83d\ude00x""#, .string("😀x")), (#""\u0000""#, .string("\0")),
        (#""\uFFFF\u2028""#, .string("\u{FFFF}\u{2028}")), ("\"naïve 日本 😀\"", .string("naïve 日本 😀")),
        ("\"\u{7F}\u{2028}\"", .string("\u{7F}\u{2028}")),
        // Composed and decomposed: two names, though Swift calls the strings equal.
        (
            "{\"\u{E9}\":1,\"e\u{301}\":2}",
            .object([
                JSONMember("\u{E9}", .number("1")), JSONMember("e\u{301}", .number("2")),
            ])
        ),
    ])
    func `whatever RFC 8259 allows is read`(text: String, value: JSONValue) throws {
        #expect(try StrictJSON.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        ("", JSONFault(.unexpectedEnd, at: 0)), ("  ", JSONFault(.unexpectedEnd, at: 2)),
        ("[1,]", JSONFault(.unexpectedByte, at: 3)), ("[,1]", JSONFault(.unexpectedByte, at: 1)),
        ("{\"a\":1,}", JSONFault(.unexpectedByte, at: 7)), ("{,}", JSONFault(.unexpectedByte, at: 1)),
        ("[1 2]", JSONFault(.unexpectedByte, at: 3)), ("{\"a\" 1}", JSONFault(.unexpectedByte, at: 5)),
        ("{\"a\":}", JSONFault(.unexpectedByte, at: 5)), ("{a:1}", JSONFault(.unexpectedByte, at: 1)),
        ("{1:1}", JSONFault(.unexpectedByte, at: 1)), ("'a'", JSONFault(.unexpectedByte, at: 0)),
        ("[1]]", JSONFault(.trailingBytes, at: 3)), ("{} {}", JSONFault(.trailingBytes, at: 3)),
        ("1 x", JSONFault(.trailingBytes, at: 2)), ("null\0", JSONFault(.trailingBytes, at: 4)),
        ("// c\n1", JSONFault(.unexpectedByte, at: 0)), ("[1/**/]", JSONFault(.unexpectedByte, at: 2)),
        ("01", JSONFault(.badNumber, at: 0)), ("-01", JSONFault(.badNumber, at: 0)),
        ("[01]", JSONFault(.badNumber, at: 1)), ("[1.]", JSONFault(.badNumber, at: 1)),
        ("[.5]", JSONFault(.unexpectedByte, at: 1)), ("[1.e2]", JSONFault(.badNumber, at: 1)),
        ("[1e]", JSONFault(.badNumber, at: 1)), ("[+1]", JSONFault(.unexpectedByte, at: 1)),
        ("[- 1]", JSONFault(.badNumber, at: 1)), ("[0x10]", JSONFault(.unexpectedByte, at: 2)),
        ("[1_0]", JSONFault(.unexpectedByte, at: 2)), ("[-Infinity]", JSONFault(.badNumber, at: 1)),
        ("[NaN]", JSONFault(.unexpectedByte, at: 1)), ("[True]", JSONFault(.unexpectedByte, at: 1)),
        ("[nul]", JSONFault(.unexpectedByte, at: 4)), ("[nulll]", JSONFault(.unexpectedByte, at: 5)),
        ("tru", JSONFault(.unexpectedEnd, at: 3)), ("-", JSONFault(.unexpectedEnd, at: 1)),
        ("[1.5e", JSONFault(.unexpectedEnd, at: 5)), ("[1", JSONFault(.unexpectedEnd, at: 2)),
        ("{\"a\":\"b", JSONFault(.unexpectedEnd, at: 7)), ("{\"a\"", JSONFault(.unexpectedEnd, at: 4)),
        ("\"\\", JSONFault(.unexpectedEnd, at: 2)), ("\"\\u00", JSONFault(.unexpectedEnd, at: 5)),
        ("\"a\nb\"", JSONFault(.controlCharacter, at: 2)), ("\"\0\"", JSONFault(.controlCharacter, at: 1)),
        ("\"\t\"", JSONFault(.controlCharacter, at: 1)), ("\"\\x41\"", JSONFault(.badEscape, at: 1)),
        ("\"\\'\"", JSONFault(.badEscape, at: 1)), ("\"\\u12g4\"", JSONFault(.badEscape, at: 5)),
        ("\"\\U0041\"", JSONFault(.badEscape, at: 1)), ("\"\\u+041\"", JSONFault(.badEscape, at: 3)),
        (#""\ud83d""#, JSONFault(.loneSurrogate, at: 1)), (#""\ude00""#, JSONFault(.loneSurrogate, at: 1)),
        (#""\ud83dx""#, JSONFault(.loneSurrogate, at: 1)), (#""\ud83d\u0041""#, JSONFault(.loneSurrogate, at: 1)),
        (#"{"c":"spam","c":"fan"}"#, JSONFault(.duplicateKey, at: 12)),
        (#"{"c":"spam","\u0063":"fan"}"#, JSONFault(.duplicateKey, at: 12)),
        ("\u{FEFF}{}", JSONFault(.byteOrderMark, at: 0)), ("[\u{A0}1]", JSONFault(.unexpectedByte, at: 1)),
        ("[\u{B}]", JSONFault(.unexpectedByte, at: 1)),
        ("[" + deep32 + "]", JSONFault(.tooDeep, at: 32)),
    ])
    func `anything else is a fault with its place`(text: String, fault: JSONFault) {
        #expect(throws: fault) { try StrictJSON.parse(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x22, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22], [0x22, 0xFF, 0x22], [0x22, 0x5C, 0x6E, 0xC3, 0x22],
        ] as [[UInt8]])
    func `invalid UTF-8 in a string is a fault`(bytes: [UInt8]) {
        #expect(throws: JSONFault(.invalidUTF8, at: 0)) { try StrictJSON.parse(bytes, surrogates: .replace) }
    }

    @Test(arguments: [
        (#""\ud83d""#, "\u{FFFD}"), (#""a\ude00b""#, "a\u{FFFD}b"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\udfff\ud800""#, "\u{FFFD}\u{FFFD}"),
    ])
    func `half a surrogate pair in a model's answer becomes the replacement character`(text: String, read: String)
        throws
    {
        #expect(try StrictJSON.parse(Array(text.utf8), surrogates: .replace) == .string(read))
    }

    @Test
    func `limits of depth, size and values hold`() throws {
        #expect(try StrictJSON.parse(Array(Self.deep32.utf8)).array?.count == 1)
        #expect(throws: JSONFault(.tooLarge, at: 4)) {
            try StrictJSON.parse(Array("[1,2]".utf8), limits: JSONLimits(bytes: 4))
        }
        #expect(throws: JSONFault(.tooManyValues, at: 5)) {
            try StrictJSON.parse(Array("[1,2,3]".utf8), limits: JSONLimits(values: 3))
        }
        let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
        #expect(throws: JSONFault(.tooDeep, at: 32)) { try StrictJSON.parse(brackets) }
    }

    @Test
    func `an object of many members is read in linear time and its doubled name found`() throws {
        // Quadratic comparing of 50,000 names would take minutes.
        var text = "{"
        for i in 0..<50_000 { text += "\"k\(i)\":0," }
        let whole = try StrictJSON.parse(Array((text + "\"z\":1}").utf8))
        #expect(whole.members?.count == 50_001)
        let offset = text.utf8.count
        #expect(throws: JSONFault(.duplicateKey, at: offset)) {
            try StrictJSON.parse(Array((text + "\"k\\u0033\":1}").utf8))
        }
    }

    @Test
    func `a string of nothing but escapes is read in linear time`() throws {
        let text = "\"" + String(repeating: "\\n\\ud83d", count: 100_000) + "\""
        let value = try StrictJSON.parse(Array(text.utf8), surrogates: .replace)
        #expect(value.string?.unicodeScalars.count == 200_000)
    }

    @Test
    func `members are found by their bytes, not by Swift's equality of strings`() throws {
        let value = try StrictJSON.parse(Array("{\"\u{212A}\":1}".utf8))
        #expect(value["K"] == nil)
        #expect(value["\u{212A}"] == .number("1"))
    }

    @Test(arguments: [
        ("5", 5), ("5.0", 5), ("1e2", 100), ("1.50e1", 15), ("-0", 0), ("-0.0e9", 0), ("0e999999999999999999", 0),
        ("100e-2", 1), ("1200.00E-2", 12), ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ("9.223372036854775807e18", .max), ("0.00000000000000000001e20", 1),
        ("1000000000000000000000000000000e-30", 1), ("-7", -7),
    ])
    func `a whole number is read exactly however it is written`(text: String, value: Int) {
        #expect(JSONValue.number(text).integer == value)
        #expect(JSONValue.string(text).integerOrItsText == value)
    }

    @Test(arguments: [
        "5.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e999", "1e99999999999999999999999",
        "NaN",
        "", "5 ", " 5", "+5", "0x5", "5a", "five", "1e", "99999999999999999999", "1e-99999999999999999999",
    ])
    func `a number that is not whole, does not fit or is none is not read as an integer`(text: String) {
        #expect(JSONValue.number(text).integer == nil)
        #expect(JSONValue.string(text).integerOrItsText == nil)
    }

    @Test(arguments: [("0.7", 0.7), ("-1e-3", -0.001), ("5", 5), ("1e-400", 0)])
    func `a decimal is read as the nearest double`(text: String, value: Double) {
        #expect(JSONValue.number(text).double == value)
    }

    @Test(arguments: ["1e999", "-1e999", "nan", "inf", "infinity", "0x1p3", "", " 1", "1.", "true"])
    func `a decimal that is not finite or no number is not read`(text: String) {
        #expect(JSONValue.number(text).double == nil)
    }

    @Test
    func `other values are no numbers, and a string is none unless asked`() {
        #expect(JSONValue.bool(true).integerOrItsText == nil)
        #expect(JSONValue.string("5").integer == nil)
        #expect(JSONValue.string("5").double == nil)
        #expect(JSONValue.number("1").bool == nil)
    }

    @Test(arguments: [
        #"{"a":[1,2.50,-0,1E+2,true,false,null,"x\"\\\n\u0001 日本😀"],"":{},"b":[]}"#, "[]", "\"\"", "-0.0",
    ])
    func `what is written is what was read, compact and in raw UTF-8`(text: String) throws {
        let value = try StrictJSON.parse(Array(text.utf8))
        #expect(value.encoded == Array(text.utf8))
        #expect(AnswerSchema(name: "any", root: value).size == text.utf8.count)
    }

    @Test
    func `a number that is none is written as null`() {
        let value = JSONValue.array([.number("NaN"), .number("1,2")])
        #expect(value.encoded == Array("[null,null]".utf8))
        #expect(AnswerSchema(name: "any", root: value).size == 11)
    }
}
