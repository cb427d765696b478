import Foundation
import TriageCore

// Writes what the matcher sees in messages as numbers, for `faq.py fit`, which compiles it together with the matcher.
//
// Usage: FAQPairs LIBRARY NAMES CUES [VECTORS] < MESSAGES. LIBRARY is a JSON file as `--faq` takes, NAMES a JSON list of names that say
// nothing about a question, CUES a file with weights as those of FAQCues, MESSAGES are records with `text` and `language`,
// one a line; VECTORS a file as FAQVectors reads. With `-` for CUES it writes what FAQCues knows the words of clauses by: a
// clause a line, the number of its message first; with `+` the words themselves, of everything that is read together.

func object(_ data: Data) throws -> Any { try JSONSerialization.jsonObject(with: data) }

/// A message as the stage finds it.
struct Message {
    var folded: [UInt8] = []
    var tokens: [Token] = []
    var bytes = 0
    var marks = 0
    var language: UInt8 = 0
    var shape = TextShape()

    init(_ line: String, _ folder: TextFolder) throws {
        let record = try object(Data(line.utf8)) as? [String: Any] ?? [:]
        let text = Array((record["text"] as? String ?? "").utf8)
        var spots: [FoldMark] = []
        let result = text.withUnsafeBufferPointer {
            folder.fold($0, folded: &folded, marks: &spots, tokens: &tokens)
        }
        bytes = Int(result.span.count)
        shape = result.shape
        marks = Int(min(result.shape.questionMarks, 4))
        language = LanguageTable.index(of: record["language"] as? String ?? "") ?? 0
        // Bytes may be read behind the last word.
        folded += [UInt8](repeating: 0, count: 64)
    }

    /// Gives `body` the message as the matcher takes it.
    func withQuestion<R>(_ body: (FAQMatcher.Question) -> R) -> R {
        folded.withUnsafeBufferPointer { folded in
            tokens.withUnsafeBufferPointer { tokens in
                body(
                    FAQMatcher.Question(
                        text: UnsafeBufferPointer(rebasing: folded[..<bytes]), tokens: tokens,
                        hasLiterals: shape.literals > 0, hasQuestionMark: shape.questionMarks > 0,
                        mayEndInQuestion: shape.marks & TextShape.bit(of: UInt8(ascii: "?")) != 0, language: language))
            }
        }
    }
}

let arguments = CommandLine.arguments
let library = try object(Data(contentsOf: URL(fileURLWithPath: arguments[1]))) as? [[String: Any]] ?? []
let entries = library.map { entry in
    FAQEntry(
        id: entry["id"] as? String ?? "", category: entry["category"] as? String ?? "",
        question: entry["question"] as? String ?? "", alsoAsked: entry["also_asked"] as? [String] ?? [],
        answer: entry["answer"] as? String ?? "")
}
if arguments[3] == "=" {
    while let line = readLine() {
        let record = try object(Data(line.utf8)) as? [String: Any] ?? [:]
        let text = Array((record["text"] as? String ?? "").utf8)
        let spans = FAQSpans(text).ranges.map { String(decoding: text[$0], as: UTF8.self) }
        FileHandle.standardOutput.write(try JSONSerialization.data(withJSONObject: spans) + Data("\n".utf8))
    }
    exit(0)
}
let names = try object(Data(arguments[2].utf8)) as? [String] ?? []
let isPlain = arguments[3] == "+"
let isWords = arguments[3] == "-" || isPlain
let cues = isWords ? FAQCues() : FAQCues(try String(contentsOfFile: arguments[3], encoding: .utf8))
let vectors =
    arguments.count > 4 ? FAQVectors(Array(try Data(contentsOf: URL(fileURLWithPath: arguments[4])))) : FAQVectors()
let index = FAQIndex(library: FAQLibrary(entries: entries), names: names, cues: cues, vectors: vectors)
let memory = FAQWordMemory()
let folder = TextFolder()

if isWords {
    let concepts = FAQLexicon.parse().concepts
    let buffer = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 96)
    buffer.initialize(repeating: 0)
    /// What a word is known by: its concept, `#TOPIC` for all that are topics, or itself.
    func name(_ term: Int, _ word: String) -> String {
        guard term >= 0, term < concepts.count, concepts[term].name != "stop" else { return word }
        return concepts[term].weight >= 2 ? "#TOPIC" : "#" + concepts[term].name
    }
    var number = 0
    while let line = readLine() {
        let message = try Message(line, folder)
        index.withView { view in
            message.withQuestion { question in
                var reader = FAQReader(
                    vocabulary: view.vocabulary, question: question, ignored: view.ignored, terms: buffer,
                    cues: view.cues, memory: memory.view)
                reader.read { clause, scope in
                    if scope == .pair, !isPlain { return }
                    var words = [String(number)]
                    if !isPlain { words.append(clause.isQuestion ? "#?" : "#.") }
                    let tokens = question.tokens.filter { clause.bytes.contains(Int($0.start)) }
                    var i = 0
                    while i < tokens.count {
                        let range = Int(tokens[i].start)..<Int(tokens[i].start) + Int(tokens[i].count)
                        let bytes = UnsafeBufferPointer(rebasing: question.text[range])
                        let word = String(decoding: bytes, as: UTF8.self)
                        if isPlain {
                            words.append(word)
                            i += 1
                            continue
                        }
                        var (term, used) = (-1, 1)
                        if i + 1 < tokens.count {
                            let third = i + 2 < tokens.count ? tokens[i + 2].hash : nil
                            let phrase = view.vocabulary.phrase(
                                tokens[i].hash, tokens[i + 1].hash, third, question.language)
                            if phrase.term >= 0 { (term, used) = phrase }
                        }
                        if term < 0 { term = view.vocabulary.word(tokens[i].hash, question.language) }
                        if term < 0, !word.contains(where: \.isNumber) {
                            term = view.vocabulary.inflected(bytes, question.language)
                        }
                        words.append(name(term, word))
                        i += used
                    }
                    print(words.joined(separator: " "))
                }
            }
        }
        number += 1
    }
    exit(0)
}

// First whether each entry is about the trade; then of each message the number of pairs, question marks, bytes, the
// highest cue, of each entry its highest meaning, and of each pair its entry and evidence.
var output: [Float] = index.isTrade.map { $0 ? 1 : 0 }
while let line = readLine() {
    let message = try Message(line, folder)
    var rows: [Float] = []
    var count: Float = 0
    var highest: [Float] = []
    let cue = index.withView { view in
        message.withQuestion { question in
            var matcher = FAQMatcher(index: view, memory: memory)
            matcher.observer = { part, evidence in
                rows.append(Float(view.parts[part].entry))
                rows += evidence.values
                count += 1
            }
            let cue = max(-10, matcher.match(question).cue)
            highest = Array(matcher.highestMeanings.prefix(index.entries))
            return cue
        }
    }
    output += [count, Float(message.marks), Float(message.bytes), cue]
    output += highest
    output += rows
}
output.withUnsafeBytes { FileHandle.standardOutput.write(Data($0)) }
