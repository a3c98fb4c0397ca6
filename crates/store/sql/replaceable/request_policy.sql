-- Requests are fetched where they may be: the service points that a request policy names are pickup locations
-- (folio-circulation §5).
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
  FOR EACH ROW WHEN (NEW.doc ? 'allowedServicePoints') EXECUTE FUNCTION refuse_closed_pickup_locations();
