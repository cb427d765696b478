window.YTD.direct_messages_group.part0 = [
  {
    "dmConversation" : {
      "conversationId" : "1500000000000000001",
      "messages" : [
        { "messageCreate" : { "reactions" : [ ], "urls" : [ ], "text" : "who brings brushes?", "mediaUrls" : [ "https://video.example/dm_gif/1/2.mp4" ], "senderId" : "6300", "id" : "1500000000000000090", "createdAt" : "2022-03-19T10:00:09.000Z" } },
        { "conversationNameUpdate" : { "initiatingUserId" : "6300", "name" : "mural crew", "createdAt" : "2022-03-19T10:00:05.000Z" } },
        { "participantsLeave" : { "userIds" : [ "7400" ], "createdAt" : "2022-03-19T10:00:04.000Z" } },
        { "conversationNameUpdate" : { "initiatingUserId" : "4100", "name" : "wall", "createdAt" : "2022-03-19T10:00:03.000Z" } },
        { "messageCreate" : { "reactions" : [ ], "urls" : [ ], "text" : "", "mediaUrls" : [ ], "senderId" : "4100", "id" : "1500000000000000080", "createdAt" : "2022-03-19T10:00:02.000Z" } },
        { "joinConversation" : { "initiatingUserId" : "6300", "participantsSnapshot" : [ "6300", "4100", "7400" ], "createdAt" : "2022-03-19T10:00:01.000Z" } }
      ]
    }
  }
]
