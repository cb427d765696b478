import TriageConfig
package import TriageCore
import TriageRun

/// Describes a voice in words.
package enum VoicePage {
    private static let shown = 8

    package static func text(_ voice: Voice, width: Int?) -> String {
        habits(voice.habits) + "\n" + counts(voice, width) + "\n" + reused(voice, width)
    }

    private static func habits(_ habits: VoiceHabits) -> String {
        func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
        var lines: [String] = []
        lines.append("\(habits.replies) of your replies, median length \(habits.words.of("word"))")
        let languages = habits.languages.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if !languages.isEmpty {
            lines.append("languages: " + languages.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        }
        func places(_ what: String, _ mail: Double?, _ other: Double?) {
            let parts = [mail.map { "\(percent($0)) of e-mails" }, other.map { "\(percent($0)) of other replies" }]
            let known = parts.compactMap(\.self)
            if !known.isEmpty { lines.append("\(what): \(known.joined(separator: ", "))") }
        }
        places("begin with a greeting", habits.mailGreeting, habits.chatGreeting)
        places("end with your name", habits.mailSignature, habits.chatSignature)
        let greetings = habits.greetings.sorted { $0.key < $1.key }.map { "\($0.key) \"\($0.value)\"" }
        if !greetings.isEmpty { lines.append("greetings in e-mails: \(greetings.joined(separator: ", "))") }
        func words(_ what: String, _ texts: [String: String]) {
            let shown = texts.sorted { $0.key < $1.key }.map { "\($0.key) \"\($0.value)\"" }
            if !shown.isEmpty { lines.append("\(what): \(shown.joined(separator: ", "))") }
        }
        words("greetings to your audience", habits.audience.greetings)
        words("closings to your audience", habits.audience.closings)
        words("greetings to business partners", habits.partners.greetings)
        words("closings to business partners", habits.partners.closings)
        lines.append(
            "with an emoji: \(percent(habits.emoji))"
                + (habits.emojis.isEmpty ? "" : ", mostly \(habits.emojis.joined(separator: " "))"))
        lines.append("begin with a small letter: \(percent(habits.lowerCase))")
        lines.append("with an exclamation mark: \(percent(habits.exclamation))")
        for (tag, share) in habits.formal.sorted(by: { $0.key < $1.key }) {
            lines.append("formal address in \(tag): \(percent(share))")
        }
        if !habits.never.isEmpty { lines.append("hardly ever: \(habits.never.joined(separator: ", "))") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func counts(_ voice: Voice, _ width: Int?) -> String {
        var all: [String: (of: Int, reused: Int)] = [:]
        for pair in voice.pairs {
            let intent = pair.intent.hasPrefix("faq:") ? "faq" : pair.intent.isEmpty ? "none" : pair.intent
            all[intent, default: (0, 0)].of += 1
            if !pair.reuse.isEmpty { all[intent, default: (0, 0)].reused += 1 }
        }
        var table = TextTable(["MESSAGE", "REPLIES", "REUSABLE"])
        for (intent, count) in all.sorted(by: { ($1.value.of, $0.key) < ($0.value.of, $1.key) }) {
            table.add([intent, "\(count.of)", "\(count.reused)"])
        }
        return table.rendered(width: width)
    }

    private static func reused(_ voice: Voice, _ width: Int?) -> String {
        var all: [String: (of: Int, id: String)] = [:]
        for pair in voice.pairs where !pair.reuse.isEmpty { all[pair.reuse, default: (0, pair.id)].of += 1 }
        var table = TextTable(["TIMES", "PAIR", "REUSABLE TEXT"])
        for (text, use) in all.sorted(by: { ($1.value.of, $0.key) < ($0.value.of, $1.key) }).prefix(shown) {
            table.add(["\(use.of)", use.id, text])
        }
        return all.isEmpty ? "no reusable sentences yet\n" : table.rendered(width: width)
    }
}
