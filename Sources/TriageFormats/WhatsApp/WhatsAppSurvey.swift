import TriageCore

/// Facts about a chat that no single line shows.
struct WhatsAppSurvey {
    /// The template of most headers.
    private(set) var template: UInt32 = 0
    /// The date order; nil: day and month cannot be distinguished.
    private(set) var order: DateOrder?
    /// Whether the order is only a guess from the habits of most phones of that kind.
    private(set) var isGuess = false
    /// Whether the requested order fits less than half of the dates.
    private(set) var isOverruled = false
    /// Names of speakers, for lines with several colons.
    private(set) var known = Set<String>()
    /// Names under which only WhatsApp speaks: those of groups.
    private(set) var systemAuthors = Set<String>()
    /// The speakers, sorted.
    private(set) var speakers: [String] = []
    private(set) var hasHeaders = false
    /// Time of the first message.
    private(set) var first: Int64?

    private struct Count {
        var lines = 0
        /// Lines not marked as WhatsApp's own.
        var plain = 0
        /// Lines that are not notices.
        var spoken = 0
    }

    /// Maximum number of names counted.
    private static let maximumNames = 10_000

    init(_ bytes: UnsafeBufferPointer<UInt8>, title: String?, order said: DateOrder?) {
        let block = WhatsAppBlock(bytes, isLast: true)
        var counts: [UInt32: Int] = [:]
        for candidate in block.candidates { counts[candidate.header.template, default: 0] += 1 }
        // On a tie, the first one wins.
        var best = 0
        for candidate in block.candidates {
            let count = counts[candidate.header.template] ?? 0
            if count > best {
                best = count
                template = candidate.header.template
            }
        }
        guard best > 0 else { return }
        hasHeaders = true
        let common = block.candidates.filter { WhatsAppHeader.areKin($0.header.template, template) }
        decideOrder(common.map(\.header), said)
        first = common.first?.header.seconds(order ?? .dmy)
        surveyNames(bytes, common, block.end, title)
    }

    // MARK: Day and month

    private mutating func decideOrder(_ headers: [WhatsAppHeader], _ said: DateOrder?) {
        if headers[0].isYearFirst {
            order = .ymd
            return
        }
        if let said {
            if headers.count(where: { $0.seconds(said) != nil }) * 2 > headers.count {
                order = said
                return
            }
            isOverruled = true
        }
        let firsts = headers.count { $0.first > 12 }
        let seconds = headers.count { $0.second > 12 }
        if headers.contains(where: { $0.first > 31 }), !headers.contains(where: { $0.third > 31 }) {
            order = .ymd
            return
        }
        if firsts != seconds {
            // Pasted lines may contradict, so the majority decides.
            order = firsts > seconds ? .dmy : .mdy
            return
        }
        guard firsts == 0 else { return }
        let days = jumps(headers, .dmy)
        let months = jumps(headers, .mdy)
        if (days == 0) != (months == 0) {
            order = days == 0 ? .dmy : .mdy
            return
        }
        let firstChanges = zip(headers, headers.dropFirst()).count { $0.first != $1.first }
        let secondChanges = zip(headers, headers.dropFirst()).count { $0.second != $1.second }
        if firstChanges != secondChanges {
            order = firstChanges > secondChanges ? .dmy : .mdy
        } else if headers[0].isDotted {
            order = .dmy
            isGuess = true
        } else if headers[0].isTwelveHour, headers[0].isSlashed {
            order = .mdy
            isGuess = true
        } else if headers.allSatisfy({ $0.first == $0.second }) {
            // Both orders give the same day.
            order = .dmy
        }
    }

    /// How often time goes back by more than a clock change.
    private func jumps(_ headers: [WhatsAppHeader], _ order: DateOrder) -> Int {
        var count = 0
        var before: Int64?
        for header in headers {
            guard let time = header.seconds(order) else {
                count += 1
                continue
            }
            if let before, time < before - 4 * 3600 { count += 1 }
            before = time
        }
        return count
    }

    // MARK: Names

    private mutating func surveyNames(
        _ bytes: UnsafeBufferPointer<UInt8>, _ candidates: [WhatsAppBlock.Candidate], _ end: Int, _ title: String?
    ) {
        var counts: [String: Count] = [:]
        var longer: [String: (first: String, count: Int)] = [:]
        var greeter: String?
        for (index, candidate) in candidates.enumerated() {
            let stop = index + 1 < candidates.count ? candidates[index + 1].start : end
            let rest = UnsafeBufferPointer(rebasing: bytes[(candidate.start + Int(candidate.header.length))..<stop])
            guard let author = WhatsAppAuthor.split(rest, known: []) else { continue }
            guard counts[author.name] != nil || counts.count < Self.maximumNames else { continue }
            let body = UnsafeBufferPointer(rebasing: rest[author.length...])
            let first = UnsafeBufferPointer(rebasing: body[..<(body.firstIndex(of: 0x0A) ?? body.count)])
            let isMarked = first.starts(with: WhatsAppMarks.own)
            let line = WhatsAppMarks.plain(first.prefix(400))
            let isNotice = WhatsAppNotices.isNotice(
                line, author: author.name, isMarked: isMarked,
                isWhole: body.dropFirst(first.count).allSatisfy(Opening.isBlank))
            if greeter == nil, isMarked, WhatsAppNotices.isEncryption(line) { greeter = author.name }
            counts[author.name, default: Count()].lines += 1
            if !isMarked { counts[author.name]?.plain += 1 }
            if !isNotice { counts[author.name]?.spoken += 1 }
            if let colon = WhatsAppAuthor.split(body, known: []), colon.name.utf8.count <= 40,
                longer.count < Self.maximumNames
            {
                longer[author.name + ": " + colon.name, default: (author.name, 0)].count += 1
            }
        }
        for (name, count) in counts where !WhatsAppNotices.isNoticeName(name, count: count.lines) { known.insert(name) }
        // A name with a colon in it: everything said under its first part continues in the same way.
        for (name, (first, count)) in longer where count >= 2 {
            guard counts[first]?.lines == count, first != title,
                Self.couldBeName(name.dropFirst(first.count + 2))
            else { continue }
            known.insert(name)
            counts[name] = counts.removeValue(forKey: first)
        }
        if let greeter, counts[greeter]?.plain == 0 { systemAuthors.insert(greeter) }
        let spoken = counts.filter { $0.value.spoken > 0 && known.contains($0.key) && !systemAuthors.contains($0.key) }
        // In a chat between two people, the title is the partner's name; in a group, it is nobody's. Lines under the
        // group's name all have WhatsApp's mark; a person with the same name would also speak without it.
        if let title, counts[title]?.plain == 0, spoken.keys.count(where: { $0 != title }) > 2 {
            systemAuthors.insert(title)
        }
        speakers = spoken.keys.filter { !systemAuthors.contains($0) }.sorted()
    }

    private static func couldBeName(_ text: Substring) -> Bool {
        guard let first = text.first, first.isUppercase, text.utf8.count <= 30 else { return false }
        return text.split(separator: " ").count <= 3 && !text.contains { $0.isPunctuation && $0 != "-" && $0 != "'" }
    }
}
