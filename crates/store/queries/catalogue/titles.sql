-- Instances with their holdings and items, also items bound with their holdings, in the order asked for. $1 ids. What is
-- selected is inventory/instance_view.sql.
SELECT {view}
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place) JOIN instance r ON r.id = asked.id
ORDER BY asked.place
