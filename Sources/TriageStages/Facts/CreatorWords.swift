internal import ShippedLanguages
internal import TriageCore

/// The creator's works, niches, excluded topics and names, compiled into the word table.
struct CreatorWords: Sendable {
    /// The roles that one word can have for this creator.
    struct Posting: Sendable {
        /// Parts in ``nicheParts`` that the word belongs to, as pairs of the part and the word's bit in it.
        var niches: [(part: Int, bit: UInt8)] = []
        var excluded: [(part: Int, bit: UInt8)] = []
        var works: [(work: Int, position: Int, word: Int)] = []
        /// Whether the word alone names a topic that the creator excludes.
        var isExcludedWord = false
        /// Runs of words, as posting indices, that name an excluded topic when this word directly follows them:
        /// "online" of "online slots".
        var excludedBehind: [[Int]] = []
        var isName = false
        /// Whether the word also occurs in a niche or title, or is a different form of its topic's word ("better" of
        /// "betting"), so that it does not exclude a topic on its own.
        var isDoubtful = false
        var isNicheWord = false
        /// A rare word of a title: beside a noun such as "video" it names the work.
        var isDistinctive = false
    }

    private(set) var postings: [Posting] = [Posting()]
    /// For each part, the bits that a message must have: one per word.
    private var nicheParts: [UInt8] = []
    private var excludedParts: [UInt8] = []
    /// Number of content words in each title.
    private var workLengths: [Int] = []
    private static let weak = WordSet(CreatorTopics.weak)
    private static let small = WordSet(CreatorTopics.small)
    private static let workNouns = WordSet(CreatorTopics.workNouns)

    /// An occurrence of one of the creator's words in a text.
    struct Mark: BitwiseCopyable {
        var token: Int32
        /// Index into ``postings``.
        var posting: UInt16
    }

    /// Maximum number of marks of a text that are read.
    static let markLimit = 1024

    /// References to the creator that a message contains.
    struct Findings: Equatable {
        var work = -1
        /// Folded offsets; empty when nothing was found.
        var workPlace = 0..<0
        /// Whether it is only a distinctive title word beside a noun such as "video", or a part of a title.
        var isLooseWork = false
        var nichePlace = 0..<0
        /// How many words of the niches occur, 0–255.
        var nicheWords = 0
        /// Where a word of an excluded topic occurs.
        var excludedPlace = 0..<0
        /// Whether one of these words names the topic on its own.
        var isExcluded = false
        var namePlace = 0..<0
    }

