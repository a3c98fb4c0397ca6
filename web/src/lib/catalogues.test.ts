import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, test } from "vitest";
import { messagesIn, messagesOfSource, readCatalogue } from "../../scripts/texts.mjs";

/** The areas that are translated completely. */
const WHOLE = [
  "app",
  "check-in",
  "check-out",
  "lib",
  "scanning",
  "server",
  "service-points",
  "session",
  "slips",
];

const AREAS = [...messagesOfSource()];

describe("collecting messages", () => {
  test("finds them in calls, in tables and in elements", () => {
    const source = `
      const table = [msg("Desk")];
      const a = <p title={t("Close {name}", { name })}><Rich text="a <b>c</b>" parts={{}} /></p>;
      const b = t(table[0]);
    `;
    expect(messagesIn("a.tsx", source)).toEqual(["Desk", "Close {name}", "a <b>c</b>"]);
  });
});

describe.each(AREAS)("the texts of %s", (area, messages) => {
  test("are in the English catalogue; if not: npm run texts", () => {
    expect([...(readCatalogue("en", area)?.keys() ?? [])]).toEqual(messages);
  });

  test.each(["de", "es"])("have the same placeholders in %s", (language) => {
    for (const [message, translation] of readCatalogue(language, area) ?? []) {
      if (translation) expect(placeholders(translation), message).toEqual(placeholders(message));
    }
  });

  test.runIf(WHOLE.includes(area)).each(["de", "es"])("are all translated to %s", (language) => {
    const catalogue = readCatalogue(language, area);
    expect(messages.filter((message) => !catalogue?.get(message))).toEqual([]);
  });
});

/** The names of values and tags in a message, each once. */
function placeholders(message: string): string[] {
  const names = new Set(message.match(/<\/?\w+>/g) ?? []);
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [name, format, options] = part;
    if (typeof name === "string") names.add([name, format].filter(Boolean).join(" "));
    for (const option of Object.values(options ?? {})) {
      if (Array.isArray(option)) option.forEach(visit);
    }
  };
  const compiled = compileMessage(message);
  if (Array.isArray(compiled)) compiled.forEach(visit);
  return [...names].sort();
}
