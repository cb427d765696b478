import Foundation
import ShippedLanguages
import Testing
import TriageCore

@testable import TriageStages

/// What holds of every language file, so that a new one is checked by being there.
struct LanguageFilesTests {
    private static let dates = [
        "months", "weak_months", "weekdays", "weak_weekdays", "days", "units", "day_parts", "numbers", "magnitudes",
        "currencies",
    ]
    private static let families = [
        "fan", "business", "part", "spam", "urgent", "danger", "injection", "sentiment", "fact",
    ]
    private static let sections =
        dates + [
            "roles", "leads", "money_phrases", "questions", "closings", "faq", "faq_only_here", "topics",
            "profile_words", "not_names", "own_replies", "replies",
        ]

    /// A line for each language: what its file has.
    ///
    /// What is not there is not known in that language: nothing takes another language's words for it.
    @Test func `each file has the sections that the list of sections says`() throws {
        let list = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Data/languages/sections.txt")
        let expected = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter {
            !$0.hasPrefix("#")
        }
        var found: [String: [String]] = [:]
        for file in ShippedLanguages.files { found[file.language] = [] }
        for section in Self.sections {
            for language in Set(ShippedLanguages.entries(of: section).map(\.language)) {
                found[language, default: []].append(section)
            }
        }
        for (language, families) in Self.signalFamilies() {
            found[language, default: []] += Self.families.filter { families.contains($0) }.map { "\($0).*" }
        }
        let lines = found.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: " "))" }
            .map { $0.hasSuffix(": ") ? String($0.dropLast()) : $0 }
        #expect(lines == expected.map(String.init))
    }

    /// Beginnings of names of signals, for each language that has words for them.
    private static func signalFamilies() -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for file in ShippedLanguages.files {
            let text = file.text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
            guard let signals = text.components(separatedBy: "\nsignals:\n").dropFirst().first else { continue }
            for line in signals.split(separator: "\n") where line.hasPrefix("  ") && !line.hasPrefix("   ") {
                guard let end = line.firstIndex(of: "."), line.dropFirst(2).first != "#" else { continue }
                found[file.language, default: []].insert(String(line[..<end].dropFirst(2)))
            }
        }
        return found
    }

    @Test func `every language is one that triage tells apart`() {
        for file in ShippedLanguages.files {
            #expect(LanguageTable.tags.contains(file.language), "\(file.name)")
        }
    }

    @Test func `words that are compared with folded text are folded`() {
        let folder = TextFolder()
        for section in Self.dates + ["roles", "leads", "money_phrases", "questions", "topics", "profile_words"] {
            for entry in ShippedLanguages.entries(of: section) where !entry.key.hasSuffix(".gap") {
                for word in entry.values {
                    #expect(
                        String(decoding: folder.fold(word), as: UTF8.self) == word,
                        "\(entry.language).yaml, \(section), \(entry.key): '\(word)' is never found")
                }
            }
        }
    }

    @Test(arguments: dates.filter { $0 != "currencies" }) func `a word has one value in its language`(section: String) {
        var keys: [String: String] = [:]
        for entry in ShippedLanguages.entries(of: section) {
            for word in entry.values {
                let other = keys.updateValue(entry.key, forKey: "\(entry.language) \(word)")
                #expect(
                    other == nil, "\(entry.language).yaml, \(section): '\(word)' is \(other ?? "") and \(entry.key)")
            }
        }
    }

    @Test func `every name of a role or a lead means something`() {
        for entry in ShippedLanguages.entries(of: "roles") {
            #expect(FactWords.roles[entry.key] != nil, "\(entry.key)")
        }
        for entry in ShippedLanguages.entries(of: "leads") {
            #expect(FactWords.leads[entry.key] != nil, "\(entry.key)")
        }
        for currency in FactWords.currencies.dropFirst() { #expect(currency != nil) }
    }

    @Test func `a language that has drafts has all of them`() {
        for template in ReplyTemplates.bySituation + [
            ReplyTemplates.praiseOfWork, ReplyTemplates.missing, ReplyTemplates.noted,
            ReplyTemplates.route, ReplyTemplates.next, ReplyTemplates.orderRoute,
        ] {
            for (language, wordings) in zip(ReplyTemplates.languages, template.wordings) {
                #expect(!wordings.isEmpty, "\(language).yaml has no words for \(template.name)")
            }
        }
    }

    @Test func `a language that has drafts has words for everything that an offer may lack`() {
        #expect(ReplyTemplates.askNames == ["fee"])
        for (language, words) in zip(ReplyTemplates.languages, ReplyTemplates.offerWords) {
            for (name, text) in zip(ReplyTemplates.askNames, words.asks) {
                #expect(!text.isEmpty, "\(language).yaml has no words for asking of: \(name)")
            }
            #expect(words.fee.contains("{fee}") && words.day.contains("{day}"), "\(language).yaml, replies.facts")
            #expect(words.answerDay.contains("{day}"), "\(language).yaml, replies.facts")
            #expect(words.date.contains("{day}") && words.date.contains("{month}"), "\(language).yaml, replies.day")
            #expect(!words.months.contains("") && !words.comma.isEmpty && !words.and.isEmpty, "\(language).yaml")
        }
    }
}
