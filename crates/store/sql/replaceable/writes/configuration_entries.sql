-- Keeps the history of configuration entries: I(nsert) and U(pdate) with the new entry, D(elete) with the old one.
CREATE OR REPLACE FUNCTION audit_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry jsonb := CASE TG_OP WHEN 'DELETE' THEN OLD.doc ELSE NEW.doc END;
  audit uuid := carrel.new_id();
BEGIN
  INSERT INTO audit_config_data (id, doc) VALUES (audit, jsonb_build_object('id', audit,
    'operation', left(TG_OP, 1), 'config_data', entry,
    'createdDate', carrel.stored_moment(now())));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER config_data_audit AFTER INSERT OR UPDATE OR DELETE ON config_data
  FOR EACH ROW EXECUTE FUNCTION audit_configuration();
