window.YTD.tweets.part0 = [
  { "tweet" : { "id_str" : "1900000000000000003", "created_at" : "Wed Mar 12 20:21:22 +0000 2025", "full_text" : "@pigmentworks the blue one &gt; all https://t.co/v1", "lang" : "en", "in_reply_to_status_id_str" : "1899999999999999999", "in_reply_to_user_id_str" : "5200", "in_reply_to_screen_name" : "pigmentworks",
      "entities" : { "user_mentions" : [ { "id_str" : "5200", "screen_name" : "pigmentworks", "name" : "Pigment Works" }, { "id_str" : "-1", "screen_name" : "gone", "name" : "gone" } ], "urls" : [ ], "media" : [ { "url" : "https://t.co/v1", "media_url_https" : "https://pbs.example/media/v1.jpg", "type" : "photo" } ] } } },
  { "tweet" : { "id_str" : "1300000000000000001", "created_at" : "Sat Aug 29 10:12:13 +0000 2020", "full_text" : "RT @oldpigment: varnish day", "lang" : "und", "entities" : { "user_mentions" : [ { "id_str" : "5200", "screen_name" : "oldpigment", "name" : "Old" } ], "urls" : [ ] } } },
  { "tweet" : { "id_str" : "1200000000000000001", "full_text" : "first light, see https://t.co/z", "entities" : { "urls" : [ { "url" : "https://t.co/z", "expanded_url" : "https://ines.example/light" } ] } } }
]
