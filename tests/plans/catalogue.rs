//! Searches of the catalogue as clients send them: what is found in the index is read from PostgreSQL, in brief or whole.

use crate::filled::Filled;

pub async fn searches(filled: &Filled) {
    for path in
        ["/search/instances?query=cql.allRecords%3D1", "/search/instances?query=cql.allRecords%3D1&expandAll=true"]
    {
        filled.client.get(path).await.expect(200);
    }
}
