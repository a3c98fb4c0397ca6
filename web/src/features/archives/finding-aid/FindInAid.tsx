/** Finds any component of the finding aid, also far beyond what is drawn. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { SearchField } from "../../../ui/SearchField";
import styles from "../Archives.module.css";
import { numberOf } from "../addresses";
import { foundIn } from "../resource/TreeFind";

interface Props {
  repository: number;
  root: string;
  onFound: (id: number) => void;
}

export function FindInAid({ repository, root, onFound }: Props) {
  const [q, setQ] = useState("");
  const [at, setAt] = useState(-1);
  const query = useInfiniteQuery(foundIn(repository, root, q));
  const found = query.data?.pages.flatMap(({ results }) => results) ?? [];
  const total = query.data?.pages[0]?.total_hits ?? 0;
  const show = (index: number) => {
    const uri = found[index]?.uri;
    if (uri === undefined) return;
    setAt(index);
    onFound(numberOf(uri));
    if (index + 2 > found.length && query.hasNextPage) void query.fetchNextPage();
  };
  const search = (text: string) => {
    setQ(text);
    setAt(-1);
  };
  return (
    <div className={styles.row} data-sticky>
      <div className={styles.grow}>
        <SearchField label={t("Find in this finding aid")} value={q} onSearch={search} />
      </div>
      {q !== "" && query.data && (
        <>
          <output>
            {at >= 0
              ? t("{at} of {total}", { at: at + 1, total })
              : t(
                  "{total, plural, =0 {Nothing found} one {# component found} other {# components found}}",
                  {
                    total,
                  },
                )}
          </output>
          <Button
            onPress={() => show(at - 1)}
            disabledReason={at > 0 ? undefined : t("This is the first one.")}
          >
            {t("Previous")}
          </Button>
          <Button
            onPress={() => show(at + 1)}
            disabledReason={at + 1 < found.length ? undefined : t("This is the last one.")}
          >
            {t("Next")}
          </Button>
        </>
      )}
    </div>
  );
}
