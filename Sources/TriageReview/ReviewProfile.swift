import TriageConfig
import TriageCore
import TriageLLM
import TriageRun

/// The creator's profile, shown on the page and changed in the creator's file.
struct ReviewProfile {
    let setup: ReviewSetup
    let rescore: ReviewRescore

    func show() throws -> WebAnswer {
        guard let path = try setup.path(.creator) else {
            return .json("{\"profile\":null,\"path\":null,\"writable\":false}")
        }
        var out = JSONObjectText()
        out.add(raw: "profile", Self.json(try CreatorEditor(path: path).profile))
        out.add("path", path)
        out.add(raw: "writable", setup.isWritable(path) ? "true" : "false")
        return .json(out.text)
    }

    /// Replaces members of the file with what the page sent; members that are absent stay as they are.
    func change(_ body: JSONValue) throws -> WebAnswer {
        guard let path = try setup.path(.creator) else {
            return .refused(
                422, "creator.no-file", "no creator profile is named",
                remedy: "start triage review with --creator FILE, or in a folder with a triage.yaml")
        }
        let editor = try CreatorEditor(path: path)
        guard let wanted = Self.profile(body["profile"] ?? body, changing: editor.profile) else {
            return .refused(422, "creator.bad-profile", "a member of the profile has the wrong type")
        }
        try editor.save(wanted)
        if wanted != editor.profile { rescore.start() }
        return .json("{\"ok\":true,\"profile\":\(Self.json(try CreatorEditor(path: path).profile))}")
    }

    private static func json(_ profile: CreatorProfile) -> String {
        func list(_ texts: [String]) -> String { "[\(texts.map(JSONObjectText.string).joined(separator: ","))]" }
        var out = JSONObjectText()
        out.add("id", profile.id)
        out.add("name", profile.name)
        out.add(raw: "handles", list(profile.handles))
        out.add(raw: "platforms", list(profile.platforms))
        out.add(raw: "audience", profile.audience.map { "\($0)" } ?? "null")
        out.add(raw: "niches", list(profile.niches))
        out.add(raw: "excluded_topics", list(profile.excludedTopics))
        out.add(raw: "languages", list(profile.languages))
        out.add("voice", profile.voice)
        out.add("contact", profile.contact)
        out.add("rates_note", profile.rates)
        out.add(raw: "works", list(profile.works))
        out.add("timezone", profile.timezone)
        return out.text
    }

    /// The changed profile; nil when a member is unknown or of the wrong type.
    private static func profile(_ body: JSONValue, changing old: CreatorProfile) -> CreatorProfile? {
        guard let members = body.members else { return nil }
        var profile = old
        for member in members {
            let text = member.value.string
            let texts = member.value.array.flatMap { values -> [String]? in
                let texts = values.compactMap(\.string)
                return texts.count == values.count ? texts.filter { !$0.isEmpty } : nil
            }
            switch member.key {
            case "request": continue
            case "id": guard let text else { return nil }; profile.id = text
            case "name": guard let text else { return nil }; profile.name = text
            case "voice": guard let text else { return nil }; profile.voice = text
            case "contact": guard let text else { return nil }; profile.contact = text
            case "rates_note": guard let text else { return nil }; profile.rates = text
            case "timezone": guard let text else { return nil }; profile.timezone = text
            case "handles": guard let texts else { return nil }; profile.handles = texts
            case "platforms": guard let texts else { return nil }; profile.platforms = texts
            case "niches": guard let texts else { return nil }; profile.niches = texts
            case "excluded_topics": guard let texts else { return nil }; profile.excludedTopics = texts
            case "languages": guard let texts else { return nil }; profile.languages = texts
            case "works": guard let texts else { return nil }; profile.works = texts
            case "audience":
                if member.value == .null {
                    profile.audience = nil
                } else if let number = member.value.integer, number >= 0 {
                    profile.audience = number
                } else {
                    return nil
                }
            default: return nil
            }
        }
        return profile
    }
}
