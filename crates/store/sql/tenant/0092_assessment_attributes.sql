-- What assessments of archival records can say of them: ratings, formats and conservation issues. Repository 1 has those that
-- every repository has.
CREATE TABLE archival_attribute (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind       text COLLATE "C" NOT NULL DEFAULT 'repository' CHECK (kind = 'repository'),
  repository bigint NOT NULL,
  type       text NOT NULL CHECK (type IN ('rating', 'format', 'conservation_issue')),
  label      text NOT NULL,
  position   bigint NOT NULL,
  readonly   boolean NOT NULL DEFAULT false,
  FOREIGN KEY (kind, repository) REFERENCES archival_record (kind, id) ON DELETE CASCADE
);
CREATE INDEX archival_attribute_repository ON archival_attribute (kind, repository);

INSERT INTO archival_attribute (repository, type, label, position, readonly)
SELECT 1, a.type, a.label, a.n - 1, a.label = 'Research Value'
FROM (
  SELECT 'rating' AS type, label, n FROM unnest(ARRAY[
    'Reformatting Readiness', 'Housing Quality', 'Physical Condition', 'Physical Access (arrangement)',
    'Intellectual Access (description)', 'Interest', 'Documentation Quality', 'Research Value']) WITH ORDINALITY AS l (label, n)
  UNION ALL
  SELECT 'format' AS type, label, n FROM unnest(ARRAY[
    'Architectural Materials', 'Art Originals', 'Artifacts', 'Audio Materials', 'Biological Specimens',
    'Botanical Specimens', 'Computer Storage Units', 'Film (negative, slide, or motion picture)', 'Glass',
    'Photographs', 'Scrapbooks', 'Technical Drawings & Schematics', 'Textiles', 'Vellum & Parchment', 'Video Materials', 'Other']) WITH ORDINALITY AS l (label, n)
  UNION ALL
  SELECT 'conservation_issue' AS type, label, n FROM unnest(ARRAY[
    'Potential Mold or Mold Damage', 'Recent Pest Damage', 'Deteriorating Film Base', 'Brittle Paper', 'Metal Fasteners', 'Newspaper', 'Tape', 'Heat-Sensitive Paper', 'Water Damage']) WITH ORDINALITY AS l (label, n)) a
ORDER BY a.type = 'conservation_issue', a.type = 'format', a.n;
