-- Notes what changes in the catalogue (decision 57), in the transaction of the change, whichever function makes it. Once for
-- a statement, whatever the number of its rows. States of items, which the desk changes, have no trigger: their writers note
-- them (writes/item_state.sql, queries/circulation/check_out.sql and check_in.sql).
CREATE OR REPLACE FUNCTION note_written_instances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_change (made, instance) SELECT pg_current_xact_id(), r.id FROM touched r;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_written_holdings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_change (made, instance) SELECT DISTINCT pg_current_xact_id(), r.instanceid FROM touched r;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_changed_holdings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_change (made, instance)
  SELECT pg_current_xact_id(), t.instanceid
  FROM (SELECT r.instanceid FROM touched r UNION SELECT b.instanceid FROM before b) t;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_written_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_change (made, instance)
  SELECT DISTINCT pg_current_xact_id(), h.instanceid
  FROM touched r JOIN holdings_record h ON h.id = r.holdingsrecordid;
  RETURN NULL;
END $$;

-- Also of the holdings that items leave, and of those that items are bound with.
CREATE OR REPLACE FUNCTION note_changed_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_change (made, instance)
  SELECT DISTINCT pg_current_xact_id(), h.instanceid
  FROM (SELECT r.holdingsrecordid FROM touched r
        UNION SELECT b.holdingsrecordid FROM before b
        UNION SELECT p.holdingsrecordid FROM touched r JOIN bound_with_part p ON p.itemid = r.id) t
  JOIN holdings_record h ON h.id = t.holdingsrecordid;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER catalogue_instance_made AFTER INSERT ON instance
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_instances();
CREATE OR REPLACE TRIGGER catalogue_instance_changed AFTER UPDATE ON instance
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_instances();
CREATE OR REPLACE TRIGGER catalogue_instance_gone AFTER DELETE ON instance
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_instances();
CREATE OR REPLACE TRIGGER catalogue_holdings_made AFTER INSERT ON holdings_record
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_holdings();
CREATE OR REPLACE TRIGGER catalogue_holdings_changed AFTER UPDATE ON holdings_record
REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_changed_holdings();
CREATE OR REPLACE TRIGGER catalogue_holdings_gone AFTER DELETE ON holdings_record
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_holdings();
CREATE OR REPLACE TRIGGER catalogue_item_made AFTER INSERT ON item
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_items();
CREATE OR REPLACE TRIGGER catalogue_item_changed AFTER UPDATE ON item
REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_changed_items();
CREATE OR REPLACE TRIGGER catalogue_item_gone AFTER DELETE ON item
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_items();
CREATE OR REPLACE TRIGGER catalogue_part_made AFTER INSERT ON bound_with_part
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_items();
CREATE OR REPLACE TRIGGER catalogue_part_changed AFTER UPDATE ON bound_with_part
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_items();
CREATE OR REPLACE TRIGGER catalogue_part_gone AFTER DELETE ON bound_with_part
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_written_items();

-- The names of these types say how identifiers and titles are searched.
CREATE OR REPLACE FUNCTION note_searched_types() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_change (made, scope)
  SELECT pg_current_xact_id(), 'everything'
  WHERE EXISTS (SELECT FROM touched t WHERE lower(t.doc->>'name') IN (
    'isbn', 'invalid isbn', 'issn', 'invalid issn', 'linking issn', 'oclc', 'cancelled oclc', 'lccn', 'canceled lccn',
    'uniform title'));
  RETURN NULL;
END $$;

DO $$
DECLARE
  of text;
BEGIN
  FOREACH of IN ARRAY ARRAY['identifier_type', 'alternative_title_type'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER catalogue_type_made AFTER INSERT ON %I REFERENCING NEW TABLE AS touched '
                   'FOR EACH STATEMENT EXECUTE FUNCTION note_searched_types()', of);
    EXECUTE format('CREATE OR REPLACE TRIGGER catalogue_type_was AFTER UPDATE ON %I REFERENCING OLD TABLE AS touched '
                   'FOR EACH STATEMENT EXECUTE FUNCTION note_searched_types()', of);
    EXECUTE format('CREATE OR REPLACE TRIGGER catalogue_type_changed AFTER UPDATE ON %I REFERENCING NEW TABLE AS touched '
                   'FOR EACH STATEMENT EXECUTE FUNCTION note_searched_types()', of);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION note_search_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalogue_change (made, scope) VALUES (pg_current_xact_id(), 'settings');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER search_language_changed AFTER INSERT OR UPDATE OR DELETE ON search_language
FOR EACH STATEMENT EXECUTE FUNCTION note_search_settings();
CREATE OR REPLACE TRIGGER search_feature_changed AFTER INSERT OR UPDATE OR DELETE ON search_feature
FOR EACH STATEMENT EXECUTE FUNCTION note_search_settings();
CREATE OR REPLACE TRIGGER browse_config_changed AFTER INSERT OR UPDATE OR DELETE ON browse_config
FOR EACH STATEMENT EXECUTE FUNCTION note_search_settings();
-- A type that is deleted is left out of how numbers are browsed.
CREATE OR REPLACE TRIGGER call_number_type_gone AFTER DELETE ON call_number_type
FOR EACH STATEMENT EXECUTE FUNCTION note_search_settings();
CREATE OR REPLACE TRIGGER classification_type_gone AFTER DELETE ON classification_type
FOR EACH STATEMENT EXECUTE FUNCTION note_search_settings();

-- After records were copied into empty tables without these triggers.
CREATE OR REPLACE FUNCTION catalogue_copied() RETURNS void LANGUAGE sql AS $$
  INSERT INTO catalogue_change (made, scope) VALUES (pg_current_xact_id(), 'everything')
$$;
