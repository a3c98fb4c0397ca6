/** A top container: what it is, where it stands, whether it circulates, and what is in it. */
import type { TopContainer } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { type Fact, Facts, Section } from "../../../ui/Detail";
import { BoxStateView } from "../circulation/BoxStateView";
import { inWords, linkedTitle } from "../values";
import { Linked } from "./Linked";
import { lastChange } from "./lastChange";

interface Props {
  container: TopContainer;
  repository: number;
}

export function ContainerView({ container, repository }: Props) {
  const { container_locations = [], collection = [], series = [], circulation } = container;
  const now = container_locations.find(({ status }) => status === "current");
  const named = [...collection, ...series].map(({ ref, display_string }) => ({
    ref,
    _resolved: { uri: ref, jsonmodel_type: "", lock_version: 0, title: display_string ?? ref },
  }));
  const facts: Fact[] = [
    [t("Type"), inWords(container.type)],
    [t("Indicator"), container.indicator],
    [t("Barcode"), container.barcode],
    [
      t("Container profile"),
      container.container_profile && linkedTitle(container.container_profile),
    ],
    [t("Location now"), now && linkedTitle(now)],
    [t("Restricted"), container.restricted ? t("Yes") : undefined],
    [t("Internal note"), container.internal_note],
    [t("Last changed"), lastChange(container)],
  ];
  return (
    <>
      <Section title={t("Container")}>
        <Facts facts={facts} />
      </Section>
      {circulation && <BoxStateView state={circulation} />}
      {named.length > 0 && (
        <Section title={t("What is in it")}>
          <Linked
            links={named.filter(
              ({ ref }) => ref.includes("/resources/") || ref.includes("/accessions/"),
            )}
            repository={repository}
          />
        </Section>
      )}
    </>
  );
}
