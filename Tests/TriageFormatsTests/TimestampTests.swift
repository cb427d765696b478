import Testing

@testable import TriageFormats

struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2026-08-01T06:48:53Z", 1_785_566_933),
            ("2026-08-01t06:48:53z", 1_785_566_933), ("2026-08-01 06:48:53", 1_785_566_933),
            ("2026-08-01T08:48:53+02:00", 1_785_566_933), ("2026-08-01T08:48:53+0200", 1_785_566_933),
            ("2026-08-01T01:18:53.123456789-05:30", 1_785_566_933), ("2026-08-01 06:48:53 UTC", 1_785_566_933),
            ("2026-08-01T06:48:53,5Z", 1_785_566_933), ("2026-08-01T06:48Z", 1_785_566_880),
            ("2026-08-01", 1_785_542_400), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("2023-02-29T00:00:00Z", nil), ("2100-02-29T00:00:00Z", nil), ("2026-13-01T00:00:00Z", nil),
            ("2026-00-01T00:00:00Z", nil), ("2026-04-31T00:00:00Z", nil), ("2026-01-00T00:00:00Z", nil),
            ("2026-01-01T24:00:00Z", nil), ("2026-01-01T00:60:00Z", nil), ("2026-01-01T00:00:61Z", nil), ("", nil),
            ("2026-01-01T", nil), ("2026-01-01T00", nil), ("2026-01-01T00:00:00.Z", nil),
            ("2026-01-01T00:00:00ZZ", nil),
            ("2026-01-01T00:00:00+2", nil), ("2026-1-1T00:00:00Z", nil), ("26-01-01", nil), ("1717238400", nil),
            ("2026-01-01T00:00:00 PST", nil), ("２026-01-01", nil),
        ] as [(String, Int64?)])
    func `reads the forms that occur and no others`(text: String, expected: Int64?) {
        var copy = text
        #expect(copy.withUTF8 { Timestamp.seconds($0) } == expected)
    }

    @Test(arguments: [0, -1, 1_709_164_800, 253_402_300_799, -62_167_219_200, 951_782_400] as [Int64])
    func `what it writes it reads`(seconds: Int64) throws {
        var text = try #require(Timestamp.text(seconds: seconds))
        #expect(text.withUTF8 { Timestamp.seconds($0) } == seconds)
    }

    @Test func `milliseconds are written when there are some and years beyond four digits are not`() {
        #expect(Timestamp.text(seconds: 0, milliseconds: 7) == "1970-01-01T00:00:00.007Z")
        #expect(Timestamp.text(seconds: 0) == "1970-01-01T00:00:00Z")
        #expect(Timestamp.text(seconds: 253_402_300_800) == nil)
    }
}
