SELECT FROM users u WHERE (u.doc->'personal'->'addresses')
  @> jsonb_build_array(jsonb_build_object('addressTypeId', $1::uuid::text))
