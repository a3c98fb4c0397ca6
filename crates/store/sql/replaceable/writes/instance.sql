-- Keeps deleted instances for harvesters (docs/folio/inventory-links-and-views.md#holdings-and-items-for-harvesters).
CREATE OR REPLACE FUNCTION remember_deleted_instance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_instance (id, source, deleted) VALUES (old.id, old.doc->>'source', now())
  ON CONFLICT (id) DO UPDATE SET source = excluded.source, deleted = excluded.deleted;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER instance_remember_deleted AFTER DELETE ON instance
FOR EACH ROW EXECUTE FUNCTION remember_deleted_instance();
