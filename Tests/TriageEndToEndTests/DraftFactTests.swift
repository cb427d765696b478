import Foundation
import Testing

/// No draft states a figure, an address or a name that stands in none of: its message, its sender, the profile, the FAQ and
/// the own reply that it says again.
struct DraftFactTests {
    private static let data = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Data")

    private struct Case: CustomTestStringConvertible {
        /// Folder of an author.
        var author: String
        /// Whether there are histories of own replies.
        var hasHistory = false
        /// Whether the sentence encoder reads the messages; it takes most of the time.
        var isEncoded = false
        /// Every so many of them are looked at.
        var each = 1

        var testDescription: String {
            "\(author)\(hasHistory ? " with a history" : "")\(isEncoded ? ", encoded" : "")"
        }
    }

    private static let cases: [Case] = {
        let composed =
            ((try? FileManager.default.contentsOfDirectory(atPath: data.appending(path: "composed").path)) ?? [])
            .filter { !$0.contains(".") }.sorted().map { "composed/\($0)" }
        return [
            Case(author: "creators", hasHistory: true), Case(author: "creators"),
            Case(author: "creators", hasHistory: true, isEncoded: true, each: Trials.areFull ? 2 : 4),
        ] + composed.map { Case(author: $0, each: Trials.areFull ? 1 : 4) }
            + composed.map { Case(author: $0, isEncoded: true, each: Trials.areFull ? 12 : 60) }
    }()

    private static func json(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// Runs of digits, without what stands between thousands.
    private static func figures(_ text: String) -> Set<String> {
        var found: Set<String> = []
        // Digits of other scripts are digits.
        let signs = text.map { $0.wholeNumberValue.flatMap { "\($0)".first } ?? $0 }
        var index = 0
        while index < signs.count {
            guard isDigit(signs[index]) else {
                index += 1
                continue
            }
            var run = ""
            while index < signs.count {
                if isDigit(signs[index]) {
                    run.append(signs[index])
                } else if !".,’' \u{A0}\u{202F}".contains(signs[index])
                    || !(1...3).allSatisfy({ index + $0 < signs.count && isDigit(signs[index + $0]) })
                    || index + 4 < signs.count && isDigit(signs[index + 4])
                {
                    break
                }
                index += 1
            }
            found.insert(String(run.drop { $0 == "0" }))
        }
        return found
    }

    /// The same, with "1,20,000" as 120,000.
    private static func everyFigure(_ text: String) -> Set<String> {
        figures(text).union(figures(text.filter { !".,".contains($0) }))
    }

    private static func isDigit(_ sign: Character) -> Bool { ("0"..."9").contains(sign) }

    private static func addresses(_ text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace)
            .map { $0.trimmingCharacters(in: .punctuationCharacters) }
            .filter { $0.dropFirst().dropLast().contains("@") || $0.contains("/") || $0.contains(/[a-z]\.[a-z]{2}/) }
    }

    /// Capitalised words inside sentences: names, in languages that write nouns small.
    private static func names(_ text: String) -> [String] {
        let words = text.split(whereSeparator: \.isWhitespace)
        return zip(words, words.dropFirst()).compactMap { before, word in
            guard let end = before.last, end.isLetter || end == ",", before.first?.isUppercase != true else {
                return nil
            }
            let name = word.trimmingCharacters(in: .punctuationCharacters)
            return name.count > 2 && name.first?.isUppercase == true && name.dropFirst().allSatisfy(\.isLowercase)
                ? name : nil
        }
    }

    /// Months are dates, which are looked at by their day.
    private static let months: Set<String> = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    @Test(arguments: cases)
    private func `every figure, address and name of a draft has a source`(one: Case) throws {
        let (author, hasHistory) = (one.author, one.hasHistory)
        let folder = try ScratchFolder()
        let place = Self.data.appending(path: author)
        let profiles = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: place.appending(path: "creators.json")))
                as? [[String: Any]])
        let lines = try String(contentsOf: place.appending(path: "messages.jsonl"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        var drafts = 0
        for profile in profiles {
            let id = try #require(profile["id"] as? String)
            let messages = lines.filter {
                $0.contains("\"creator\": \"\(id)\"") || $0.contains("\"creator\":\"\(id)\"")
            }.enumerated().filter { $0.offset % one.each == 0 }.map(\.element)
            guard !messages.isEmpty else { continue }
            let profileText = String(decoding: try JSONSerialization.data(withJSONObject: profile), as: UTF8.self)
                .replacingOccurrences(of: "\\/", with: "/")
            var arguments = ["run", "--quiet", "--creator", try folder.write("\(id).json", profileText)]
            var known = profileText
            let library = place.appending(path: "faq-\(id).json").path
            if FileManager.default.fileExists(atPath: library) {
                arguments += ["--faq", library]
                known += try String(contentsOfFile: library, encoding: .utf8)
            }
            if !one.isEncoded { arguments += ["--config", Self.data.appending(path: "without-encoder.yaml").path] }
            var said: [String: String] = [:]
            if hasHistory {
                let voice = folder.path + "/\(id).voice.jsonl"
                let learned = try Program.run(
                    ["voice", "learn", place.appending(path: "history-\(id).jsonl").path] + arguments.dropFirst(2)
                        + ["-o", voice])
                #expect(learned.status == 0, "\(learned.errors)")
                arguments += ["--voice", voice]
                for line in try String(contentsOfFile: voice, encoding: .utf8).split(separator: "\n") {
                    let pair = try Self.json(Data(line.utf8))
                    if let id = pair["id"] as? String { said[id] = pair["answered"] as? String }
                }
            }
            // Read once: a library is ten times as long as what is said about it.
            let (files, fileFigures) = (known.lowercased(), Self.everyFigure(known))
            let outcome = try Program.run(arguments, input: messages.map { $0 + "\n" }.joined())
            #expect(outcome.status == 0)
            for record in outcome.records.compactMap(\.self) {
                guard let text = record["draft", "text"] as? String,
                    let basedOn = record["draft", "based_on"] as? String
                else { continue }
                drafts += 1
                let message = record.whole["text"] as? String ?? ""
                let sender = record.whole["sender"] as? [String: Any]
                let reply = basedOn.hasPrefix("own-reply:") ? said[String(basedOn.dropFirst(10))] ?? "" : ""
                let from = [sender?["name"], sender?["handle"]].compactMap { $0 as? String }
                let source = ([message, reply] + from).joined(separator: " ")
                let spoken = source.lowercased()
                let figures = fileFigures.union(Self.everyFigure(source))
                // "12k" and "1.2万" are said as 12,000.
                let foreign = Self.figures(text).subtracting(figures).filter {
                    !($0.hasSuffix("000") && figures.contains(String($0.dropLast(3))))
                }
                #expect(foreign.isEmpty, "\(basedOn): \(text)")
                for address in Self.addresses(text) {
                    #expect(spoken.contains(address) || files.contains(address), "\(basedOn): \(address)")
                }
                if record["draft", "language"] as? String == "en" {
                    for name in Self.names(text) where !Self.months.contains(name) {
                        let name = name.lowercased()
                        #expect(spoken.contains(name) || files.contains(name), "\(basedOn): \(name)")
                    }
                }
            }
        }
        // Of ten messages, perhaps none gets a draft.
        if one.each < 30 { #expect(drafts > (one.each == 1 ? 50 : 3)) }
    }
}
