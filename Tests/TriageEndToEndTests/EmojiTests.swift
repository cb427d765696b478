import Testing

/// Messages without a word, of which creators get many.
struct EmojiTests {
    @Test(
        arguments: [
            ("❤️", "positive"), ("🥰🥰", "positive"), ("👏👏👏", "positive"), ("😭❤️", "positive"), ("🤬", "negative"),
            ("👎👎", "negative"), ("😡", "negative"), ("🤢🤢", "negative"), ("👀", "neutral"),
        ], [[], ["--model", "none"]])
    func `emoji alone say what they show`(expected: (text: String, label: String), arguments: [String]) throws {
        let outcome = try Program.run(["run", "--quiet"] + arguments, input: #"{"text":"\#(expected.text)"}"# + "\n")
        let record = try #require(outcome.records.first.flatMap { $0 })
        #expect(record["sentiment", "label"] as? String == expected.label)
    }
}
