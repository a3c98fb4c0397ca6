/** Searches the catalogue: a field, what it is about, facets, and the titles that were found. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import type { FoundInstance } from "../../api/catalogue";
import { isBeingBuilt } from "../../lib/beingBuilt";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import { DataTable, type Sort, type TableColumn } from "../../ui/DataTable";
import { Facets } from "../../ui/Facets";
import { LinkButton } from "../../ui/LinkButton";
import { announce } from "../../ui/LiveRegion";
import { listedPages } from "../../ui/listing";
import { Notice } from "../../ui/Notice";
import { Page } from "../../ui/Page";
import { useReferences } from "../records/references";
import { useClock } from "../tenant/useClock";
import { CatalogueTabs } from "./CatalogueTabs";
import { callNumbers, contributorNames, dateOf } from "./describe";
import { FACET_REFERENCES, facetsToShow } from "./facets";
import { facetCounts, foundInstances } from "./queries";
import { SearchForm } from "./SearchForm";
import { addressOf, type CatalogueSearch, readSearch } from "./search";

export default function CataloguePage() {
  const navigate = useNavigate();
  const search = readSearch(useSearch({ strict: false }));
  const found = useInfiniteQuery(foundInstances(search));
  const first = found.data?.pages[0];
  const total = first?.totalRecords;
  const change = (changes: Partial<CatalogueSearch>) =>
    void navigate({ to: "/catalogue", search: addressOf({ ...search, ...changes }) as never });
  useEffect(() => {
    if (total !== undefined) announce(titles(total));
  }, [total]);
  return (
    <Page
      title={t("Catalogue")}
      subtitle={total === undefined ? undefined : titles(total)}
      toolbar={
        <LinkButton href="/catalogue/instances/new" needs="POST /inventory/instances">
          {t("Add an instance")}
        </LinkButton>
      }
      aside={<CatalogueFacets search={search} onChange={change} />}
      asideAt="start"
    >
      <CatalogueTabs open="search" />
      <SearchForm search={search} onChange={change} />
      {isBeingBuilt(found.error) && (
        <Notice look="warning">
          {t("The catalogue is being indexed. The search goes on by itself when this is done.")}
        </Notice>
      )}
      {first?.isBehind && (
        <Notice look="warning">{t("What was saved in the last moments may be missing.")}</Notice>
      )}
      {!isBeingBuilt(found.error) && (
        <DataTable
          label={t("Titles")}
          columns={columns()}
          {...listedPages(found, (page) => page.instances)}
          hrefOf={({ id }) => `/catalogue/instances/${id}`}
          sort={sortOf(search.sort)}
          onSort={(sort) => change({ sort: sortName(sort) })}
          empty={t("No title fits. Try fewer words, or take filters away.")}
        />
      )}
    </Page>
  );
}

const titles = (count: number) => t("{count, plural, one {# title} other {# titles}}", { count });

const columns = (): TableColumn<FoundInstance>[] => [
  { id: "title", title: t("Title"), cell: titleOf, width: "3fr", minWidth: 160, sorts: true },
  {
    id: "contributor",
    title: t("Contributors"),
    cell: ({ contributors }) => contributorNames(contributors),
    width: "2fr",
    sorts: true,
  },
  { id: "date", title: t("Date"), cell: dateOf, width: 110, sorts: true, isSecondary: true },
  {
    id: "publisher",
    title: t("Publisher"),
    cell: ({ publication }) => publication?.[0]?.publisher ?? "",
    isSecondary: true,
  },
  { id: "callNumber", title: t("Call number"), cell: callNumbers, isSecondary: true },
];

function titleOf({ title, staffSuppress, discoverySuppress }: FoundInstance) {
  return (
    <>
      {title} {staffSuppress && <Badge tone="notice">{t("Suppressed from staff")}</Badge>}{" "}
      {discoverySuppress && <Badge>{t("Suppressed from discovery")}</Badge>}
    </>
  );
}

function sortOf(sort: string): Sort | undefined {
  const column = sort.replace(/^-/, "");
  if (!["title", "contributor", "date"].includes(column)) return undefined;
  return { column, direction: sort.startsWith("-") ? "descending" : "ascending" };
}

const sortName = ({ column, direction }: Sort) => (direction === "descending" ? "-" : "") + column;

interface FacetProps {
  search: CatalogueSearch;
  onChange: (changes: Partial<CatalogueSearch>) => void;
}

function CatalogueFacets({ search, onChange }: FacetProps) {
  const { data = {} } = useQuery(facetCounts(search));
  const { nameOf } = useReferences(FACET_REFERENCES);
  const { locale } = useClock();
  const words = { nameOf, locale, yes: t("Yes"), no: t("No") };
  return (
    <Facets
      facets={facetsToShow(data, search.only, words, t)}
      chosen={search.only}
      onChange={(facet, values) => onChange({ only: { ...search.only, [facet]: values } })}
    />
  );
}
