SELECT FROM users u WHERE (u.doc->'departments') @> to_jsonb(ARRAY[$1::uuid::text])
