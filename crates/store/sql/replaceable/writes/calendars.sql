-- Calendars of a service point never overlap (docs/folio/calendars.md). Carrel checks before it writes, to name the
-- conflicting calendars; this trigger also catches concurrent writes. The lock lasts until the end of the transaction,
-- and the check after it sees what its last holder wrote.
CREATE OR REPLACE FUNCTION refuse_overlapping_calendar() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(TG_TABLE_SCHEMA || '.calendars', 0));
  PERFORM refuse_stale(EXISTS (
    SELECT FROM calendars c
    WHERE c.id <> NEW.id
      AND (c.doc->'assignments') ?| ARRAY(SELECT jsonb_array_elements_text(NEW.doc->'assignments'))
      AND c.doc->>'startDate' <= NEW.doc->>'endDate' AND c.doc->>'endDate' >= NEW.doc->>'startDate'));
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER calendars_overlap BEFORE INSERT OR UPDATE ON calendars
  FOR EACH ROW EXECUTE FUNCTION refuse_overlapping_calendar();
