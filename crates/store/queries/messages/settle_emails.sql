-- Records the outcome of e-mails: $1 has for each its id, the changed members, and in `next` the time of the next
-- attempt.
UPDATE email_statistics e
SET doc = e.doc || (o - 'next' - 'id')
      || jsonb_build_object('metadata', coalesce(e.doc->'metadata', '{}') || jsonb_build_object('updatedDate', o->'date')),
    next_attempt = (o->>'next')::timestamptz
FROM jsonb_array_elements($1) o
WHERE e.id = (o->>'id')::uuid
