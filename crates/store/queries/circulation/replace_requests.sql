-- Changes several requests, all or none. $1 the requests; positions are checked at the end of the transaction.
SELECT replace_requests($1::jsonb[])
