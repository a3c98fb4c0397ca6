import { t } from "../../lib/i18n";
import { SelectField } from "../../ui/choices";
import { SearchField } from "../../ui/SearchField";
import styles from "./catalogue.module.css";
import { type CatalogueSearch, relationFor, relationsOf, SEARCH_OPTIONS, SORTS } from "./search";

interface Props {
  search: CatalogueSearch;
  onChange: (changes: Partial<CatalogueSearch>) => void;
}

/** What is searched for, in what, how, and in which order. */
export function SearchForm({ search, onChange }: Props) {
  const relations = relationsOf(search.by);
  return (
    <search className={styles.search}>
      <div className={styles.words}>
        <SearchField
          label={t("Search for")}
          value={search.text}
          onSearch={(text) => onChange({ text })}
          autoFocus
        />
      </div>
      <SelectField
        label={t("in")}
        options={options(SEARCH_OPTIONS)}
        value={search.by}
        onChange={(by) => onChange({ by, how: relationFor(by, search.how) })}
      />
      {relations.length > 0 && (
        <SelectField
          label={t("as")}
          options={options(relations)}
          value={search.how}
          onChange={(how) => onChange({ how })}
        />
      )}
      <SelectField
        label={t("Order")}
        options={options(SORTS)}
        value={search.sort}
        onChange={(sort) => onChange({ sort })}
      />
    </search>
  );
}

function options(list: readonly { id: string; label: string }[]) {
  return list.map(({ id, label }) => ({ id, label: t(label) }));
}
