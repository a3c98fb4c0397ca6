-- The service points named in a request policy must be pickup locations (docs/folio/policies.md#request-policies).
CREATE OR REPLACE FUNCTION refuse_closed_pickup_locations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM jsonb_each(NEW.doc->'allowedServicePoints') AS of_type (name, ids), jsonb_array_elements_text(ids) AS id
    WHERE NOT EXISTS (SELECT FROM service_point s WHERE s.id = id.value::uuid AND s.doc->'pickupLocation' = 'true')) THEN
    RAISE EXCEPTION USING ERRCODE = '23514', CONSTRAINT = 'request_policy_pickup_locations',
      MESSAGE = 'a request policy names a service point that is no pickup location';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER request_policy_pickup_locations BEFORE INSERT OR UPDATE ON request_policy
  FOR EACH ROW WHEN (NEW.doc ? 'allowedServicePoints' AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_closed_pickup_locations();

-- Removes a service point that was deleted, or is no longer a pickup location, from the policies that name it. If a
-- request type loses its last service point, the type is no longer allowed: without a list it would be allowed
-- everywhere.
CREATE OR REPLACE FUNCTION without_service_point(policy jsonb, point text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT (policy - 'allowedServicePoints')
    || jsonb_strip_nulls(jsonb_build_object('allowedServicePoints',
         jsonb_object_agg(t.name, t.ids - point) FILTER (WHERE t.ids - point <> '[]')))
    || jsonb_build_object('requestTypes', (
         SELECT coalesce(jsonb_agg(kind), '[]') FROM jsonb_array_elements(policy->'requestTypes') AS kind
         WHERE kind#>>'{}' <> ALL (coalesce(array_agg(t.name) FILTER (WHERE t.ids = jsonb_build_array(point)), '{}'))))
  FROM jsonb_each(policy->'allowedServicePoints') AS t (name, ids)
$$;

CREATE OR REPLACE FUNCTION leave_request_policies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE request_policy SET doc = without_service_point(doc, OLD.id::text)
  WHERE jsonb_path_exists(doc, '$.allowedServicePoints.*[*] ? (@ == $id)', jsonb_build_object('id', OLD.id::text));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER leave_request_policies_when_closed AFTER UPDATE ON service_point
  FOR EACH ROW WHEN (OLD.doc->'pickupLocation' = 'true' AND NEW.doc->'pickupLocation' IS DISTINCT FROM 'true')
  EXECUTE FUNCTION leave_request_policies();
CREATE OR REPLACE TRIGGER leave_request_policies_when_deleted AFTER DELETE ON service_point
  FOR EACH ROW EXECUTE FUNCTION leave_request_policies();
