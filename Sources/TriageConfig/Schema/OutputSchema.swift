extension RecordSchema {
    /// The schema of an annotated, skipped or rejected record.
    package static let output = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$id": "urn:triage:schema:output:1",
          "title": "Annotated record",
          "description": "The input record with one more member, triage, last. Only triage is closed; the rest of the record is free.",
          "type": "object",
          "required": ["triage"],
          "properties": {
            "triage": {
              "oneOf": [
                {"$ref": "#/$defs/annotated"},
                {"$ref": "#/$defs/skipped"},
                {"$ref": "#/$defs/rejected"}
              ]
            },
            "raw_b64": {
              "description": "Bytes of a rejected record of at most 64 KiB.",
              "type": "string",
              "contentEncoding": "base64"
            }
          },
          "$defs": {
            "annotated": {
              "description": "A question that was not asked is absent; one that does not apply is null.",
              "type": "object",
              "additionalProperties": false,
              "required": ["schema", "provenance"],
              "properties": {
                "schema": {"const": 1},
                "id": {"$ref": "#/$defs/madeID"},
                "revision": {"$ref": "#/$defs/revision"},
                "language": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["tag", "confidence"],
                  "properties": {
                    "tag": {"description": "BCP 47; und when undetermined.", "type": "string", "minLength": 2},
                    "confidence": {"$ref": "#/$defs/share"}
                  }
                },
                "category": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/category"}]},
                "sentiment": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/sentiment"}]},
                "urgency": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/urgency"}]},
                "opportunity": {
                  "description": "null unless business.",
                  "oneOf": [{"type": "null"}, {"$ref": "#/$defs/opportunity"}]
                },
                "faq": {
                  "description": "null when no entry answers the message.",
                  "oneOf": [{"type": "null"}, {"$ref": "#/$defs/faq"}]
                },
                "injection": {
                  "description": "Whether the text is suspected of injection.",
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["suspected"],
                  "properties": {
                    "suspected": {"type": "boolean"},
                    "because": {"$ref": "#/$defs/because"}
                  }
                },
                "campaign": {
                  "description": "Several senders sent nearly the same text; absent below three.",
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["id", "count"],
                  "properties": {
                    "id": {"type": "string", "pattern": "^c-[0-9a-f]{16}$"},
                    "count": {
                      "description": "Distinct senders so far, in order, this one included.",
                      "type": "integer", "minimum": 3
                    }
                  }
                },
                "draft": {
                  "description": "null for spam, for no-reply senders, and when no_draft says why.",
                  "oneOf": [{"type": "null"}, {"$ref": "#/$defs/draft"}]
                },
                "advice": {"description": "What helps beside a reply.", "enum": ["keep-evidence"]},
                "no_draft": {
                  "description": "Why there is no draft.",
                  "enum": ["joke", "abuse", "nothing-to-answer", "needs-a-fact", "unsure"]
                },
                "priority": {
                  "description": "The order in which a person should look, highest first.",
                  "type": "integer", "minimum": 0, "maximum": 100
                },
                "provenance": {"$ref": "#/$defs/provenance"},
                "problems": {
                  "type": "array",
                  "minItems": 1,
                  "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["stage", "code", "message"],
                    "properties": {
                      "stage": {"type": "string", "minLength": 1},
                      "code": {"$ref": "#/$defs/code"},
                      "message": {"type": "string"}
                    }
                  }
                }
              }
            },
            "skipped": {
              "description": "Context only: the creator's own message, or not a message.",
              "type": "object",
              "additionalProperties": false,
              "required": ["schema", "skipped"],
              "properties": {
                "schema": {"const": 1},
                "id": {"$ref": "#/$defs/madeID"},
                "revision": {"$ref": "#/$defs/revision"},
                "skipped": {"enum": ["own", "not-a-message"]}
              }
            },
            "revision": {
              "description": "`sync` only: the message was edited, or got a better answer; absent for the first.",
              "type": "integer", "minimum": 2
            },
            "rejected": {
              "description": "A record that could not be read.",
              "type": "object",
              "additionalProperties": false,
              "required": ["schema", "rejected"],
              "properties": {
                "schema": {"const": 1},
                "rejected": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["code", "reason", "line", "offset"],
                  "properties": {
                    "code": {"$ref": "#/$defs/code"},
                    "reason": {"type": "string"},
                    "line": {"type": "integer", "minimum": 0},
                    "offset": {"description": "Bytes from the beginning of the source.", "type": "integer", "minimum": 0},
                    "source": {"type": "string"}
                  }
                }
              }
            },
            "category": {
              "type": "object",
              "additionalProperties": false,
              "required": ["label", "confidence", "level", "scores", "by"],
              "properties": {
                "label": {"enum": ["fan", "business", "spam", null]},
                "confidence": {"$ref": "#/$defs/share"},
                "level": {"$ref": "#/$defs/level"},
                "scores": {
                  "description": "Probabilities; they sum to 1.",
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["fan", "business", "spam"],
                  "properties": {
                    "fan": {"$ref": "#/$defs/share"},
                    "business": {"$ref": "#/$defs/share"},
                    "spam": {"$ref": "#/$defs/share"}
                  }
                },
                "by": {"$ref": "#/$defs/method"},
                "because": {"$ref": "#/$defs/because"}
              }
            },
            "sentiment": {
              "type": "object",
              "additionalProperties": false,
              "required": ["label", "confidence", "level", "intensity", "by"],
              "properties": {
                "label": {"enum": ["positive", "negative", "neutral", null]},
                "confidence": {"$ref": "#/$defs/share"},
                "level": {"$ref": "#/$defs/level"},
                "intensity": {"$ref": "#/$defs/share"},
                "by": {"$ref": "#/$defs/method"},
                "because": {"$ref": "#/$defs/because"}
              }
            },
            "urgency": {
              "type": "object",
              "additionalProperties": false,
              "required": ["urgent", "score", "by"],
              "properties": {
                "urgent": {"description": "A person should look within a day.", "type": "boolean"},
                "score": {"$ref": "#/$defs/share"},
                "by": {"$ref": "#/$defs/method"},
                "because": {"$ref": "#/$defs/because"}
              }
            },
            "opportunity": {
              "type": "object",
              "additionalProperties": false,
              "required": ["score", "tier", "stars", "breakdown"],
              "properties": {
                "score": {
                  "description": "Sum of the points of the parts, exactly.",
                  "type": "integer", "minimum": 0, "maximum": 100
                },
                "tier": {"description": "From 90, 70 and 50 points.", "enum": ["gold", "blue", "gray", null]},
                "stars": {"type": "number", "minimum": 0, "maximum": 5},
                "kind": {
                  "description": "Kind of business matter, from the kinds table in the rules; absent if none fits.",
                  "type": "string",
                  "pattern": "^[a-z][a-z-]*$"
                },
                "breakdown": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["monetary", "brand_fit", "legitimacy", "urgency"],
                  "properties": {
                    "monetary": {"$ref": "#/$defs/part"},
                    "brand_fit": {"$ref": "#/$defs/part"},
                    "legitimacy": {"$ref": "#/$defs/part"},
                    "urgency": {"$ref": "#/$defs/part"}
                  }
                },
                "insights": {
                  "description": "Facts in words that can be shown to the creator.",
                  "type": "array",
                  "minItems": 1,
                  "items": {"type": "string", "minLength": 1}
                },
                "budget": {
                  "type": "object",
                  "additionalProperties": false,
                  "required": ["amount", "usd"],
                  "properties": {
                    "amount": {"type": "number", "minimum": 0},
                    "currency": {"description": "ISO 4217; absent when the text names none.", "type": "string", "pattern": "^[A-Z]{3}$"},
                    "usd": {"description": "Converted at the dated rates in the configuration.", "type": "number", "minimum": 0}
                  }
                },
                "deadline": {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
              }
            },
            "part": {
              "type": "object",
              "additionalProperties": false,
              "required": ["points", "of"],
              "properties": {
                "points": {"type": "integer", "minimum": 0, "maximum": 100},
                "of": {"description": "The configured maximum.", "type": "integer", "minimum": 0, "maximum": 100},
                "because": {"$ref": "#/$defs/because"}
              }
            },
            "faq": {
              "type": "object",
              "additionalProperties": false,
              "required": ["id", "match", "confidence", "question", "answer", "by"],
              "properties": {
                "id": {"type": "string", "minLength": 1},
                "match": {"enum": ["high", "possible"]},
                "confidence": {"$ref": "#/$defs/share"},
                "question": {"type": "string"},
                "answer": {"type": "string"},
                "by": {"$ref": "#/$defs/method"},
                "because": {"$ref": "#/$defs/because"}
              }
            },
            "draft": {
              "type": "object",
              "additionalProperties": false,
              "required": ["text", "language", "based_on", "by"],
              "properties": {
                "text": {"type": "string", "minLength": 1},
                "language": {"type": "string", "minLength": 2},
                "based_on": {"description": "faq:ID, template:NAME or llm:draft.", "type": "string", "pattern": "^[a-z]+:"},
                "by": {"$ref": "#/$defs/method"},
                "fill": {
                  "description": "Placeholders that a person must fill.",
                  "type": "array",
                  "minItems": 1,
                  "items": {"type": "string", "minLength": 1}
                }
              }
            },
            "provenance": {
              "type": "object",
              "additionalProperties": false,
              "required": ["version", "rules"],
              "properties": {
                "version": {"type": "string", "minLength": 1},
                "rules": {"description": "Digest of the rule files.", "type": "string", "pattern": "^[0-9a-f]{12}$"},
                "voice": {
                  "description": "Digest of the voice that drafts are written in.", "type": "string",
                  "pattern": "^[0-9a-f]{12}$"
                },
                "models": {
                  "type": "array",
                  "minItems": 1,
                  "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["stage", "model"],
                    "properties": {
                      "stage": {"$ref": "#/$defs/method"},
                      "model": {"type": "string", "minLength": 1},
                      "prompt": {"type": "string", "minLength": 1}
                    }
                  }
                }
              }
            },
            "because": {
              "description": "Reasons, strongest first.",
              "type": "array",
              "minItems": 1,
              "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["signal", "weight"],
                "properties": {
                  "signal": {"type": "string", "pattern": "^[a-z0-9.-]+$"},
                  "weight": {"description": "Log-odds by which it moved the answer.", "type": "number"},
                  "quote": {"description": "Exactly the bytes of text from start to end.", "type": "string"},
                  "start": {"description": "UTF-8 byte offset into the decoded text.", "type": "integer", "minimum": 0},
                  "end": {"type": "integer", "minimum": 0}
                },
                "dependentRequired": {
                  "quote": ["start", "end"],
                  "start": ["quote", "end"],
                  "end": ["quote", "start"]
                }
              }
            },
            "share": {"type": "number", "minimum": 0, "maximum": 1},
            "level": {"enum": ["high", "medium", "low"]},
            "method": {"description": "The method that decided, such as category.rules.", "type": "string", "pattern": "^[a-z]+\\.[a-z]+$"},
            "code": {"type": "string", "pattern": "^[a-z]+\\.[a-z0-9-]+$"},
            "madeID": {"description": "Made from the content if the record has no id.", "type": "string", "minLength": 1}
          }
        }
        """#
}

/// JSON Schemas (draft 2020-12) of input and output records.
///
/// ``output`` is closed, so every new member requires a new version.
package enum RecordSchema {
    /// The schema of a message as it should be written.
    ///
    /// The program is more lenient: a member of the wrong type, except `text`, counts as absent.
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
