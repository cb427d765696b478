import Platform
package import TriageCore

/// Makes the four files that a creator fills in; what is there already stays as it is.
package struct StarterFolder: Sendable {
    /// Empty: the current folder.
    package var path: String
    package var name = ""
    /// Without `@`.
    package var handle = ""

    /// What became of one file.
    package struct Outcome: Sendable, Equatable {
        package var path: String
        /// false: something of this name was there, and was not touched.
        package var isMade: Bool
    }

    package init(path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// Paths of the files that would be made, because nothing of their name is there.
    package var missing: [String] {
        files.map { ConfigurationFile.resolve($0.name, in: path) }.filter { !ConfigurationFile.exists($0) }
    }

    /// Makes the folder and the files, which only their owner may read.
    ///
    /// - Throws: ``TriageError`` `output.cannot-create` (exit 73) or `output.io` (exit 74).
    package func make() throws(TriageError) -> [Outcome] {
        if !path.isEmpty, mkdir(path, 0o755) != 0, errno != EEXIST {
            let code = errno
            throw TriageError(
                "output.cannot-create", "cannot create the folder: \(String(cString: strerror(code)))", at: path,
                remedy: SystemFault.remedy(code, otherwise: "create its parent folder first, or choose another place"),
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
            # How triage decides. Every key is optional; `triage check` checks this folder.
            creator: creator.yaml
            faq: faq.yaml
            rules: rules.yaml
            # Where `triage sync` stores messages and answers; `list`, `show` and `review` read it.
            store: inbox.db

            # Methods: the statistical model, which weighs rules and words, or the rules alone. The sentence encoder also
            # reads what a message means, about 20 ms each; `sentiment: model`, `urgency: model` and `faq: rules` leave it out.
            # methods: {category: model, sentiment: encoder, urgency: encoder, injection: model, faq: encoder}

            # An LLM for unsure answers. Without these lines, nothing ever leaves the machine; with them, nothing does
            # until you allow this folder with `triage trust`.
            # llm:
            #   provider: openai                  # openai (any compatible server), anthropic or ollama
            #   base_url: http://127.0.0.1:8080/v1
            #   model: qwen3-8b
            #   api_key_env: OPENAI_API_KEY       # or api_key_file
            #   price: {input: 0.15, output: 0.60, batch: 0.5}  # dollars per million tokens; batches cost half
            #   redact: true                      # addresses, numbers and handles are never sent
            #   reasoning_effort: low             # for reasoning models; or none
            #   request_timeout: 120              # seconds per request; waiting in the queue does not count
            # limits: {max_cost: 1.00, max_requests: 5000, escalate_below: \(Escalation().categoryBelow)}

            # Maximum points of each part of an opportunity; whole numbers that add up to 100.
            # opportunity: {monetary: \(maxima.monetary), brand_fit: \(maxima.brandFit), \
            legitimacy: \(maxima.legitimacy), urgency: \(maxima.urgency)}

            # Minimum confidence for an answer to be high or medium, and for an FAQ match.
            # thresholds:
            #   category: {high: \(thresholds.categoryHigh), medium: \(thresholds.categoryMedium)}
            #   sentiment: {high: \(thresholds.sentimentHigh), medium: \(thresholds.sentimentMedium)}
            #   faq: {high: \(thresholds.faqHigh), possible: \(thresholds.faqPossible)}
            # ("urgency: 0.5" and "injection: 0.5" are possible too; the default is chosen in training.)

            # Units of a currency per US dollar; missing currencies keep the shipped rates.
            # exchange:
            #   date: \(ExchangeRates.shipped.date)
            #   rates: {EUR: 0.86, GBP: 0.75}

            """
    }

    static func creator(name: String, handle: String) -> String {
        """
        # Who you are. Used for brand fit, drafts and detecting impostors.
        name:\(name.isEmpty ? "" : " \(YAMLText.scalar(name))")
        # Your own handles, without @; messages from them count as yours.
        handles:\(handle.isEmpty ? " []" : "\n  - \(YAMLText.scalar(handle))")
        # platforms: [instagram, youtube, email]
        # Followers over all platforms.
        # audience: 180000

        # What you make, in the words people use for it; matching offers fit best.
        niches: []
        # niches: [pottery, ceramics, glazing, studio tours]

        # What you never advertise.
        excluded_topics: []
        # excluded_topics: [gambling, crypto, alcohol]

        # Languages you answer in; the first is yours.
        languages: [en]

        # How you write, for drafts.
        # voice: Calm and practical. Short sentences. One emoji at most.

        # Where offers go; drafts name it. With a manager, offers go there.
        # contact: deals@example.com
        # manager: Jo Berg <jo@example.com>

        # Only for you: never part of a draft. Offers below the minimum are declined.
        # rates: {reel: 1800 EUR, story: 400 EUR}
        # minimum_fee: 300 EUR

        # Titles of your works; an offer that names one fits better.
        works: []

        # Time zone for weekdays and "tomorrow".
        # timezone: Europe/Stockholm

        """
    }

    static let faq = """
        # Frequent questions. `triage faq add` adds an entry, `triage faq check` finds problems.
        #
        # - id: camera              # optional; made from the question
        #   category: Equipment
        #   question: Which camera do you use?
        #   also_asked:
        #     - What do you film with?
        #   answer: A small mirrorless one with a 35 mm lens. The list is on my gear page.

        """

    static let rules = """
        # Your own signals, added to the shipped ones (`triage rules list` shows them).
        # `triage rules check` checks this file, `triage rules test` tests the examples.
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
        # A change: only the given keys change.
        # - name: link.short
        #   feeds: {spam: 0.4}
        #
        # Disabled:
        # - name: shape.caps
        #   enabled: false

        """
}
