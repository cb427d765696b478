import Foundation
import Testing

/// Training at the command line, and runs with what came of it.
struct TrainTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let shipped = root.appending(path: "Sources/ShippedModel/shipped.model").path
    private static let sample = root.appending(path: "Samples/messages.jsonl").path

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let creators = root.appending(path: "Tests/Data/creators").path

    /// Thirty messages each of three kinds to three creators, all alike but for a word.
    private static let gold = (0..<90).map { number in
        let (word, label) = [("lovely", "fan"), ("invoice", "business"), ("jackpot", "spam")][number % 3]
        return
            #"{"id":"g\#(number)","creator":"\#(["alex", "maya", "theo"][number / 3 % 3])","sender":{"handle":"h\#(number)"},"text":"\#(word) thing number \#(number)","#
            + #""gold":{"category":"\#(label)"}}"# + "\n"
    }.joined()

    private func train(_ gold: String, _ name: String, base: String = "none") throws -> Program.Outcome {
        try Program.run(
            [
                "train", try folder.write("gold.jsonl", gold), "--base", base, "--bits", "12", "--folds", "2",
                "--profiles", Self.creators, "-o",
                name,
            ],
            directory: folder.path)
    }

    private func label(_ text: String, _ arguments: [String]) throws -> String? {
        let outcome = try Program.run(
            ["run", "--quiet"] + arguments, input: Array(#"{"text":"\#(text)"}"#.utf8 + [0x0A]), directory: folder.path)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
        let category = (object?["triage"] as? [String: Any])?["category"] as? [String: Any]
        return category.flatMap { $0["label"] as? String }
    }

    @Test func `a model answers as it was taught, the same bytes each time`() throws {
        #expect(try train(Self.gold, "one.model").status == 0)
        #expect(try train(Self.gold, "two.model").status == 0)
        let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/one.model"))
        #expect(try bytes == Data(contentsOf: URL(filePath: "\(folder.path)/two.model")))
        // What `sha256sum` says of the file.
        let digest = "3e23cf8de8bffa053cc921740ce6af93d0a78da051b7a9c08fa8aea9ac71f8ff"
        #expect(bytes.firstRange(of: Data("gold.jsonl sha256 \(digest)".utf8)) != nil)
        #expect(try label("the jackpot of it", ["--model", "one.model"]) == "spam")
        #expect(try label("the invoice of it", ["--model", "one.model"]) == "business")
    }

    @Test func `corrections move the shipped model where they speak`() throws {
        let text = "zorblatt quux today"
        let before = try label(text, [])
        let wanted = before == "business" ? "fan" : "business"
        let corrections = (0..<40).map { number in
            #"{"id":"k\#(number)","creator":"c","sender":{"handle":"h\#(number)"},"text":"zorblatt quux day \#(number)","#
                + #""gold":{"category":"\#(number < 36 ? wanted : "spam")"}}"# + "\n"
        }.joined()
        let outcome = try Program.run(
            ["train", try folder.write("k.jsonl", corrections), "--folds", "2", "-o", "k.model"],
            directory: folder.path)
        #expect(outcome.status == 0)
        #expect(try label(text, ["--model", "k.model"]) == wanted)
    }

    @Test func `the shipped model is whole, and is what answers by default`() throws {
        let byDefault = try Program.run(["run", Self.sample, "--quiet"], directory: folder.path)
        let byFile = try Program.run(["run", Self.sample, "--quiet", "--model", Self.shipped], directory: folder.path)
        #expect(byDefault.status == 0 && byFile.status == 0)
        #expect(byDefault.output == byFile.output)
        let rules = try Program.run(["run", Self.sample, "--quiet", "--model", "none"], directory: folder.path)
        #expect(!String(decoding: rules.output, as: UTF8.self).contains("text.model"))
    }

    @Test(arguments: [
        (#"{"id":"a","text":"hello"}"#, "train.nothing-to-learn"),
        (#"{"id":"a","text":"hello","gold":{"category":"fan"}}"#, "train.nothing-to-learn"),
        (#"{"id":"a","text":"hello","gold":{"category":"friend"}}"#, "evaluate.bad-label"),
        ("", "train.no-records"),
    ])
    func `labels from which nothing can be learned are an error, and make no file`(gold: String, code: String) throws {
        let outcome = try train(gold + "\n", "bad.model")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("[\(code)]"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/bad.model"))
    }

    @Test func `records that name no creator are messages to whoever trains`() throws {
        let own = Self.gold.replacing(/"creator":"[a-z]+",/, with: "")
        let outcome = try Program.run(
            ["train", try folder.write("own.jsonl", own), "--base", "none", "--bits", "12", "-o", "own.model"],
            directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains(" on 90 messages; "), "\(outcome.errors)")
        // Every answer is right, which says nothing of how sure to be.
        #expect(
            outcome.errors.contains("macro-F1 1.0") && outcome.errors.contains("temperature 1.0"), "\(outcome.errors)")
    }

    @Test(arguments: ["-", "pipe"])
    func `labels may come through a pipe`(name: String) throws {
        if name == "pipe" {
            let path = folder.place("pipe")
            #expect(mkfifo(path, 0o600) == 0)
            Thread.detachNewThread { try? Data(Self.gold.utf8).write(to: URL(fileURLWithPath: path)) }
        }
        let outcome = try Program.run(
            [
                "train", name, "--base", "none", "--bits", "12", "--folds", "2", "--profiles", Self.creators, "-o",
                "m.model",
            ],
            input: Self.gold, directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(arguments: ["-1", "lots", "nan", "category=", "mood=0.2", "=0.1"])
    func `a share that is none is a wrong use`(share: String) throws {
        let outcome = try Program.run(
            ["train", try folder.write("k.jsonl", Self.gold), "--foreign-share", share, "-o", "k.model"],
            directory: folder.path)
        #expect(outcome.status == 64, "\(outcome.errors)")
    }
}
