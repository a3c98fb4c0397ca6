import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { announce } from "../../../ui/LiveRegion";
import { Notice } from "../../../ui/Notice";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { LeaveGuard } from "../../records/LeaveGuard";
import records from "../../records/records.module.css";
import styles from "../settings.module.css";
import { type Completion, completionAt } from "./completion";
import { toNames, type Vocabulary } from "./names";
import { Suggestions } from "./Suggestions";
import { type Mistake, positionOf, saveNamedRules } from "./saving";

interface Props {
  /** The rules as the server has them. */
  stored: string;
  /** The line to begin at, from 1. */
  line?: number | undefined;
  vocabulary: Vocabulary;
}

export function RulesEditor({ stored, line, vocabulary }: Props) {
  const [base, setBase] = useState(stored);
  const [text, setText] = useState(() => toNames(stored, vocabulary));
  const [mistake, setMistake] = useState<Mistake>();
  const [latest, setLatest] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  const complete = useCompletion(text, setText, vocabulary, area);
  const select = (at: number, end = at) => {
    area.current?.focus();
    area.current?.setSelectionRange(at, end);
  };
  useLineAtFirst(area, line);
  const saving = useMutation({
    mutationFn: (base: string) => saveNamedRules(text, base, vocabulary),
    onSuccess: (saved) => {
      setMistake(saved.outcome === "mistake" ? saved.mistake : undefined);
      setLatest(saved.outcome === "changed" ? saved.latest : undefined);
      if (saved.outcome === "mistake") select(positionOf(text, saved.mistake));
      if (saved.outcome !== "saved") return;
      setBase(saved.stored);
      announce(t("The circulation rules are saved."));
    },
  });
  const overwrite = () => {
    if (latest === undefined) return;
    setBase(latest);
    saving.mutate(latest);
  };
  const errorId = useId();
  return (
    <>
      <LeaveGuard isDirty={text !== toNames(base, vocabulary)} />
      <p>
        {t(
          "Letters: t loan type, a institution, b campus, c library, s location, m material type, g patron group; policies l loan, r request, n notice, o overdue fine, i lost item.",
        )}
      </p>
      {/* It scrolls sideways on a narrow screen. */}
      <section className={styles.editor} aria-label={t("Circulation rules")}>
        <LineNumbers count={text.split("\n").length} wrong={mistake?.line} />
        <textarea
          ref={area}
          className={styles.code}
          aria-label={t("Circulation rules")}
          aria-invalid={mistake !== undefined}
          aria-describedby={mistake ? errorId : undefined}
          {...complete.attributes}
          rows={text.split("\n").length + 1}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            complete.at(target.value, target.selectionStart);
          }}
          onKeyDown={complete.onKeyDown}
          onClick={complete.close}
          onBlur={complete.close}
        />
      </section>
      {complete.completion && <Suggestions {...complete} completion={complete.completion} />}
      {mistake && (
        <Notice look="danger" role="alert">
          <p id={errorId}>
            {t("Line {line}: {message}", { line: mistake.line, message: mistake.message })}
          </p>
          <Button onPress={() => select(positionOf(text, mistake))}>{t("Go to the line")}</Button>
        </Notice>
      )}
      {latest !== undefined && (
        <Notice look="warning" role="alert">
          <p>{t("Somebody else has changed the rules since you opened them. Theirs are:")}</p>
          <pre>{toNames(latest, vocabulary)}</pre>
          <Button onPress={overwrite}>{t("Save mine in place of theirs")}</Button>
        </Notice>
      )}
      <ProblemNotice error={saving.error} onRetry={() => saving.mutate(base)} />
      <div className={records.actions}>
        <Button
          look="primary"
          needs="PUT /circulation/rules"
          isPending={saving.isPending}
          onPress={() => saving.mutate(base)}
        >
          {t("Save")}
        </Button>
      </div>
    </>
  );
}

/** Selects the line that a link names, once the text is there. */
function useLineAtFirst(
  area: { current: HTMLTextAreaElement | null },
  line: number | undefined,
): void {
  useEffect(() => {
    const field = area.current;
    if (!field || line === undefined) return;
    const lines = field.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    field.focus();
    field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }, [area, line]);
}

function LineNumbers({ count, wrong }: { count: number; wrong: number | undefined }) {
  return (
    <pre className={styles.numbers} aria-hidden="true">
      {Array.from({ length: count }, (_, n) => n + 1).map((line) => (
        <span key={line} data-wrong={line === wrong || undefined}>
          {line === wrong ? `✗ ${line}` : line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

/** The list of names that fit: arrows choose, Enter or Tab takes, Escape closes. */
function useCompletion(
  text: string,
  onChange: (text: string) => void,
  vocabulary: Vocabulary,
  area: { current: HTMLTextAreaElement | null },
) {
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const close = () => setCompletion(undefined);
  const at = (text: string, caret: number) => {
    setCompletion(completionAt(text, caret, vocabulary));
    setChosen(0);
  };
  const take = (n: number) => {
    const field = area.current;
    const word = completion?.choices[n]?.word;
    if (!field || !completion || word === undefined) return;
    const caret = completion.start + word.length;
    // At once: the next key may come before the next frame.
    flushSync(() => {
      onChange(text.slice(0, completion.start) + word + text.slice(field.selectionStart));
      close();
    });
    field.setSelectionRange(caret, caret);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!completion) return;
    const { length } = completion.choices;
    if (event.key === "ArrowDown") setChosen((chosen + 1) % length);
    else if (event.key === "ArrowUp") setChosen((chosen + length - 1) % length);
    else if (event.key === "Enter" || event.key === "Tab") take(chosen);
    else if (event.key === "Escape") close();
    else return void (event.key.startsWith("Arrow") && close());
    event.preventDefault();
  };
  const attributes = completion && {
    "aria-autocomplete": "list" as const,
    "aria-controls": id,
    "aria-activedescendant": `${id}-${chosen}`,
  };
  return { id, completion, chosen, attributes, at, take, close, onKeyDown };
}
