/** All patrons: found by name, barcode, user name or e-mail, narrowed by status and group. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Group } from "../../api/patrons";
import type { User } from "../../api/types";
import { type Clock, formatDate } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { useAddress } from "../../lib/useAddress";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { SelectField } from "../../ui/choices";
import { DataTable, type TableColumn } from "../../ui/DataTable";
import { Facets } from "../../ui/Facets";
import { listedPages } from "../../ui/listing";
import { Page } from "../../ui/Page";
import { SearchField } from "../../ui/SearchField";
import { useClock } from "../tenant/useClock";
import styles from "./Patrons.module.css";
import { nameOf } from "./patron";
import { FIELDS, type PatronSearch, patronSearchOf, SORTS } from "./patronSearch";
import { patronGroups, patronList } from "./queries";

export default function PatronsPage() {
  const [search, change] = useAddress(patronSearchOf);
  const navigate = useNavigate();
  const list = useInfiniteQuery(patronList(search));
  const groups = useQuery(patronGroups).data ?? [];
  const clock = useClock();
  const count = list.data?.pages[0]?.totalRecords;
  return (
    <Page
      title={t("Patrons")}
      subtitle={
        count !== undefined && t("{count, plural, one {# patron} other {# patrons}}", { count })
      }
      toolbar={
        <Button
          look="primary"
          needs="POST /users"
          onPress={() => void navigate({ to: "/patrons/new" })}
        >
          {t("New patron")}
        </Button>
      }
      asideAt="start"
      aside={<Filters search={search} onChange={change} groups={groups} />}
    >
      <div className={styles.search}>
        <SearchField
          label={t("Search patrons")}
          value={search.q ?? ""}
          onSearch={(q) => change(patronSearchOf({ ...search, q }), { push: true })}
          autoFocus
        />
        <SelectField
          label={t("Search in")}
          options={FIELDS.map(({ id, label }) => ({ id, label: t(label) }))}
          value={search.in ?? "any"}
          onChange={(field) => change(patronSearchOf({ ...search, in: field }))}
        />
      </div>
      <DataTable
        label={t("Patrons")}
        {...listedPages(list, ({ users }) => users)}
        columns={columns(groups, clock)}
        hrefOf={({ id }) => `/patrons/${id}`}
        sort={{
          column: search.sort ?? "name",
          direction: search.down ? "descending" : "ascending",
        }}
        onSort={({ column, direction }) => {
          const down = direction === "descending";
          change(patronSearchOf({ ...search, sort: column, down }));
        }}
        empty={<p>{t("No patron fits. Search for less, or remove a filter.")}</p>}
      />
    </Page>
  );
}

interface FilterProps {
  search: PatronSearch;
  onChange: (search: PatronSearch) => void;
  groups: readonly Group[];
}

function Filters({ search, onChange, groups }: FilterProps) {
  const choose = (facet: string, values: string[]) => {
    // Two values of a yes or no are none.
    const changed = facet === "active" ? { active: values.at(-1) } : { groups: values };
    onChange(patronSearchOf({ ...search, ...changed }));
  };
  return (
    <Facets
      facets={[
        {
          id: "active",
          title: t("Status"),
          values: [
            { id: "yes", label: t("Active") },
            { id: "no", label: t("Inactive") },
          ],
        },
        {
          id: "groups",
          title: t("Patron group"),
          values: groups.map(({ id, group }) => ({ id, label: group })),
        },
      ]}
      chosen={{ active: search.active ? [search.active] : [], groups: search.groups ?? [] }}
      onChange={choose}
    />
  );
}

function columns(groups: readonly Group[], clock: Clock): TableColumn<User>[] {
  const groupNames = new Map(groups.map(({ id, group }) => [id, group]));
  const sorts = new Set<string>(SORTS);
  const all: TableColumn<User>[] = [
    { id: "name", title: t("Name"), cell: nameOf, isRowHeader: true, width: "2fr" },
    {
      id: "barcode",
      title: t("Barcode"),
      cell: ({ barcode }) => barcode,
      width: "2fr",
      minWidth: 160,
    },
    {
      id: "group",
      title: t("Patron group"),
      cell: ({ patronGroup = "" }) => groupNames.get(patronGroup),
      isSecondary: true,
    },
    {
      id: "email",
      title: t("E-mail"),
      cell: ({ personal }) => personal?.email,
      isSecondary: true,
      width: "2fr",
    },
    {
      id: "expires",
      title: t("Expires"),
      cell: ({ expirationDate }) => expirationDate && formatDate(expirationDate, clock),
      isSecondary: true,
    },
    {
      id: "active",
      title: t("Status"),
      cell: ({ active }) =>
        active ? (
          <Badge tone="good">{t("Active")}</Badge>
        ) : (
          <Badge tone="bad">{t("Inactive")}</Badge>
        ),
    },
  ];
  return all.map((column) => ({ ...column, sorts: sorts.has(column.id) }));
}
