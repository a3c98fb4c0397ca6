/** The editor of the circulation rules: names in place of ids, completion, and mistakes at their lines. */
import { useQuery } from "@tanstack/react-query";
import { getRules } from "../../../api/settings";
import { t } from "../../../lib/i18n";
import { useAddress } from "../../../lib/useAddress";
import { Loaded } from "../../../ui/Loaded";
import { Page } from "../../../ui/Page";
import { type ReferenceChoice, useReferences } from "../../records/references";
import { LETTERS, type Letter, thingsOf, type Vocabulary } from "./names";
import { RulesEditor } from "./RulesEditor";

const LISTS = Object.values(LETTERS);

export default function RulesPage() {
  const [{ line }] = useAddress(lineOf);
  const rules = useQuery({ queryKey: ["circulation-rules"], queryFn: getRules, gcTime: 0 });
  const references = useReferences(LISTS);
  const parent = { to: "/settings", label: t("Settings") };
  const title = t("Circulation rules");
  const query = references.isPending ? ({ ...rules, data: undefined } as typeof rules) : rules;
  return (
    <Loaded query={query} title={title} parent={parent} missing={t("There are no rules.")}>
      {(text) => (
        <Page title={title} parent={parent}>
          <RulesEditor stored={text} line={line} vocabulary={vocabularyOf(references.choices)} />
        </Page>
      )}
    </Loaded>
  );
}

/** The line in the address, if a link names one. */
function lineOf({ line }: Record<string, unknown>): { line?: number } {
  const read = Number(line);
  return Number.isInteger(read) && read > 0 ? { line: read } : {};
}

function vocabularyOf(choices: (from: (typeof LISTS)[number]) => readonly object[]): Vocabulary {
  const entries = Object.entries(LETTERS).map(([letter, name]) => [
    letter,
    thingsOf(letter as Letter, choices(name) as readonly ReferenceChoice[]),
  ]);
  return Object.fromEntries(entries) as Vocabulary;
}
