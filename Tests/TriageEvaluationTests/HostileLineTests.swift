import Testing

@testable import TriageEvaluation

/// Files of answers are read as they are: no bytes may stop the reader or make it leave them.
struct HostileLineTests {
    /// Reads everything that is ever read of a line.
    private func read(_ line: [UInt8]) {
        line.withUnsafeBufferPointer { bytes in
            var set = EvaluationSet()
            let gold = (try? GoldReader().gold(bytes, in: &set)) ?? Gold()
            _ = GoldReader().id(bytes)
            _ = GoldReader().creator(bytes)
            let reader = PredictionReader()
            _ = (reader.isPrediction(bytes), reader.isRejected(bytes), reader.textDigest(bytes))
            let (prediction, _) = reader.prediction(bytes, gold: gold, names: &set.names)
            let words = AnswerText(names: set.names)
            for question in EvaluatedQuestion.allCases {
                _ = words.answer(question, prediction)
                if let confidence = prediction.confidence(question) { #expect((0...1).contains(confidence)) }
            }
        }
    }

    static let lines = [
        #"{"id":"a","lang":"en","text":"h\u00e9\ud83d\ude00\ud83d","conversation_id":"c","gold":{"category":"fan","opportunity":{"monetary":1,"brand_fit":2,"legitimacy":3,"urgency":4},"faq_id":null},"triage":{"category":{"label":"spam","confidence":0.5,"scores":{"fan":0.1,"business":0.2,"spam":0.7}},"faq":{"id":"x","match":"high","candidates":["x","y"]},"opportunity":{"breakdown":{"monetary":{"points":3,"of":40}}}}}"#,
        #"{"prediction":{"opportunity":{"monetary":1e308,"brand_fit":-1e308},"urgent":{"score":1e300,"label":true},"usage":{"tokens":1e400}}}"#,
    ].map { Array($0.utf8) }

    @Test(arguments: lines)
    func `a line that is cut anywhere, or has any byte changed, is read without harm`(line: [UInt8]) {
        for end in 0...line.count { read(Array(line[..<end])) }
        var generator = SplitMix64(seed: 3)
        for _ in 0..<3000 {
            var mangled = line
            for _ in 0...(generator.next() % 4) {
                let place = Int(generator.next() % UInt64(mangled.count))
                mangled[place] = Array("{}[]\",:\\u0n\u{0}".utf8)[Int(generator.next() % 12)]
            }
            read(mangled)
        }
    }

    @Test(arguments: ["[", "{\"a\":", "{\"triage\":", "[[\"", "\\", "{\"id\":\"\\"])
    func `deep nesting takes no stack and no more than a walk through the bytes`(piece: String) {
        read(Array(String(repeating: piece, count: 20_000).utf8))
    }

    @Test(
        arguments: [
            (#"{"id":"a","id":"b"}"#, "b"), (#"{"i\u0064":"a"}"#, "a"), (#"{"id":7}"#, "7"),
            (#"{"x":{"id":"no"},"id":"y"}"#, "y"),
            (#"{"x":"\"id\":\"no\"","id":"\ud83d\ude00"}"#, "\u{1F600}"), (#"{"id":null}"#, nil), (#"["id"]"#, nil),
        ] as [(String, String?)])
    func `keys are compared unescaped, the last of equal ones counts, and none is found elsewhere`(
        line: String, id: String?
    ) {
        Array(line.utf8).withUnsafeBufferPointer { #expect(GoldReader().id($0) == id) }
    }
}
