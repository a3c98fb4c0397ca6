-- The base URL of the tenant's pages, FOLIO's default if none is set, and the stamp of the near-static records.
SELECT (SELECT stamp FROM snapshot_stamp) AS stamp,
  json_build_object('baseUrl', coalesce((SELECT doc->>'baseUrl' FROM baseurl LIMIT 1), 'http://localhost:3000'))::text AS setting
