/** All requests, the open ones first, found by item, title or requester. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { useAddress } from "../../lib/useAddress";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import { DataTable } from "../../ui/DataTable";
import { Facets } from "../../ui/Facets";
import { listedPages } from "../../ui/listing";
import { Page } from "../../ui/Page";
import { SearchField } from "../../ui/SearchField";
import styles from "../patrons/Patrons.module.css";
import { useClock } from "../tenant/useClock";
import { requestList, servicePoints } from "./queries";
import { requestColumns } from "./requestColumns";
import { FIELDS, type RequestSearch, requestSearchOf, STATUSES, TYPES } from "./requestSearch";

const ANYWHERE = "any";

export default function RequestsPage() {
  const [search, change] = useAddress(requestSearchOf);
  const navigate = useNavigate();
  const list = useInfiniteQuery(requestList(search));
  const clock = useClock();
  const count = list.data?.pages[0]?.totalRecords;
  const set = (changes: object, push = false) =>
    change(requestSearchOf({ ...search, ...changes }), { push });
  return (
    <Page
      title={t("Requests")}
      subtitle={
        count !== undefined && t("{count, plural, one {# request} other {# requests}}", { count })
      }
      toolbar={
        <Button
          look="primary"
          needs="POST /circulation/requests"
          onPress={() => void navigate({ to: "/requests/new" })}
        >
          {t("New request")}
        </Button>
      }
      asideAt="start"
      aside={<Filters search={search} onChange={set} />}
    >
      <div className={styles.search}>
        <SearchField
          label={t("Search requests")}
          value={search.q ?? ""}
          onSearch={(q) => set({ q }, true)}
          autoFocus
        />
        <SelectField
          label={t("Search in")}
          options={FIELDS.map(({ id, label }) => ({ id, label: t(label) }))}
          value={search.in ?? "any"}
          onChange={(where) => set({ in: where })}
        />
      </div>
      <DataTable
        label={t("Requests")}
        {...listedPages(list, ({ requests }) => requests)}
        columns={requestColumns(clock)}
        hrefOf={({ id }) => `/requests/${id}`}
        sort={{
          column: search.sort ?? "date",
          direction: search.down ? "descending" : "ascending",
        }}
        onSort={({ column, direction }) => set({ sort: column, down: direction === "descending" })}
        empty={<p>{t("No request fits. Search for less, or change the filters.")}</p>}
      />
    </Page>
  );
}

function Filters(props: { search: RequestSearch; onChange: (changes: object) => void }) {
  const { search, onChange } = props;
  const places = useQuery(servicePoints).data?.servicepoints ?? [];
  return (
    <div className={styles.form}>
      <SelectField
        label={t("Pickup at")}
        options={[
          { id: ANYWHERE, label: t("Any service point") },
          ...places.map(({ id, name }) => ({ id, label: name })),
        ]}
        value={search.pickup ?? ANYWHERE}
        onChange={(pickup) => onChange({ pickup: pickup === ANYWHERE ? undefined : pickup })}
      />
      <Facets
        facets={[
          {
            id: "statuses",
            title: t("Status (open without a choice)"),
            values: STATUSES.map((status) => ({
              id: status,
              label: fixed("requestStatus", status),
            })),
          },
          {
            id: "types",
            title: t("Type"),
            values: TYPES.map((type) => ({ id: type, label: fixed("requestType", type) })),
          },
        ]}
        chosen={{ statuses: search.statuses ?? [], types: search.types ?? [] }}
        onChange={(facet, values) => onChange({ [facet]: values })}
      />
    </div>
  );
}