    init(_ profile: CreatorProfile, into table: inout WordTable) {
        let folder = TextFolder()
        var known: [[UInt8]: Int] = [:]
        func posting(_ word: [UInt8]) -> Int {
            if let index = known[word] { return index }
            guard postings.count < Int(UInt16.max) else { return 0 }
            postings.append(Posting())
            known[word] = postings.count - 1
            let index = UInt16(postings.count - 1)
            table.add(word) {
                $0.posting = index
                $0.roles.insert(.creator)
            }
            return postings.count - 1
        }
        for niche in profile.niches.prefix(200) {
            for part in Self.parts(niche, folder) where !part.allSatisfy(Self.isNumber) {
                let index = nicheParts.count
                var need: UInt8 = 0
                for (bit, word) in part.prefix(8).enumerated() {
                    need |= 1 << UInt8(bit)
                    for form in Self.forms(of: word) {
                        let at = posting(form)
                        postings[at].niches.append((index, 1 << UInt8(bit)))
                        if !Self.isWeak(word) { postings[at].isNicheWord = true }
                    }
                }
                nicheParts.append(need)
            }
        }
        let excludedWords = Self.excludedWords(profile, folder)
        var otherWords = Set<Int>()
        for topic in profile.excludedTopics.prefix(200) {
            for part in Self.parts(topic, folder) {
                // A weak word alone says nothing: "plays", "places", the number of "18+".
                if part.allSatisfy(Self.isNumber) || part.count == 1 && Self.isWeak(part[0]) { continue }
                // "homework-answer services" are also an app that answers homework.
                let telling = part.filter { !Self.isWeak($0) }
                let index = excludedParts.count
                var need: UInt8 = 0
                for (bit, word) in (telling.count >= 2 ? telling : part).prefix(8).enumerated() {
                    need |= 1 << UInt8(bit)
                    let doubtful = Self.doubtfulForms(of: word)
                    for form in Self.forms(of: word) {
                        let at = posting(form)
                        postings[at].excluded.append((index, 1 << UInt8(bit)))
                        if doubtful.contains(form) { otherWords.insert(at) }
                    }
                }
                excludedParts.append(need)
            }
        }
        for family in CreatorTopics.families where family.isNamed(by: excludedWords) {
            for word in family.words {
                let parts = folder.words(word)
                guard let last = parts.last else { continue }
                if parts.count == 1 {
                    postings[posting(last)].isExcludedWord = true
                } else {
                    let before = parts.dropLast().map(posting)
                    postings[posting(last)].excludedBehind.append(before)
                }
            }
        }
        // Words that the language files list for the topic name it, whatever form they are.
        for index in otherWords where !postings[index].isExcludedWord { postings[index].isDoubtful = true }
        for index in postings.indices where postings[index].isNicheWord { postings[index].isDoubtful = true }
        for work in profile.works.prefix(500) {
            let words = folder.words(work).enumerated().filter { !Self.isNumber($1) && !Self.small.contains($1) }
            for (position, (place, word)) in words.prefix(12).enumerated() {
                let at = posting(word)
                postings[at].works.append((workLengths.count, position, place))
                postings[at].isDoubtful = true
                let isTelling = word.count >= 5 && !postings[at].isNicheWord && !Self.weak.contains(word)
                if isTelling { postings[at].isDistinctive = true }
            }
            workLengths.append(words.count)
        }
        let first = folder.words(profile.name).first.map { [$0] } ?? []
        let handles = profile.handles.flatMap { folder.words($0) }
        for word in first + handles where word.count >= 3 && !Self.isNumber(word) {
            postings[posting(word)].isName = true
        }
    }

    /// Names of the topics of the language files that a profile excludes: "gambling".
    static func excludedTopics(of profile: CreatorProfile) -> Set<String> {
        let words = excludedWords(profile, TextFolder())
        return Set(CreatorTopics.families.filter { $0.isNamed(by: words) }.map(\.name))
    }

    /// All words of the topics that a profile excludes, in every form.
    private static func excludedWords(_ profile: CreatorProfile, _ folder: TextFolder) -> Set<[UInt8]> {
        var words = Set<[UInt8]>()
        for topic in profile.excludedTopics.prefix(200) {
            for part in parts(topic, folder) { words.formUnion(part.flatMap { forms(of: $0) }) }
            let raw = String(decoding: folder.fold(topic), as: UTF8.self).split { $0 == " " || $0 == "," }
            words.formUnion(raw.map { Array($0.utf8) })
        }
        return words
    }

    private static func isNumber(_ word: [UInt8]) -> Bool { word.allSatisfy(isDigit) }

    private static func isWeak(_ word: [UInt8]) -> Bool { weak.contains(word) || isNumber(word) }

    /// Splits a phrase into parts: "gambling and betting" is two topics; "weight-loss pills" is one of three words.
    private static func parts(_ phrase: String, _ folder: TextFolder) -> [[[UInt8]]] {
        let folded = String(decoding: folder.fold(phrase), as: UTF8.self)
        var parts: [[[UInt8]]] = []
        var current: [[UInt8]] = []
        func close() {
            let content = current.filter { !joins.contains($0) }
            if !content.isEmpty { parts.append(content) }
            current = []
        }
        for piece in folded.split(separator: " ") {
            let endsPart = piece.last == "," || piece.last == ";" || piece.last == "/"
            for word in folder.words(String(piece)) {
                if ["and", "or", "y", "e", "et", "und", "o", "ou", "oder", "for", "of"].contains(where: {
                    word.elementsEqual($0.utf8)
                }) {
                    close()
                } else {
                    current.append(word)
                }
            }
            if endsPart { close() }
        }
        close()
        return parts
    }

    private static let joins: Set<[UInt8]> = Set(["the", "a", "an", "mostly", "s", "de", "la"].map { Array($0.utf8) })

