/** Lets the boxes of a repository circulate as items of the library (docs/archivesspace/circulating-boxes.md). */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { letCirculate } from "../../../api/archives";
import type { ContainerCirculation } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { type Fact, Facts, Section } from "../../../ui/Detail";
import { Page } from "../../../ui/Page";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { Editor } from "../../records/Editor";
import { fieldsOf } from "../../records/kind";
import { referenceKey, useReferences } from "../../records/references";
import { referencesOf } from "../../records/show";
import { ArchivesNav, RepositoryField } from "../ArchivesNav";
import { numberOf } from "../addresses";
import { ARCHIVES_KEY, circulation } from "../queries";
import { repositoryName, useChosenRepository, useMay } from "../useRepository";
import { Clashes } from "./Clashes";
import { clashesOf } from "./clashes";
import { EndButton } from "./EndButton";
import { sectionsOf, settingsOf } from "./form";

export default function CirculationPage() {
  const { current, error, refetch } = useChosenRepository();
  return (
    <Page
      title={t("Circulation of boxes")}
      subtitle={current && repositoryName(current)}
      parent={{
        to: "/archives",
        search: { kind: "top_containers" },
        label: t("Top containers"),
      }}
    >
      <ArchivesNav open="top_containers" />
      <RepositoryField />
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {current && <OfRepository key={current.uri} repository={numberOf(current.uri)} />}
    </Page>
  );
}

function OfRepository({ repository }: { repository: number }) {
  const query = useQuery(circulation(repository));
  const references = useReferences(referencesOf(fieldsOf(sectionsOf(true))));
  if (query.data === undefined || references.isPending) {
    const error = query.error ?? references.error;
    if (error) return <ProblemNotice error={error} onRetry={() => void query.refetch()} />;
    return <p>{t("Loading…")}</p>;
  }
  return <Settings repository={repository} circulation={query.data} />;
}

interface Props {
  repository: number;
  /** Null if the boxes do not circulate. */
  circulation: ContainerCirculation | null;
}

function Settings({ repository, circulation }: Props) {
  const client = useQueryClient();
  const may = useMay(repository);
  const state = useRef<HTMLDivElement>(null);
  const isOn = circulation !== null;
  const sections = sectionsOf(isOn);
  const references = useReferences(referencesOf(fieldsOf(sections)));
  const forbidden = may("administer_system")
    ? undefined
    : t("You may not do this here. Whoever manages users can allow it.");
  const readAgain = async () => {
    // Types may have been made, and every box is an item from now on, or no more.
    const made = [referenceKey("material-types"), referenceKey("loan-types")];
    await Promise.all(made.map((queryKey) => client.invalidateQueries({ queryKey })));
    await client.invalidateQueries({ queryKey: ARCHIVES_KEY });
    state.current?.focus();
  };
  const explain = (error: unknown) => {
    const clashes = clashesOf(error);
    return clashes.length > 0 && <Clashes clashes={clashes} repository={repository} />;
  };
  return (
    <>
      <div ref={state} tabIndex={-1}>
        <Section
          title={t("State")}
          actions={
            isOn && (
              <EndButton repository={repository} disabledReason={forbidden} onEnded={readAgain} />
            )
          }
        >
          {circulation ? (
            <Facts facts={factsOf(circulation)} />
          ) : (
            <p>
              {t(
                "The boxes of this repository do not circulate. Once they do, each box with a barcode is an item of the library: readers request it, and the desk lends it for the reading room.",
              )}
            </p>
          )}
        </Section>
      </div>
      <Editor
        key={isOn ? "on" : "off"}
        sections={sections}
        initial={settingsOf(circulation)}
        references={references}
        save={(settings) => letCirculate(repository, settings)}
        submitLabel={isOn ? t("Save") : t("Let the boxes circulate")}
        disabledReason={forbidden}
        explain={explain}
        onSaved={() => void readAgain()}
      />
    </>
  );
}

const factsOf = ({ items, on_loan, requests }: ContainerCirculation): Fact[] => [
  [t("Boxes that circulate"), String(items)],
  [t("On loan"), String(on_loan)],
  [t("Open requests"), String(requests)],
];
