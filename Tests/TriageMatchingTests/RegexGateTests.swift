import Testing
import TriageCore

@testable import TriageMatching

struct RegexGateTests {
    private static func marks(_ text: String) -> UInt64 {
        text.utf8.reduce(0) { $1 < 0x80 && !(0x61...0x7A).contains($1) && $1 > 0x20 ? $0 | TextShape.bit(of: $1) : $0 }
    }

    /// A regex, a text that it matches, and one that lacks what it needs (nil: nothing can be asked).
    @Test(arguments: [
        ("[0-9]{1,2}:[0-5][0-9]", "at 12:30", "at noon"),
        ("[5-9][05] ?% off", "50% off", "half off"),
        (#"\$[a-z]{3,8} token"#, "$moon token", "moon token"),
        ("dm us at @[a-z]{3,9}", "dm us at @abc", "dm us at abc"),
        (#"\{\{[a-z]{2,9}\}\}"#, "hi {{name}}", "hi name"),
        ("a?[,|/-] ?ceo", "x / ceo", "x ceo"),
        ("(one|[0-9]) reels?", "one reel", nil), ("x[0-9]?y", "xy", nil), ("x[0-9]*y", "xy", nil),
        ("x[0-9]{0,3}y", "xy", nil), ("a|1", "a", nil), ("x[^0-9]y", "xay", nil), ("x[a0]y", "xay", nil),
        (#"x\d"#, "x1", nil), ("x1??y", "xy", nil), ("x1*?y", "xy", nil), (#"\x41b"#, "ab", nil), (#"\012"#, "x", nil),
        ("x$", "x", nil), ("^x.y", "xay", nil),
    ])
    func `a gate admits every text that matches, and keeps out what lacks a needed sign`(
        regex: String, matching: String, lacking: String?
    ) {
        let gate = RegexGate(regex)
        #expect(gate.admits(Self.marks(matching)))
        if let lacking {
            #expect(!gate.admits(Self.marks(lacking)))
        } else {
            #expect(gate.admits(0))
        }
    }
}
