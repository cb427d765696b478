import Testing
import TriageConfig
import TriageCore

struct SettingsFileTests {
    private func read(_ text: String, path: String = "t.yaml") -> (file: SettingsFile, faults: [String]) {
        let collector = FaultCollector()
        let file = SettingsFile(path: path, bytes: Array(text.utf8), faults: collector)
        return (file, collector.faults.map { "\($0.code) \($0.at ?? "-")" })
    }

    @Test func `reads every key`() {
        let (file, faults) = read(
            """
            creator: me/creator.yaml
            faq: /abs/faq.yaml
            rules: rules.yaml
            methods: {category: rules, draft: rules}
            llm:
              provider: anthropic
              base_url: http://127.0.0.1:8080/v1
              model: small
              api_key_env: SOME_KEY
              max_concurrency: 4
              price: {input: 0.15, output: 0.60, batch: 0.5}
              request_timeout: 300
              queue_timeout: 1.5
              reasoning_effort: low
              max_output_tokens: 4_000
              draft_model: large
              share_voice: true
              extra_headers: {x-title: my inbox, x-gw-key: {env: GW_KEY}, authorization: "${GW_AUTH}"}
            embeddings:
              base_url: https://e.example/v1
              model: all-minilm
              api_key_file: key.txt
              threshold: 0.55
              languages: [en, pt-BR]
              price: 0.02
            limits: {max_cost: 1.00, max_requests: 5000, max_tokens: 2000000, escalate_below: 0.7}
            opportunity: {monetary: 50, brand_fit: 25, legitimacy: 15, urgency: 10}
            thresholds: {category: {high: 0.95, medium: 0.6}, faq: {possible: 0.5}, urgency: 0.4, injection: 0.7}
            exchange: {date: 2026-11-01, rates: {EUR: 0.9, XYZ: 12}}
            store: inbox.db
            """, path: "conf/t.yaml")
        #expect(faults.isEmpty)
        #expect([file.creator, file.faq, file.rules] == ["conf/me/creator.yaml", "/abs/faq.yaml", "conf/rules.yaml"])
        #expect(file.models.store == "conf/inbox.db")
        var llm = ModelSettings.LLM(provider: .anthropic, baseURL: "http://127.0.0.1:8080/v1", model: "small")
        llm.keyVariable = "SOME_KEY"
        llm.maxConcurrency = 4
        llm.price = ModelSettings.Price(input: 0.15, output: 0.6, batch: 0.5)
        llm.requestTimeout = 300
        llm.queueTimeout = 1.5
        llm.reasoningEffort = .low
        llm.maxOutputTokens = 4_000
        llm.draftModel = "large"
        llm.sharesVoice = true
        llm.extraHeaders = [
            ModelSettings.Header(name: "x-title", value: .literal("my inbox")),
            ModelSettings.Header(name: "x-gw-key", value: .variable("GW_KEY")),
            ModelSettings.Header(name: "authorization", value: .variable("GW_AUTH")),
        ]
        #expect(file.models.llm == llm)
        #expect(file.models.embeddings?.keyFile == "conf/key.txt" && file.models.embeddings?.threshold == 0.55)
        #expect(file.models.embeddings?.languages == ["en", "pt-BR"] && file.models.embeddings?.price == 0.02)
        #expect(file.models.limits.maxCost == 1 && file.settings.escalation.categoryBelow == 0.7)
        #expect(file.settings.opportunity.monetary == 50 && file.settings.opportunity.urgency == 10)
        #expect(file.settings.thresholds.categoryHigh == 0.95 && file.settings.thresholds.faqPossible == 0.5)
        #expect(file.settings.thresholds.faqHigh == Thresholds().faqHigh)
        #expect(file.settings.exchange.date == "2026-11-01")
        #expect(file.settings.exchange.perUSD[Currency("EUR")] == 0.9)
        #expect(file.settings.exchange.perUSD[Currency("GBP")] == ExchangeRates.shipped.perUSD[Currency("GBP")])
    }

    @Test func `has the defaults where nothing is said`() {
        #expect(read("# nothing\n").file == SettingsFile())
    }

