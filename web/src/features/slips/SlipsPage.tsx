import type { UseQueryResult } from "@tanstack/react-query";
import type { SlipContext } from "../../api/types";
import { t } from "../../lib/i18n";
import { usePageTitle } from "../../lib/usePageTitle";
import { Button } from "../../ui/Button";
import { announce } from "../../ui/LiveRegion";
import { Notice, Reasons } from "../../ui/Notice";
import { useServicePointId } from "../service-points/useServicePointId";
import { useSession } from "../session/session";
import { PrintButton } from "./PrintButton";
import { PrintProblem } from "./PrintProblem";
import { SlipList } from "./SlipList";
import styles from "./SlipsPage.module.css";
import { logPicks, useShelves } from "./shelves";
import { noTemplate, useSlipTemplates } from "./templates";
import { useSlipPrinter } from "./useSlipPrinter";

/** The requested items on the shelves here: a list on screen and slips to print. */
export default function SlipsPage() {
  usePageTitle(t("Slips"));
  const session = useSession();
  const shelves = useShelves(useServicePointId());
  const printer = useSlipPrinter();
  const place = session?.servicePoint?.name ?? "";

  const printPicks = async (slips: SlipContext[]) => {
    const done = await printer.print(slips.map((context) => ({ name: "Pick slip", context })));
    if (done && shelves.logs && session) await logPicks(slips, session);
  };
  const printSearches = (slips: SlipContext[]) =>
    void printer.print(slips.map((context) => ({ name: "Search slip (Hold requests)", context })));
  const readAgain = async () => {
    if (shelves.hasSearches) void shelves.searches.refetch();
    const { data } = await shelves.picks.refetch();
    if (!data) return;
    const count = data.length;
    announce(t("There {count, plural, one {is # pick slip} other {are # pick slips}}.", { count }));
  };

  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <h1>{t("Slips")}</h1>
        <Button look="quiet" onPress={() => void readAgain()}>
          {t("Read again")}
        </Button>
      </div>
      <PrintProblem error={printer.error} />
      <Shelf
        title={t("Pick slips")}
        name="Pick slip"
        query={shelves.picks}
        none={t("Nothing is to be fetched from the shelves of {place}.", { place })}
      >
        {(slips, isDisabled) => (
          <PrintButton
            label={t("Print {count, plural, one {# pick slip} other {# pick slips}}", {
              count: slips.length,
            })}
            look="primary"
            isDisabled={isDisabled}
            onPrint={() => void printPicks(slips)}
          />
        )}
      </Shelf>
      {shelves.hasSearches && (
        <Shelf
          title={t("Search slips")}
          name="Search slip (Hold requests)"
          query={shelves.searches}
          none={t("No holds are to be searched for at {place}.", { place })}
        >
          {(slips, isDisabled) => (
            <Button onPress={() => printSearches(slips)} isDisabled={isDisabled}>
              {t("Print {count, plural, one {# search slip} other {# search slips}}", {
                count: slips.length,
              })}
            </Button>
          )}
        </Shelf>
      )}
    </main>
  );
}

interface ShelfProps {
  title: string;
  name: "Pick slip" | "Search slip (Hold requests)";
  query: UseQueryResult<SlipContext[]>;
  /** Shown when the list is empty. */
  none: string;
  children: (slips: SlipContext[], isDisabled: boolean) => React.ReactNode;
}

function Shelf({ title, name, query, none, children }: ShelfProps) {
  const { templateOf, isKnown, error } = useSlipTemplates();
  const slips = query.data ?? [];
  const hasTemplate = templateOf(name) !== undefined;
  return (
    <section className={styles.shelf} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {slips.length > 0 && children(slips, !hasTemplate)}
      </div>
      <Failed error={query.error ?? error} />
      {isKnown && !hasTemplate && <Notice look="warning">{noTemplate(name)}</Notice>}
      {query.data && slips.length === 0 && <output>{none}</output>}
      {slips.length > 0 && <SlipList label={title} slips={slips} />}
    </section>
  );
}

function Failed({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <Notice look="danger" role="alert">
      <Reasons error={error} />
    </Notice>
  );
}
