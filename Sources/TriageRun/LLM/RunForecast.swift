import Synchronization
package import TriageConfig
import TriageFormats
package import TriageLLM

/// What a run would ask, found by a dry run that sends nothing.
package final class RunForecast: Sendable {
    package let texts = AskingForecast()
    package let drafts = AskingForecast()
    /// Collects the questions themselves; nil: they are only counted.
    package let gathering: AskingGathering<MessageQuestion>?
    private let state = Mutex<Result?>(nil)
    private let handedOver = Mutex<Batchable?>(nil)

    /// - Parameter gathers: whether to collect the questions instead of estimating their cost.
    package init(gathers: Bool = false) { gathering = gathers ? AskingGathering() : nil }

    /// The questions and how they are asked; nil until the run is over, and if nothing would be asked.
    package var batchable: Batchable? { handedOver.withLock { $0 } }

    package struct Batchable: Sendable {
        package var material: BatchMaterial
        package var questions: AskingGathering<MessageQuestion>.Totals
    }

    package func hand(over material: BatchMaterial, _ questions: AskingGathering<MessageQuestion>.Totals) {
        handedOver.withLock { $0 = Batchable(material: material, questions: questions) }
    }

    /// The estimate; nil until the run is over, and if nothing would be asked.
    package var result: Result? { state.withLock { $0 } }

    package func set(_ result: Result) { state.withLock { $0 = result } }

    /// The usual number of output tokens for one message, and for one draft.
    package static let answerTokens = (text: 45, draft: 90)
    /// A guess for servers without measurements: seconds until an answer begins, and tokens per second.
    private static let pace = (start: 1.0, tokens: 50.0)

    package struct Result: Sendable {
        package var model: String
        package var cascade: CascadeCounts.Totals
        package var fromCache: Int
        package var repeated: Int
        package var drafts: Int
        /// The estimate for both kinds together.
        package var estimate: LLMEstimate
        package var limits: ModelSettings.Limits
        package var price: ModelSettings.Price?
        package var concurrency: Int

        /// The usual cost, and the cost if every allowance were used up, in US dollars; nil without a price.
        package var cost: (usual: Double, most: Double)? {
            price.map { price in
                let input = Double(estimate.inputTokens) * price.input
                return (
                    (input + Double(estimate.outputTokens) * price.output) / 1e6,
                    (input + Double(estimate.mostOutputTokens) * price.output) / 1e6
                )
            }
        }

        /// A rough estimate of the duration.
        package var seconds: Double {
            let work = Double(estimate.requests) * pace.start + Double(estimate.outputTokens) / pace.tokens
            return work / Double(max(1, min(concurrency, estimate.requests)))
        }

        /// The limits that the run would reach before its end.
        package var reached: [String] {
            var names: [String] = []
            if let most = limits.maxRequests, estimate.requests > most { names.append("--max-requests") }
            if let most = limits.maxTokens, estimate.inputTokens + estimate.outputTokens > most {
                names.append("--max-tokens")
            }
            if let most = limits.maxCost, let cost, cost.usual > most { names.append("--max-cost") }
            return names
        }

        package var text: String {
            let count = MoneyText.count
            var rows: [(String, String)] = [
                ("model", model),
                (
                    "messages",
                    "\(count(cascade.messages)), of which \(count(cascade.asked)) would be sent"
                        + " (\(SpendText.percent(cascade.share)))"
                ),
            ]
            if cascade.withheld > 0 { rows.append(("withheld", "\(count(cascade.withheld)), possible injection")) }
            if drafts > 0 { rows.append(("drafts", count(drafts))) }
            if fromCache > 0 { rows.append(("in the cache", "\(count(fromCache)), at no cost")) }
            if repeated > 0 { rows.append(("repeated", "\(count(repeated)) have the same text as another")) }
            rows.append(
                (
                    "requests",
                    "\(count(estimate.requests)); at most \(count(estimate.mostRequests)) if all answers are unusable"
                ))
            rows.append(
                (
                    "tokens",
                    "about \(count(estimate.inputTokens)) in, \(count(estimate.outputTokens)) out (at most"
                        + " \(count(estimate.mostOutputTokens)))"
                ))
            if let cost {
                rows.append(("cost", "about \(SpendText.money(cost.usual)), at most \(SpendText.money(cost.most))"))
            } else {
                rows.append(("cost", "unknown: triage.yaml has no price"))
            }
            rows.append(("time", "about \(Self.duration(seconds)), \(concurrency) at a time"))
            if !reached.isEmpty {
                rows.append(("limits", "\(reached.joined(separator: ", ")) would stop the run's requests early"))
            }
            return rows.map { "\($0.0.padded(to: 14))\(Terminal.harmless($0.1))\n" }.joined()
        }

        package var json: String {
            var members: [JSONMember] = [
                JSONMember("model", .string(model)),
                JSONMember("messages", .number("\(cascade.messages)")),
                JSONMember("asked", .number("\(cascade.asked)")),
                JSONMember("share", .number(Self.decimal(cascade.share))),
                JSONMember("withheld", .number("\(cascade.withheld)")),
                JSONMember("drafts", .number("\(drafts)")),
                JSONMember("from_cache", .number("\(fromCache)")),
                JSONMember("repeated", .number("\(repeated)")),
                JSONMember("requests", .number("\(estimate.requests)")),
                JSONMember("most_requests", .number("\(estimate.mostRequests)")),
                JSONMember("input_tokens", .number("\(estimate.inputTokens)")),
                JSONMember("output_tokens", .number("\(estimate.outputTokens)")),
                JSONMember("most_output_tokens", .number("\(estimate.mostOutputTokens)")),
            ]
            members.append(JSONMember("cost", cost.map { .number(Self.decimal($0.usual)) } ?? .null))
            members.append(JSONMember("most_cost", cost.map { .number(Self.decimal($0.most)) } ?? .null))
            members.append(JSONMember("seconds", .number(Self.decimal(seconds))))
            members.append(JSONMember("limits_reached", .array(reached.map { .string($0) })))
            return String(decoding: JSONValue.object(members).encoded, as: UTF8.self) + "\n"
        }

        /// Formats six decimal places by hand, because the locale must not change how a JSON number is written.
        private static func decimal(_ number: Double) -> String {
            let millionths = Int((min(max(number, 0), 1e12) * 1e6).rounded())
            return "\(millionths / 1_000_000).\(String(millionths % 1_000_000 + 1_000_000).dropFirst())"
        }

        private static func duration(_ seconds: Double) -> String {
            let whole = Int(min(seconds, 1e9).rounded(.up))
            if whole < 120 { return "\(whole) s" }
            return whole < 7200 ? "\((whole + 59) / 60) min" : "\((whole + 3599) / 3600) h"
        }
    }
}

/// Takes the place of the model that is asked about messages, and only counts.
struct VerdictForecast: AnswerSource {
    let asker: MessageAsker
    let forecast: RunForecast

    func ask(_ questions: [MessageQuestion]) async -> [Result<MessageVerdict, CallFailure>] {
        if let gathering = forecast.gathering {
            await asker.gather(questions, in: gathering)
        } else {
            await asker.estimate(questions, in: forecast.texts)
        }
        return questions.map { _ in .failure(.cancelled) }
    }
}

/// Takes the place of the model that is asked for drafts, and only counts.
struct DraftForecast: AnswerSource {
    let drafter: DraftAsker
    let forecast: RunForecast

    func ask(_ questions: [DraftQuestion]) async -> [Result<Draft, CallFailure>] {
        await drafter.estimate(questions, in: forecast.drafts)
        return questions.map { _ in .failure(.cancelled) }
    }
}
