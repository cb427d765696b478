import Testing

/// Deliveries of Meta on a pipe: the secret comes from the environment and nowhere else.
struct WebhookTests {
    private static let delivery =
        #"{"headers":{"X-Hub-Signature-256":"sha256=0000000000000000000000000000000000000000000000000000000000000000"},"#
        + #""body":"{\"object\":\"instagram\",\"entry\":[{\"id\":\"1\",\"messaging\":[{\"sender\":{\"id\":\"2\"},"#
        + #"\"recipient\":{\"id\":\"1\"},\"timestamp\":1719900000,\"message\":{\"mid\":\"m\",\"text\":\"hi\"}}]}]}"}"#
        + "\n"

    @Test func `without a secret deliveries are read, and that nobody checked them is said once`() throws {
        let outcome = try Program.run([], input: Self.delivery + Self.delivery)
        #expect(outcome.records.count == 1 && outcome.records.first??.whole["text"] as? String == "hi")
        #expect(outcome.errors.split(separator: "\n").filter { $0.contains("signatures were not checked") }.count == 1)
    }

    @Test func `with a secret a wrong signature is a reject`() throws {
        let secret = Program.warm.merging(["TRIAGE_META_APP_SECRET": "not-the-one"]) { $1 }
        let outcome = try Program.run(["--on-error", "pass"], input: Self.delivery, environment: secret)
        #expect(outcome.text.contains("webhook.signature"))
        #expect(!outcome.text.contains("not-the-one") && !outcome.errors.contains("not-the-one"))
        #expect(!outcome.errors.contains("signatures were not checked"))
    }
}
