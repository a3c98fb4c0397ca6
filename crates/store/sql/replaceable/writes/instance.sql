-- Keeps deleted instances for harvesters (docs/folio/inventory-links-and-views.md#holdings-and-items-for-harvesters).
CREATE OR REPLACE FUNCTION remember_deleted_instance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_instance (id, source, deleted) VALUES (old.id, old.doc->>'source', now())
  ON CONFLICT (id) DO UPDATE SET source = excluded.source, deleted = excluded.deleted;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER instance_remember_deleted AFTER DELETE ON instance
FOR EACH ROW EXECUTE FUNCTION remember_deleted_instance();

-- Notes for harvesters that an instance has fewer holdings or items.
CREATE OR REPLACE FUNCTION remember_deleted_holdings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_content (instance_id, deleted) SELECT DISTINCT g.instanceid, now() FROM gone g
  ON CONFLICT (instance_id) DO UPDATE SET deleted = excluded.deleted;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER holdings_remember_deleted AFTER DELETE ON holdings_record
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remember_deleted_holdings();

CREATE OR REPLACE FUNCTION remember_deleted_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_content (instance_id, deleted)
  SELECT DISTINCT h.instanceid, now() FROM gone g JOIN holdings_record h ON h.id = g.holdingsrecordid
  ON CONFLICT (instance_id) DO UPDATE SET deleted = excluded.deleted;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER item_remember_deleted AFTER DELETE ON item
REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remember_deleted_items();
