-- Where the changes of the catalogue are: what is visible now, the tables they are of (another after a restore), and when.
SELECT pg_current_snapshot()::text AS snapshot,
       (SELECT c.system_identifier FROM pg_control_system() c)::text || '/' || 'instance'::regclass::oid AS origin,
       extract(epoch FROM now())::bigint AS seconds
