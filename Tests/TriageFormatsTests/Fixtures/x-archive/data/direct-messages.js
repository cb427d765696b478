window.YTD.direct_messages.part0 = [
  {
    "dmConversation" : {
      "conversationId" : "4100-5200",
      "messages" : [
        { "messageCreate" : { "recipientId" : "4100", "senderId" : "5200", "id" : "1811111111111111119", "createdAt" : "2024-07-10T18:05:01.000Z", "encryptedContent" : "AAECAwQ=" } },
        { "messageCreate" : { "recipientId" : "5200", "reactions" : [ ], "urls" : [ ], "text" : "With pleasure &amp; soon: 3 &lt; 4 weeks, not &amp;lt;", "mediaUrls" : [ ], "senderId" : "4100", "id" : "1811111111111111117", "createdAt" : "2024-07-10T18:04:59.317Z",
          "editHistory" : [ { "createdAtSec" : "1720634690", "editedText" : "With pleasure" } ] } },
        { "messageCreate" : { "recipientId" : "4100", "reactions" : [ { "senderId" : "4100", "reactionKey" : "excited", "eventId" : "71", "createdAt" : "2024-07-10T18:04:00.000Z" }, { "senderId" : "5200", "reactionKey" : "sparkle", "eventId" : "72", "createdAt" : "2024-07-10T18:04:00.000Z" } ],
          "urls" : [ { "url" : "https://t.co/aB1", "expanded" : "https://pigment.example/terms?a=1&amp=2", "display" : "pigment.example/terms" } ],
          "text" : "Would you paint our tin? €900, see https://t.co/aB1, reply by Friday 🎨", "mediaUrls" : [ ], "senderId" : "5200", "id" : "1811111111111111113", "createdAt" : "2024-07-10T18:03:00.000Z" } }
      ]
    }
  },
  {
    "dmConversation" : {
      "conversationId" : "4100-6300",
      "messages" : [
        { "messageCreate" : { "recipientId" : "4100", "reactions" : [ ], "urls" : [ { "url" : "https://t.co/pic9", "expanded" : "https://twitter.com/messages/media/1700000000000000003", "display" : "pic.twitter.com/pic9" } ],
          "text" : "look what you started https://t.co/pic9", "mediaUrls" : [ "https://ton.example/dm/1700000000000000003/1/hQz4.jpg?token=secret" ], "senderId" : "6300", "id" : "1700000000000000003", "createdAt" : "2023-09-08T04:47:31.123Z" } },
        { "somethingNew" : { "id" : "1700000000000000002", "createdAt" : "2023-09-08T04:47:30.000Z" } }
      ]
    }
  },
  {
    "dmConversation" : {
      "conversationId" : "4100-5200",
      "messages" : [
        { "messageCreate" : { "recipientId" : "4100", "reactions" : [ ], "urls" : [ ], "text" : "hello from\nthe colour works", "mediaUrls" : [ ], "senderId" : "5200", "id" : "1811111111111111101", "createdAt" : "2024-07-10T18:00:00.000Z" } }
      ]
    }
  }
];
