import Testing
import TriageCore

@testable import TriageFormats

/// What is a record and what is none; each row is checked by both ways through a line.
struct RecordGrammarTests {
    /// Values that stand for `?` in `{"text":"t","x":?}`.
    static let goodValues = [
        "0", "-0", "1", "-1", "10", "1.5", "-1.5", "0.0", "1e5", "1E5", "1e+5", "1e-5", "1.25e10", "0e0", "0e+0",
        "1e400", "-1e400", "1e-400", "123456789012345678901234567890", "-123456789012345678901234567890",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
        "0.1000000000000000000000000000000000000001", "true", "false", "null", "\"\"", "\"a\"", "[]", "{}", "[1]",
        "[1,2]", "[[]]", "[{}]", "{\"a\":1}", "{\"a\":{\"b\":[]}}", "{\"\":1}", "{\"a\":1,\"a\":2}", "[ ]", "{ }",
        " [ 1 , 2 ] ", "\t1\t", "[null,true,false]", #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u0041""#, #""\u00e9""#,
        #""\uABCD""#, #""\uabcd""#, #""\ud83d\ude00""#, #""\uD83D\uDE00""#, #""\ud83d""#, #""\ude00""#,
        #""\ud83dx""#, #""\ud83d\n""#, #""\ude00\ud83d""#, #""\ud83d\ud83d\ude00""#, #""\uffff""#, #""\ufdd0""#,
        "\"é\"", "\"日本語\"", "\"😀\"", "\"\u{7F}\"", "\"\u{80}\"", "\"\u{2028}\"", "\"\u{FEFF}\"", "\"\u{10FFFF}\"",
        "\"/\"", "\"'\"", #""\\u0041""#, #""{\"a\":1}""#, "\"//\"", "\"aaaaaaa\"", "\"aaaaaaaa\"", "\"aaaaaaaaa\"",
    ]

    static let badValues = [
        "nul", "nulll", "Null", "NULL", "tru", "truex", "True", "fals", "falsey", "NaN", "Infinity", "-Infinity",
        "undefined", "01", "-01", "00", "1.", "-1.", ".5", "-.5", "+1", "-", "--1", "1e", "1e+", "1e-", "1.e5",
        "1.5.5", "1e5.5", "0x10", "1_000", "1,", ",1", ",", "", "1 2", "\"a\" \"b\"", "[", "]", "{", "}", "[1", "1]",
        "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{:1}",
        "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{\"a\":1;}", "[}",
        "{]", "[1}", "{\"a\":1]", "'a'", "a", "\"a", "a\"", "\"\"\"", #""\x""#, #""\'""#, #""\a""#, #""\0""#, #""\u""#,
        #""\u1""#, #""\u12""#, #""\u123""#, #""\u123g""#, #""\U0041""#, #""\u 041""#, #""\ud83d\u""#, #""\ud83d\ude0""#,
        #""\""#, #"\"a""#, "\"\u{0}\"", "\"\u{1}\"", "\"\u{9}\"", "\"\u{A}\"", "\"\u{D}\"", "\"\u{1F}\"", "\u{B}1",
        "\u{A0}1", "\u{FEFF}1", "/* */1", "1//", "#1", "1\u{0}", "\u{0}", "@", "(1)", "<1>", "é", "😀",
    ]

