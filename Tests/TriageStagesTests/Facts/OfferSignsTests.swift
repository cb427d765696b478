import Testing
import TriageCore

@testable import TriageStages

struct OfferSignsTests {
    @Test(arguments: [
        ("Best,\nKwame Osei\nSenior Consultant, Brightlane", true), ("hello\n\nOrla Keane, guest producer", true),
        ("Grüße\nJürgen Lindner, Programmleitung", true),
        ("Thanks so much, see you. Sam Whitlock, health reporter", true), ("x\n– Bram, marketing", true),
        ("x\nRita Duarte | Relações públicas", true),
        ("hi\nGideon Park\nHead of Programme", true), ("x\nIvo Janssen (accounts)", true), ("thanks\nRosie", false),
        ("see you there, mate", false),
        ("well, I loved it", false), ("", false), ("\n\n", false), ("Best\nAna\n+44 20 7946 0958", false), (",", false),
        ("–", false), ("\u{2013}\u{2013}", false),
    ])
    func `hears a job in a signature`(text: String, expected: Bool) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBufferPointer { OfferSigns.signsWithRole($0) } == expected)
    }

    @Test(arguments: [
        ("two reels and a story", true), ("a 15 minute segment", true), ("3 vertical clips", true),
        ("vier Videos", true), ("1,500 words by you", true),
        ("in ten days", false), ("your videos are great", false), ("for six months", false), ("", false),
    ])
    func `hears what is counted as something to deliver`(text: String, expected: Bool) {
        let sample = FoldedSample(text)
        let found = FoldedSample.table.withIndex { words in
            sample.withText { text in
                sample.withCandidates { OfferSigns(text: text, table: words).namesDeliverables(at: $0) }
            }
        }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("Hi from HomeGym, we sell benches", "HomeGym Direct", true), ("hi there", "HomeGym Direct", false),
        ("the co is here", "Co", false), ("x", "", false),
    ])
    func `finds the sender's name in the text`(text: String, name: String, expected: Bool) {
        let bytes = Array(name.utf8)
        let found = FoldedSample.table.withIndex { words in
            FoldedSample(text).withText { text in
                bytes.withUnsafeBufferPointer { OfferSigns(text: text, table: words).isNamed($0) }
            }
        }
        #expect(found == expected)
    }
}
