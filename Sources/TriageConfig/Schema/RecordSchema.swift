/// JSON Schemas (draft 2020-12) of what goes in and what comes out.
package enum RecordSchema {
    /// Version of the `triage` object; ``output`` is closed, so that every new member raises it.
    package static let version = 1
}

// The output's text stands in a file of its own, `OutputSchema.swift`.

extension RecordSchema {
    /// Schema of a message as it should be written.
    ///
    /// The program is more lenient: anything but `text` of a wrong type is read as absent.
    package static let input = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$id": "urn:triage:schema:input:1",
          "title": "Message",
          "description": "Only text is required; leave out unknown members, never use null. Other members pass through unchanged.",
          "type": "object",
          "required": ["text"],
          "properties": {
            "id": {"description": "Unique within platform and conversation.", "type": "string"},
            "platform": {
              "type": "string",
              "examples": ["instagram", "messenger", "facebook", "x", "tiktok", "youtube", "discord", "telegram", "whatsapp", "slack", "reddit", "linkedin", "twitch", "patreon", "email", "generic"]
            },
            "conversation_id": {"type": "string"},
            "conversation_title": {"type": "string"},
            "participants": {"description": "Number of people in a group.", "type": "integer", "minimum": 0},
            "sender": {
              "type": "object",
              "properties": {
                "id": {"type": "string"},
                "handle": {"type": "string"},
                "name": {"type": "string"},
                "verified": {"type": "boolean"},
                "followers": {"type": "integer", "minimum": 0},
                "is_self": {"description": "Whether the creator wrote it; absent when unknown.", "type": "boolean"}
              }
            },
            "text": {"description": "As written.", "type": "string"},
            "sent_at": {"description": "RFC 3339.", "type": "string", "format": "date-time"},
            "lang": {"description": "BCP 47.", "type": "string"},
            "reply_to": {"description": "Id of the message it answers.", "type": "string"},
            "attachments": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["type"],
                "properties": {
                  "type": {"type": "string"},
                  "name": {"type": "string"},
                  "url": {"type": "string"}
                }
              }
            },
            "reactions": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["emoji"],
                "properties": {
                  "emoji": {"type": "string"},
                  "by": {"type": "string"},
                  "count": {"type": "integer", "minimum": 0}
                }
              }
            },
            "raw": {"description": "What the export says beyond these.", "type": "object"}
          }
        }
        """#
}