    /// Whole lines and the code they are refused with; nil is a record.
    static let lines: [(String, String?)] = [
        (#"{"text":""}"#, nil), (#"{"text":"t"}"#, nil), ("  {\"text\":\"t\"}\t ", nil),
        ("\r{\"text\":\"t\"}\r", nil), ("\n{\n\"text\" :\n\"t\"\n}\n", nil), (#"{"te\u0078t":"t"}"#, nil),
        (#"{"text":1,"text":"t"}"#, nil), (#"{"text":"t","text":1}"#, "input.text-type"),
        (#"{"text":null}"#, "input.text-type"), (#"{"text":1}"#, "input.text-type"),
        (#"{"text":["t"]}"#, "input.text-type"), (#"{"text":{"text":"t"}}"#, "input.text-type"),
        (#"{}"#, "input.no-text"), (#"{"Text":"t"}"#, "input.no-text"), (#"{"text ":"t"}"#, "input.no-text"),
        (#"{"a":{"text":"t"}}"#, "input.no-text"), (#"[]"#, "json.not-object"), (#"[{"text":"t"}]"#, "json.not-object"),
        (#""text""#, "json.not-object"), ("1", "json.not-object"), ("null", "json.not-object"),
        (#"{"text":"t"}}"#, "json.syntax"), (#"{"text":"t"},"#, "json.syntax"), (#"{"text":"t"}{}"#, "json.syntax"),
        (#"{"text":"t"} {"text":"u"}"#, "json.syntax"), (#"{"text":"t"} x"#, "json.syntax"),
        ("{\"text\":\"t\"}\u{0}", "json.syntax"), ("\u{FEFF}{\"text\":\"t\"}", "json.syntax"),
        (#"{"text":"t""#, "json.syntax"), (#"{"text":"t"#, "json.syntax"), (#"{"text":"#, "json.syntax"),
        (#"{"text""#, "json.syntax"), (#"{"te"#, "json.syntax"), ("{", "json.syntax"), ("}", "json.syntax"),
        (#"{"text":"t",}"#, "json.syntax"), (#"{,"text":"t"}"#, "json.syntax"),
        (#"{"text":"t",,"x":1}"#, "json.syntax"),
        (#"{"text":"t"]"#, "json.syntax"), ("hello", "json.syntax"), ("\u{0}\u{0}", "json.syntax"),
        (#"{"text":"t","sender":{"name":}}"#, "json.syntax"), (#"{"text":"t","raw":{"kind":"x",}}"#, "json.syntax"),
        (#"{"text":"t","attachments":[1,]}"#, "json.syntax"), (#"{"text":"t","attachments":[1}"#, "json.syntax"),
        (#"{"text":"t","triage":{"a":}}"#, "json.syntax"), (#"{"text":"t" "x":1}"#, "json.syntax"),
    ]

    static let invalidUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
        [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3, 0x28],
    ]

    static let ways = [RecordReader(ownIdentities: [], usesFastPath: true), exact]
    static let exact = RecordReader(ownIdentities: [], usesFastPath: false)

    private func code(_ line: [UInt8], _ reader: RecordReader) -> String? {
        let batch = read([line], with: reader)
        return batch.records.first.flatMap { $0.reject < 0 ? nil : batch.rejects[$0.reject].reason.code }
    }

    @Test func `legal values make a record`() {
        for value in Self.goodValues {
            for reader in Self.ways {
                #expect(code(Array(#"{"text":"t","x":\#(value)}"#.utf8), reader) == nil, "\(value)")
                #expect(code(Array(#"{"x":{"y":[\#(value),1]},"text":"t"}"#.utf8), reader) == nil, "\(value)")
            }
        }
    }

    @Test func `illegal values are refused as syntax`() {
        for value in Self.badValues {
            for reader in Self.ways {
                #expect(code(Array(#"{"text":"t","x":\#(value)}"#.utf8), reader) == "json.syntax", "\(value)")
                #expect(code(Array(#"{"x":{"y":[\#(value)]z},"text":"t"}"#.utf8), reader) == "json.syntax", "\(value)")
            }
        }
    }

    @Test func `lines are refused with the code of their fault`() {
        for (line, expected) in Self.lines {
            for reader in Self.ways { #expect(code(Array(line.utf8), reader) == expected, "\(line)") }
        }
    }

    @Test func `bytes that are no UTF-8 are refused wherever they stand`() {
        for bytes in Self.invalidUTF8 {
            for (before, after) in [(#"{"text":""#, #""}"#), (#"{"text":"t","x":"aaaaaaaaaaaa"#, #"bbbbbbbbbb"}"#)] {
                for reader in Self.ways {
                    let batch = read([Array(before.utf8) + bytes + Array(after.utf8)], with: reader)
                    let reason = batch.rejects.first?.reason
                    #expect(reason?.code == "json.utf8", "\(bytes)")
                    #expect(reason?.offset == before.utf8.count, "\(bytes)")
                }
            }
        }
    }

    @Test(arguments: [("[", "", "]"), ("{\"a\":", "1", "}"), ("[{\"a\":", "[]", "}]")])
    func `a thousand levels are read and one more is refused`(open: String, inner: String, close: String) {
        for reader in Self.ways {
            let per = open.filter { "[{".contains($0) }.count
            let own = 1 + (inner == "[]" ? 1 : 0)
            let count = (1000 - own) / per
            for (levels, expected) in [(count, nil), (count + 1, "json.depth"), (10_000, "json.depth")] {
                let nest = String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
                #expect(code(Array(#"{"text":"t","x":\#(nest)}"#.utf8), reader) == expected, "\(levels)")
            }
        }
    }

    @Test func `unclosed nesting of a million levels is refused and not followed`() {
        for reader in Self.ways {
            #expect(code([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000), reader) == "json.depth")
        }
    }

    @Test func `every prefix of a record is refused`() {
        let line = Array(
            #"{"id":"a","sender":{"name":"Zoë","followers":12.0},"raw":{"kind":"x"},"text":"\u00e9"}"#.utf8)
        for end in 1..<line.count {
            for reader in Self.ways { #expect(code(Array(line[..<end]), reader) != nil, "\(end)") }
        }
    }
}
