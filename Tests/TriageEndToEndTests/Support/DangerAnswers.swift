import Foundation

/// What came out for a message, as far as danger is concerned.
struct DangerAnswer: Sendable {
    var isUrgent: Bool
    /// How many reasons its urgency has.
    var reasons: Int
    var priority: Int
    /// What the draft goes by; nil: there is none.
    var basedOn: String?
    var category: String?
    var sentiment: String?
    var isSuspected: Bool

    init(_ triage: [String: Any]) {
        func member(_ name: String, _ key: String) -> Any? { (triage[name] as? [String: Any])?[key] }
        isUrgent = member("urgency", "urgent") as? Bool ?? false
        reasons = (member("urgency", "because") as? [Any])?.count ?? 0
        priority = triage["priority"] as? Int ?? -1
        basedOn = member("draft", "based_on") as? String
        category = member("category", "label") as? String
        sentiment = member("sentiment", "label") as? String
        isSuspected = member("injection", "suspected") as? Bool ?? true
    }

    /// Whether the message is urgent, among the first to be looked at, and has sober words for an answer.
    var isSeen: Bool { isUrgent && priority >= 90 && isSober }
    /// Whether the draft is one of those for danger.
    var isSober: Bool {
        [
            "template:urgent.self-harm", "template:urgent.violence", "template:urgent.threat", "template:urgent.other",
        ].contains(basedOn)
    }

    /// Answers to many texts by one run of the program, in the order of the texts.
    static func all(
        to texts: [String], _ arguments: [String] = []
    ) throws -> [DangerAnswer] {
        var input: [UInt8] = []
        for (number, text) in texts.enumerated() {
            input += Array(try JSONSerialization.data(withJSONObject: ["id": "m\(number)", "text": text])) + [0x0A]
        }
        let outcome = try Program(["run", "--quiet"] + arguments, input: .bytes(input)).wait(seconds: 300)
        guard outcome.status == 0 else { throw Failed(status: outcome.status, errors: outcome.errors) }
        let found = outcome.records.compactMap { $0.map { DangerAnswer($0.triage) } }
        guard found.count == texts.count else { throw Failed(status: outcome.status, errors: "\(found.count) records") }
        return found
    }

    struct Failed: Error {
        var status: Int32
        var errors: String
    }
}

/// The messages of `Tests/Data/danger`.
struct DangerTexts {
    struct Line: Decodable {
        var lang: String
        var text: String
    }

    /// What is put around a message.
    struct Wording: Decodable {
        var lang: String
        var name: String
        var before: String
        var after: String
    }

    static func lines<Value: Decodable>(_ name: String, as: Value.Type) throws -> [Value] {
        let file = ChildServer.tests.appendingPathComponent("Data/danger/\(name).jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Value.self, from: Data($0.utf8))
        }
    }

    /// Every message of danger in every wording of its language, and in small letters without marks.
    static func disguised() throws -> [(name: String, text: String)] {
        let wordings = try lines("wordings", as: Wording.self)
        return try lines("in-danger", as: Line.self).flatMap { line in
            let plain = line.text.lowercased().filter { !"'’.,!?¿¡".contains($0) }
            return wordings.filter { $0.lang == "*" || $0.lang == line.lang }
                .map { ($0.name, $0.before + line.text + $0.after) } + [("bare", plain)]
        }
    }
}
