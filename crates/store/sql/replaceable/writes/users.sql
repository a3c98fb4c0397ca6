-- A user deactivated by Carrel (`now` in stored form): after failed log-ins, at the end of the registration, or because
-- an import no longer contains the user.
CREATE OR REPLACE FUNCTION made_inactive(doc jsonb, now text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN doc || jsonb_build_object('active', false, 'updatedDate', now,
                                 'metadata', coalesce(doc->'metadata', '{}') || jsonb_build_object('updatedDate', now));
