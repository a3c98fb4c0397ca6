-- Every tenant has one circulation rules record from the start, with no text yet
-- (docs/folio/circulation-rules.md#reading-and-replacing): clients read its id.
INSERT INTO circulation_rules (id, doc)
SELECT made.id, jsonb_build_object('id', made.id, 'rulesAsText', '')
FROM (SELECT gen_random_uuid() AS id) made
WHERE NOT EXISTS (SELECT FROM circulation_rules);
