internal import ShippedLanguages

/// Words by which topics are spoken of, for profiles that name a topic in one word and senders who use another.
///
/// They stand in the language files; a profile and a message may be in different languages.
enum CreatorTopics {
    /// Families of words: an excluded topic that has one of the first brings all of the second.
    static let families: [(keys: [String], words: [String])] = {
        var families: [String: (keys: [String], words: [String])] = [:]
        for entry in ShippedLanguages.entries(of: "topics") {
            let path = entry.key.split(separator: ".").map(String.init)
            if path[1] == "named" {
                families[path[0], default: ([], [])].keys += entry.values
            } else {
                families[path[0], default: ([], [])].words += entry.values
            }
        }
        return families.sorted { $0.key < $1.key }.map(\.value)
    }()

    /// Words of niches, topics and titles that carry no topic by themselves.
    static let weak = words("weak")

    /// Words of titles that carry nothing.
    static let small = words("small")

    /// Nouns by which people speak of a creator's work.
    static let workNouns = words("work")

    private static func words(_ key: String) -> String {
        ShippedLanguages.entries(of: "profile_words").filter { $0.key == key }.flatMap(\.values)
            .joined(separator: " ")
    }
}
