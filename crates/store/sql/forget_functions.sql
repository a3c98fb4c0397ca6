-- Drops the functions of a tenant's schema before they are re-created: CREATE OR REPLACE cannot change parameter names
-- or results. Functions of triggers and indexes stay; they are replaced in place.
DO $$
DECLARE
  known regprocedure;
BEGIN
  FOR known IN SELECT p.oid::regprocedure FROM pg_proc p
               WHERE p.pronamespace = current_schema()::regnamespace AND p.prorettype <> 'trigger'::regtype LOOP
    BEGIN
      EXECUTE format('DROP FUNCTION %s', known);
    EXCEPTION WHEN dependent_objects_still_exist THEN
      NULL;
    END;
  END LOOP;
END $$;
