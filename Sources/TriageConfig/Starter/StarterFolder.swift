public import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Makes the four files that a creator fills in; what is there already stays as it is.
public struct StarterFolder: Sendable {
    /// Empty: the current folder.
    public var path: String
    public var name = ""
    /// Without `@`.
    public var handle = ""

    /// What became of one file.
    public struct Outcome: Sendable, Equatable {
        public var path: String
        /// false: something of this name was there, and was not touched.
        public var isMade: Bool
    }

    public init(path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// Paths of the files that would be made, because nothing of their name is there.
    public var missing: [String] {
        files.map { ConfigurationFile.resolve($0.name, in: path) }.filter { !ConfigurationFile.exists($0) }
    }

    /// Makes the folder and the files, which only their owner may read.
    ///
    /// - Throws: ``TriageError`` `output.cannot-create` (exit 73) or `output.io` (exit 74).
    public func make() throws(TriageError) -> [Outcome] {
        if !path.isEmpty, mkdir(path, 0o755) != 0, errno != EEXIST {
            let code = errno
            throw TriageError(
                "output.cannot-create", "cannot make the folder: \(String(cString: strerror(code)))", at: path,
                remedy: SystemFault.remedy(code, otherwise: "make the folder above it first, or choose another place"),
                exit: SystemFault.exit(code, otherwise: .cannotCreate))
        }
        var outcomes: [Outcome] = []
        for file in files {
            let target = ConfigurationFile.resolve(file.name, in: path)
            outcomes.append(
                Outcome(path: target, isMade: try AtomicReplacement.create(target, with: Array(file.text.utf8))))
        }
        return outcomes
    }

    private var files: [(name: String, text: String)] {
        [
            ("triage.yaml", StarterText.settings),
            ("creator.yaml", StarterText.creator(name: name, handle: handle)),
            ("faq.yaml", StarterText.faq),
            ("rules.yaml", StarterText.rules),
        ]
    }
}

/// The texts of the files that `triage init` makes: valid as they are, with everything optional commented out.
private enum StarterText {
    /// Shows the defaults of the program, whatever they are.
    static var settings: String {
        let thresholds = Thresholds()
        let maxima = OpportunityMaxima()
        return """
            # How triage decides. Every key is optional; `triage check` looks at this folder.
            creator: creator.yaml
            faq: faq.yaml
            rules: rules.yaml
            # Where `triage sync` keeps messages and answers; `list`, `show` and `review` look there.
            store: inbox.db

            # Who answers: the statistical model, which weighs rules and words, or the rules alone.
            # methods: {category: model, sentiment: model, urgency: model, injection: model}

            # A language model for what the program is unsure of. Without these lines nothing ever leaves the machine, and
            # with them nothing does until you allow this folder: `triage trust`.
            # llm:
            #   provider: openai                  # openai (any compatible server), anthropic or ollama
            #   base_url: http://127.0.0.1:8080/v1
            #   model: qwen3-8b
            #   api_key_env: OPENAI_API_KEY       # or api_key_file
            #   price: {input: 0.15, output: 0.60, batch: 0.5}  # dollars per million tokens; batches cost half
            #   redact: true                      # addresses, numbers and handles never leave
            #   reasoning_effort: low             # for models that think; or none
            #   request_timeout: 120              # seconds for one request; waiting for a turn is not counted
            # limits: {max_cost: 1.00, max_requests: 5000, escalate_below: \(Escalation().categoryBelow)}

            # What the parts of an opportunity may give at most; whole numbers that add up to 100.
            # opportunity: {monetary: \(maxima.monetary), brand_fit: \(maxima.brandFit), \
            legitimacy: \(maxima.legitimacy), urgency: \(maxima.urgency)}

            # From which confidence an answer is called high or medium, and an FAQ entry offered.
            # thresholds:
            #   category: {high: \(thresholds.categoryHigh), medium: \(thresholds.categoryMedium)}
            #   sentiment: {high: \(thresholds.sentimentHigh), medium: \(thresholds.sentimentMedium)}
            #   faq: {high: \(thresholds.faqHigh), possible: \(thresholds.faqPossible)}
            # ("urgency: 0.5" and "injection: 0.5" stand there too; without them it is what training chose.)

            # Units of a currency for one US dollar; currencies that are left out keep the rates of the program.
            # exchange:
            #   date: \(ExchangeRates.shipped.date)
            #   rates: {EUR: 0.86, GBP: 0.75}

            """
    }

    static func creator(name: String, handle: String) -> String {
        """
        # Who you are. Brand fit, drafts and the search for impostors depend on it.
        name:\(name.isEmpty ? "" : " \(YAMLText.scalar(name))")
        # Your own handles, without @; messages from them are yours.
        handles:\(handle.isEmpty ? " []" : "\n  - \(YAMLText.scalar(handle))")
        # platforms: [instagram, youtube, email]
        # Followers over all platforms.
        # audience: 180000

        # What you make, in the words people use for it; offers near to it fit best.
        niches: []
        # niches: [pottery, ceramics, glazing, studio tours]

        # What you never advertise.
        excluded_topics: []
        # excluded_topics: [gambling, crypto, alcohol]

        # Languages you answer in; the first is yours.
        languages: [en]

        # How you write, for drafts.
        # voice: Calm and practical. Short sentences. One emoji at most.

        # For your eyes: never part of a draft.
        # rates_note: Reels from EUR 1,800.

        # Titles of your works; an offer that names one has looked.
        works: []

        # Weekdays and "tomorrow" are read in this zone.
        # timezone: Europe/Stockholm

        """
    }

    static let faq = """
        # What you are asked again and again. `triage faq add` adds an entry, `triage faq check` looks for trouble.
        #
        # - id: camera
        #   category: Equipment
        #   question: Which camera do you use?
        #   also_asked:
        #     - What do you film with?
        #   answer: A small mirrorless one with a 35 mm lens. The list is on my gear page.

        """

    static let rules = """
        # Your own signals, on top of those that come with triage (`triage rules list` shows them).
        # `triage rules check` reads this file, `triage rules test` tries the examples.
        signals:
        # A new signal:
        # - name: mine.course-question
        #   why: Questions about my course come from fans.
        #   words: ["your course", "the workshop"]
        #   feeds: {fan: 1.2}
        #   examples:
        #     match: ["When does the workshop start?"]
        #     no_match: ["I enjoyed the video."]
        #
        # A change: only the keys that are given change.
        # - name: link.short
        #   feeds: {spam: 0.4}
        #
        # Switched off:
        # - name: shape.caps
        #   enabled: false

        """
}
