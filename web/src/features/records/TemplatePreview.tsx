/** A template filled with examples, in a frame in which nothing can run. */
import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { previewTemplate } from "../../api/settings";
import { t, useLanguage } from "../../lib/i18n";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { fill } from "../slips/fill";
import { slipDocument } from "../slips/slipDocument";
import styles from "./records.module.css";
import { exampleContext, exampleTokens, type TokenSet } from "./templateTokens";

/** Milliseconds without a key after which the preview follows. */
const PAUSE = 400;

interface Props {
  text: string;
  tokens: TokenSet;
}

/** Staff slips are filled here, as they are at the desk; notices by the server, which knows all of Mustache. */
export default function TemplatePreview({ text, tokens }: Props) {
  const settled = useSettled(text);
  const isNotice = tokens === "notice";
  const { data, error } = useQuery({
    queryKey: ["template-preview", settled],
    queryFn: isNotice ? () => previewTemplate(settled, exampleContext()) : skipToken,
    placeholderData: (last) => last,
  });
  const filled = isNotice ? (data ?? "") : fill(settled, exampleTokens());
  return (
    <div>
      <ProblemNotice error={error} title={t("The text cannot be filled.")} />
      <iframe
        title={t("Preview with examples")}
        className={styles.preview}
        sandbox=""
        srcDoc={useDocument(filled)}
      />
    </div>
  );
}

function useDocument(filled: string): string {
  const language = useLanguage();
  return slipDocument({ title: t("Preview"), language, onePerPage: false, slips: [filled] });
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
