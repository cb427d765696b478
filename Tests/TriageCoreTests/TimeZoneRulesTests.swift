import Testing

@testable import TriageCore

struct TimeZoneRulesTests {
    @Test(arguments: [
        ("Europe/Lisbon", 1_783_000_000 as Int64, 3600 as Int64), ("Europe/Lisbon", 1_798_545_600, 0),
        ("America/New_York", 1_783_000_000, -14_400),
        ("America/New_York", 1_798_545_600, -18_000), ("Asia/Kolkata", 1_783_000_000, 19_800),
        ("Asia/Tokyo", 0, 32_400),
        ("Australia/Sydney", 1_798_545_600, 39_600), ("America/Toronto", 4_102_444_800, -18_000), ("", 0, 0),
    ])
    func `knows the offset of a zone at a moment`(zone: String, moment: Int64, offset: Int64) {
        #expect(TimeZoneRules(name: zone).offset(at: moment) == offset)
    }

    @Test(arguments: [
        "No/Where", "../../etc/passwd", "/etc/passwd", "Europe/../../../etc/passwd", "Europe", "zone.tab", "a\0b",
        String(repeating: "a", count: 500),
    ])
    func `reads a name that is no zone as UTC`(name: String) {
        #expect(TimeZoneRules(name: name) == .utc)
    }

    @Test(arguments: [
        ("EST5EDT,M3.2.0,M11.1.0", 1_783_000_000 as Int64, -14_400 as Int32),
        ("EST5EDT,M3.2.0,M11.1.0", 1_798_545_600, -18_000),
        ("<+0330>-3:30", 0, 12_600), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_798_545_600, 39_600),
        ("CET-1CEST,M3.5.0,M10.5.0/3", 1_783_000_000, 7200),
        ("UTC0", 5, 0), ("XXX3YYY,J60/2,J300/2", 1_783_000_000, -7200),
    ])
    func `reads the rule of a footer`(rule: String, moment: Int64, offset: Int32) throws {
        #expect(try #require(PosixZone(Array(rule.utf8))).offset(at: moment) == offset)
    }

    @Test(arguments: ["", "5", "EST", "EST5EDT", "EST5EDT,M13.1.0,M1.1.0", "EST5EDT,M3.2", "<+03", "EST99999999999"])
    func `refuses a broken rule or reads it without summer time`(rule: String) {
        #expect(PosixZone(Array(rule.utf8)).map { abs($0.offset(at: 0)) < 1_000_000_000 } ?? true)
    }

    @Test func `refuses files that are no tables, cut at every byte`() {
        let data: [UInt8] =
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + [UInt8](repeating: 0xFF, count: 24) + [1, 2, 3]
        for length in 0...data.count { #expect(TimeZoneRules(tzif: Array(data[..<length])) == nil) }
    }

    @Test func `finds the moment of a wall clock time on both sides of a change`() {
        let zone = TimeZoneRules(name: "Europe/Lisbon")
        // 2026-10-25 12:00 and 2026-10-24 12:00 local.
        #expect(zone.utc(ofLocal: 1_792_929_600) == 1_792_929_600)
        #expect(zone.utc(ofLocal: 1_792_843_200) == 1_792_839_600)
    }
}