    @Test(arguments: [
        ("creatr: x", ["config.unknown-key t.yaml:1:1"]),
        ("faq: \"\"", ["config.empty-path t.yaml:1:1"]),
        ("methods: {category: cascade}", ["config.no-llm t.yaml:1:21"]),
        ("methods: {draft: llm, sentiment: llm}", ["config.no-llm t.yaml:1:34", "config.no-llm t.yaml:1:18"]),
        ("methods: {injection: llm}", ["config.no-model t.yaml:1:22"]),
        ("limits: {escalate_below: {category: 0.6, faq: 0.5}}", []),
        ("limits: {escalate_below: {mood: 0.6}}", ["config.unknown-key t.yaml:1:27"]),
        ("limits: {escalate_below: 7}", ["config.out-of-range t.yaml:1:26"]),
        ("llm: {base_url: \"http://10.0.0.7/v1\", model: m}", ["config.plain-http t.yaml:1:7"]),
        ("llm: {base_url: \"http://127.evil.example/v1\", model: m}", ["config.plain-http t.yaml:1:7"]),
        ("llm: {base_url: \"http://10.0.0.7/v1\", model: m, allow_http: true}", []),
        ("llm: {base_url: \"http://[::1]:8080/v1\", model: m, auth: bearer, pack: 25, redact: true}", []),
        ("llm: {base_url: \"https://x.example/v1\", model: m, auth: basic}", ["config.unknown-choice t.yaml:1:51"]),
        ("methods: {category: model, sentiment: rules}", []),
        ("methods: {faq: model}", ["config.no-model t.yaml:1:16"]),
        ("methods: {faq: encoder}", []),
        ("methods: {urgency: encoder, sentiment: encoder}", []),
        ("methods: {category: encoder}", ["config.no-model t.yaml:1:21"]),
        ("methods: {category: magic}", ["config.unknown-method t.yaml:1:21"]),
        ("methods: {mood: rules}", ["config.unknown-key t.yaml:1:11"]),
        ("opportunity: {monetary: 50}", ["config.maxima-sum t.yaml:1:14"]),
        ("opportunity: {monetary: 40.5}", ["config.wrong-type t.yaml:1:25"]),
        ("opportunity: {monetary: 101}", ["config.out-of-range t.yaml:1:25"]),
        ("thresholds: {category: {high: 0.5, medium: 0.7}}", ["config.threshold-order t.yaml:1:24"]),
        ("thresholds: {faq: {high: 0.0}}", ["config.threshold-order t.yaml:1:19"]),
        ("thresholds: {urgency: 1.5}", ["config.out-of-range t.yaml:1:23"]),
        ("thresholds: {urgency: nan}", ["config.wrong-type t.yaml:1:23"]),
        ("exchange: {rates: {EUR: 0.9}}", ["config.no-date t.yaml:1:11"]),
        ("exchange: {date: 2026-02-30}", ["config.bad-date t.yaml:1:12"]),
        ("exchange: {date: 2026-02-28, rates: {EURO: 1}}", ["config.unknown-currency t.yaml:1:38"]),
        ("exchange: {date: 2026-02-28, rates: {EUR: 0}}", ["config.out-of-range t.yaml:1:43"]),
        ("exchange: {date: 2026-02-28, rates: {USD: 2}}", ["config.usd-rate t.yaml:1:38"]),
        ("llm: {provider: openai}", ["config.missing-key t.yaml:1:6", "config.missing-key t.yaml:1:6"]),
        ("llm: {provider: opnai, base_url: http://x, model: m}", ["config.unknown-provider t.yaml:1:7"]),
        ("llm: {base_url: ftp://x, model: m}", ["config.bad-url t.yaml:1:7"]),
        ("llm: {base_url: \"https://a:b@x/v1\", model: m}", ["config.inline-key t.yaml:1:7"]),
        ("llm: {base_url: https://x, model: m, api_key: sk-12}", ["config.inline-key t.yaml:1:38"]),
        ("llm: {base_url: https://x, model: m, api_key_env: sk-12}", ["config.bad-variable t.yaml:1:38"]),
        ("llm: {base_url: https://x, model: m, price: {input: 1}}", ["config.missing-key t.yaml:1:45"]),
        ("llm: {base_url: https://x, model: m, reasoning_effort: huge}", ["config.unknown-choice t.yaml:1:38"]),
        ("llm: {base_url: https://x, model: m, max_output_tokens: 3}", ["config.out-of-range t.yaml:1:57"]),
        ("llm: {base_url: https://x, model: m, request_timeout: 0}", ["config.out-of-range t.yaml:1:55"]),
        ("llm: {base_url: https://x, model: m, extra_body: {top_k: 3, provider: {order: [a]}}}", []),
        ("llm: {base_url: https://x, model: m, extra_body: [a]}", ["config.wrong-type t.yaml:1:50"]),
        ("llm: {base_url: https://x, model: m, extra_body: {max_tokens: 9}}", ["config.reserved-key t.yaml:1:51"]),
        ("llm: {base_url: https://x, model: m, extra_body: {messages: []}}", ["config.reserved-key t.yaml:1:51"]),
        ("llm: {base_url: https://x, model: m, extra_body: {a: {api_key: k}}}", ["config.inline-key t.yaml:1:55"]),
        ("llm: {base_url: https://x, model: m, extra_headers: {x-api-key: k}}", ["config.inline-key t.yaml:1:54"]),
        ("llm: {base_url: https://x, model: m, extra_headers: {Authorization: k}}", ["config.inline-key t.yaml:1:54"]),
        ("llm: {base_url: https://x, model: m, extra_headers: {x-k: {env: a-b}}}", ["config.bad-variable t.yaml:1:54"]),
        ("llm: {base_url: https://x, model: m, extra_headers: {Host: k}}", ["config.reserved-key t.yaml:1:54"]),
        ("llm: {base_url: https://x, model: m, extra_headers: {x t: k}}", ["config.bad-header t.yaml:1:54"]),
        (
            "llm: {base_url: https://x, model: m, extra_headers: {x-t: \"a\\r\\nb: c\"}}",
            ["config.bad-header t.yaml:1:54"]
        ),
        ("limits: {max_cost: -1}", ["config.out-of-range t.yaml:1:20"]),
        ("embeddings: {base_url: http://x.example, model: m}", ["config.plain-http t.yaml:1:14"]),
        ("embeddings: {base_url: https://x, model: m, provider: anthropic}", ["config.unknown-provider t.yaml:1:45"]),
        ("embeddings: {base_url: https://x, model: m, languages: [xx]}", ["config.unknown-language t.yaml:1:45"]),
    ])
    func `says what is wrong and where`(text: String, expected: [String]) {
        #expect(read(text).faults == expected)
    }

    @Test(arguments: [
        "api_key: sk-secret-1", "api_key_env: sk-secret-1", "base_url: sk-secret-1",
        "extra_headers: {x-api-key: sk-secret-1}",
        "extra_headers: {x-k: {env: sk-secret-1}}", "extra_body: {api_key: sk-secret-1}",
    ])
    func `never repeats a key`(line: String) {
        let collector = FaultCollector()
        _ = SettingsFile(path: "t.yaml", bytes: Array("llm:\n  \(line)\n".utf8), faults: collector)
        #expect(!collector.isEmpty)
        #expect(!TriageErrors(collector.faults).description.contains("secret"))
    }
}
