import ArgumentParser
import TriageRun

/// The root command: runs subcommands, or `run` when none is named.
struct TriageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "triage",
        abstract: "Triages a creator's messages: category, sentiment, urgency, offers, FAQ matches and draft replies.",
        discussion: """
            EXAMPLES
              triage export.zip --creator creator.yaml --faq faq.yaml --to table
              cat messages.jsonl | triage | jq 'select(.triage.urgency.urgent)'
              triage run dms.csv --to csv -o annotated.csv
              triage init my-inbox

            Works offline. You decide what to send: triage sends nothing.
            """,
        version: Version.current,
        subcommands: [
            RunCommand.self, StreamCommand.self, SyncCommand.self, RunsCommand.self, ListCommand.self,
            ShowCommand.self, SearchCommand.self, DoneCommand.self, FeedbackCommand.self, ReviewCommand.self,
            StatsCommand.self,
            RescoreCommand.self, ExportCommand.self, ReportCommand.self,
            ForgetCommand.self, StoreCommand.self, ExplainCommand.self, RulesCommand.self, FAQCommand.self,
            InitCommand.self, CheckCommand.self, TrustCommand.self, EstimateCommand.self, BatchCommand.self,
            ModelsCommand.self, PromptsCommand.self, VoiceCommand.self,
            SchemaCommand.self, FormatsCommand.self, EvaluateCommand.self, TrainCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}
