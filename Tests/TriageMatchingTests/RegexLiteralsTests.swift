import Testing
import TriageCore

@testable import TriageMatching

struct RegexLiteralsTests {
    @Test(arguments: [
        ("(pay|paid|offer) ?[0-9]", ["offer", "paid", "pay"]),
        ("[0-9]k? ?(followers|views) ?(for|=)", ["followers", "views"]),
        ("stor(y|ies) frames?", [" frame"]), ("reels?", ["reel"]), ("(reels?|clip+s)", ["clip", "reel"]),
        (#"\$[a-z]{3,8} (token|is)"#, ["$"]), (#"[0-9]{2} ?(s of|s de)"#, ["s de", "s of"]),
        ("(?:abc|def)x*", ["abc", "def"]), ("abc+d", ["abc"]), ("€ ?[0-9]", ["€"]),
        ("(brand|(big|small) name)", ["brand", " name"]),
        // Nothing that every match has, or too little of it.
        ("(abc|[0-9])", []), ("(abc)?d", []), ("(abc){0,2}de", []), ("ab|xyz", []), ("a.b", []), ("", []),
        ("abc*?", []),
        ("x*", []), ("(of|de)", []), ("(a|bcd", []), ("(?i)abc", []), (#"\x41bcd"#, []), ("abc{2", []), ("[abc", []),
        (#"abé?"#, []), ("((((((((((((((((((abc))))))))))))))))))", []),
    ])
    func `every match holds one of the literals`(regex: String, expected: [String]) {
        let found = RegexLiterals(regex).literals.map { String(decoding: $0, as: UTF8.self) }
        #expect(Set(found) == Set(expected))
    }
}