    /// Returns the forms of an English word that people use for the same thing.
    static func forms(of word: [UInt8]) -> [[UInt8]] {
        var all: Set<[UInt8]> = [word]
        func ends(_ suffix: String) -> Bool {
            word.count > suffix.utf8.count + 2 && word.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        }
        func with(_ stem: ArraySlice<UInt8>, _ suffix: String) { all.insert(Array(stem) + Array(suffix.utf8)) }
        let isASCII = word.allSatisfy { $0 < 0x80 }
        guard isASCII, word.count >= 3 else { return [word] }
        var stem = word[...]
        if ends("ies") {
            stem = word.dropLast(3)
            with(stem, "y")
            return Array(all)
        }
        if ends("s"), !ends("ss") {
            stem = word.dropLast(1)
            with(stem, "")
        } else {
            with(stem, "s")
        }
        let base = stem
        if base.count > 5, base.suffix(3).elementsEqual("ing".utf8) {
            var root = base.dropLast(3)
            with(root, "")
            with(root, "e")
            with(root, "er")
            with(root, "ers")
            with(root, "ed")
            with(root, "es")
            // betting → bet, running → run
            if root.count >= 3, root[root.endIndex - 1] == root[root.endIndex - 2] {
                root = root.dropLast()
                with(root, "")
                with(root, "s")
            }
        }
        if base.count > 4, base.suffix(2).elementsEqual("er".utf8) { with(base.dropLast(2), "ing") }
        return all.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Forms of words like "betting" and "trading" that mean something else: a trade price is not trading, a bet not
    /// betting.
    private static func doubtfulForms(of word: [UInt8]) -> Set<[UInt8]> {
        guard word.suffix(3).elementsEqual("ing".utf8) else { return [] }
        return Set(forms(of: word)).subtracting([word, word + Array("s".utf8)])
    }

    /// Reads the marks of one message, in order.
    ///
    /// - Parameter isProminent: whether a word begins with a capital letter or follows a quotation mark.
    func findings(
        _ marks: UnsafeBufferPointer<Mark>, in text: MessageText, scratch: inout [UInt8],
        isProminent: (Int) -> Bool
    ) -> Findings {
        var result = Findings()
        let partCount = nicheParts.count + excludedParts.count
        if scratch.count < partCount { scratch = [UInt8](repeating: 0, count: partCount) }
        for i in 0..<partCount { scratch[i] = 0 }
        var run = TitleRun()
        var lastNiche = -1
        for (place, mark) in marks.enumerated() {
            let (token, index) = (Int(mark.token), Int(mark.posting))
            let posting = postings[index]
            let words = text.start(token)..<text.end(token)
            for (part, bit) in posting.niches {
                scratch[part] |= bit
                if scratch[part] == nicheParts[part], result.nichePlace.isEmpty { result.nichePlace = words }
            }
            if posting.isNicheWord, lastNiche != index, result.nicheWords < 255 {
                lastNiche = index
                result.nicheWords += 1
                if result.nicheWords == 2, result.nichePlace.isEmpty { result.nichePlace = words }
            }
            if posting.isExcludedWord {
                if result.excludedPlace.isEmpty { result.excludedPlace = words }
                if !posting.isDoubtful { result.isExcluded = true }
            }
            if posting.excludedBehind.contains(where: { Self.stands($0, before: place, in: marks) }) {
                if result.excludedPlace.isEmpty { result.excludedPlace = words }
                result.isExcluded = true
            }
            for (part, bit) in posting.excluded {
                let at = nicheParts.count + part
                scratch[at] |= bit
                if scratch[at] == excludedParts[part] {
                    if result.excludedPlace.isEmpty { result.excludedPlace = words }
                    if !posting.isDoubtful { result.isExcluded = true }
                }
            }
            if posting.isName, result.namePlace.isEmpty { result.namePlace = words }
            if result.work < 0, !posting.works.isEmpty {
                findWork(posting, token, text, &run, &result, isProminent)
            }
        }
        return result
    }

    /// Whether these words occur directly before a mark, in order.
    private static func stands(_ words: [Int], before place: Int, in marks: UnsafeBufferPointer<Mark>) -> Bool {
        guard place >= words.count else { return false }
        for (behind, word) in words.reversed().enumerated() {
            let mark = marks[place - behind - 1]
            guard Int(mark.posting) == word, mark.token == marks[place].token - Int32(behind) - 1 else { return false }
        }
        return true
    }

    /// Consecutive words of one title found in a text.
    private struct TitleRun {
        var work = -1
        var position = -1
        var word = -1
        var token = -1
        var length = 0
        var first = 0
        /// Whether it contains a word of the creator's niche, which others use for other things.
        var isPlain = false
        /// Whether it contains a distinctive word: "quand même" and "j'ai" occur in every other message.
        var isTelling = false
    }

    private func findWork(
        _ posting: Posting, _ token: Int, _ text: MessageText,
        _ run: inout TitleRun, _ result: inout Findings,
        _ isProminent: (Int) -> Bool
    ) {
        // The next word of the title must come about as far away as in the title.
        if run.work >= 0,
            let next = posting.works.first(where: { $0.work == run.work && $0.position == run.position + 1 }),
            token - run.token <= next.word - run.word + 1
        {
            run.position = next.position
            run.word = next.word
            run.token = token
            run.length += 1
            run.isPlain = run.isPlain || posting.isNicheWord
            run.isTelling = run.isTelling || posting.isDistinctive
            let isPlain = run.isPlain || !run.isTelling
            if run.length >= 3 && run.isTelling
                || run.length >= min(2, workLengths[run.work]) && (!isPlain || isProminent(run.first))
            {
                result.work = run.work
                result.workPlace = text.start(run.first)..<text.end(token)
            } else {
                result.isLooseWork = result.isLooseWork || !isPlain
            }
            return
        }
        let best = posting.works.min { $0.position < $1.position }!
        run = TitleRun(
            work: best.work, position: best.position, word: best.word, token: token, length: 1, first: token,
            isPlain: posting.isNicheWord, isTelling: posting.isDistinctive)
        if posting.isDistinctive {
            if workLengths[best.work] == 1, isProminent(token) {
                result.work = best.work
                result.workPlace = text.start(token)..<text.end(token)
            } else if isSpokenOfAsWork(token, text) {
                result.isLooseWork = true
                if result.workPlace.isEmpty { result.workPlace = text.start(token)..<text.end(token) }
            }
        }
    }

    /// Whether a noun nearby shows that a work is meant: "the postwoman month", "your kettle video".
    private func isSpokenOfAsWork(_ token: Int, _ text: MessageText) -> Bool {
        for i in max(0, token - 3)..<min(text.tokens.count, token + 4) where i != token {
            if Self.workNouns.contains(hash: text.tokens[i].hash) { return true }
        }
        return false
    }
}

/// Words for topics, because a profile may name a topic with one word and a sender with another.
///
/// They are in the language files; a profile and a message may be in different languages.
private enum CreatorTopics {
    /// An excluded topic that contains one of the keys also excludes all the words.
    struct Family {
        /// The same in all language files.
        var name: String
        var keys: [String] = []
        var words: [String] = []

        func isNamed(by words: Set<[UInt8]>) -> Bool { keys.contains { words.contains(Array($0.utf8)) } }
    }

    static let families: [Family] = {
        var families: [String: Family] = [:]
        for entry in ShippedLanguages.entries(of: "topics") {
            let path = entry.key.split(separator: ".").map(String.init)
            if path[1] == "named" {
                families[path[0], default: Family(name: path[0])].keys += entry.values
            } else {
                families[path[0], default: Family(name: path[0])].words += entry.values
            }
        }
        return families.sorted { $0.key < $1.key }.map(\.value)
    }()

    /// Words of niches, topics and titles that do not name a topic on their own.
    static let weak = words("weak")

    /// Words in titles that carry no meaning.
    static let small = words("small")

    /// Nouns that people use for a creator's work.
    static let workNouns = words("work")

    private static func words(_ key: String) -> String {
        ShippedLanguages.entries(of: "profile_words").filter { $0.key == key }.flatMap(\.values)
            .joined(separator: " ")
    }
}
