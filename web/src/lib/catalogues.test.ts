import { readdirSync } from "node:fs";
import { join } from "node:path";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, test } from "vitest";
import {
  LOCALES,
  messagesIn,
  messagesOfSource,
  readCatalogue,
  TRANSLATED,
} from "../../scripts/texts.mjs";

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

  test.each(TRANSLATED)("have the same placeholders in %s", (language) => {
    for (const [message, translation] of readCatalogue(language, area) ?? []) {
      if (translation) expect(placeholders(translation), message).toEqual(placeholders(message));
    }
  });

  test.each(TRANSLATED)("are all translated to %s", (language) => {
    const catalogue = readCatalogue(language, area);
    expect(messages.filter((message) => !catalogue?.get(message))).toEqual([]);
  });
});

test.each(TRANSLATED)(
  "a text has one translation to %s, since the page has one for all areas",
  (language) => {
    const known = new Map<string, string>();
    const others: string[] = [];
    for (const [message, translation] of AREAS.flatMap(([area]) => [
      ...(readCatalogue(language, area) ?? []),
    ])) {
      const first = known.get(message) ?? translation;
      known.set(message, first);
      if (first !== translation) others.push(`${message}: ${first}, ${translation}`);
    }
    expect(others).toEqual([]);
  },
);

test.each(TRANSLATED)("no area is left in %s that the source does not have", (language) => {
  const areas = new Set(AREAS.map(([area]) => `${area}.po`));
  expect(readdirSync(join(LOCALES, language)).filter((file) => !areas.has(file))).toEqual([]);
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
