-- The base URL of the tenant's pages.
SELECT doc->>'baseUrl' FROM baseurl LIMIT 1
