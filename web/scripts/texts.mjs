/**
 * `npm run texts`: collects the messages of the source into the catalogues of `locales/`, one file for each language and
 * area. The other languages keep their translations, take those of the same text in another area, and get new messages
 * empty: a test names them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { readPo, writePo } from "./po.mjs";

const WEB = join(dirname(fileURLToPath(import.meta.url)), "..");
const SOURCE = join(WEB, "src");
export const LOCALES = join(WEB, "locales");

/** The languages beside English. */
export const TRANSLATED = ["de", "es"];

/** The functions whose first argument is a message. */
const MARKS = ["t", "msg"];

/**
 * The messages of the source by area, sorted.
 * @returns {Map<string, string[]>}
 */
export function messagesOfSource() {
  const areas = new Map();
  for (const path of readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/\.tsx?$/.test(path) || /\.(test|d)\.tsx?$/.test(path)) continue;
    const found = messagesIn(path, readFileSync(join(SOURCE, path), "utf8"));
    if (found.length > 0) areas.set(areaOf(path), [...(areas.get(areaOf(path)) ?? []), ...found]);
  }
  return new Map([...areas].map(([area, found]) => [area, [...new Set(found)].sort()]));
}

/** `features/slips/fill.ts` belongs to `slips`, `ui/Page.tsx` to `ui`. */
function areaOf(path) {
  const [first, second] = path.split(/[\\/]/);
  return first === "features" ? second : first.replace(/\.tsx?$/, "");
}

/**
 * The messages of one file.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function messagesIn(path, text) {
  const found = [];
  const visit = (node) => {
    const message = messageOf(node);
    if (message !== undefined) found.push(message);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kindOf(path)));
  return found;
}

function kindOf(path) {
  return path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

function messageOf(node) {
  if (ts.isCallExpression(node) && MARKS.includes(node.expression.getText())) {
    return literalOf(node.arguments[0]);
  }
  if (ts.isJsxAttribute(node) && node.name.getText() === "text") {
    const element = node.parent.parent;
    if (element.tagName?.getText() !== "Rich") return undefined;
    const { initializer } = node;
    return literalOf(
      initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer,
    );
  }
  return undefined;
}

function literalOf(node) {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** The catalogue of a language and area, or undefined. */
export function readCatalogue(language, area) {
  const path = join(LOCALES, language, `${area}.po`);
  return existsSync(path) ? readPo(readFileSync(path, "utf8")) : undefined;
}

function writeCatalogue(language, area, messages) {
  mkdirSync(join(LOCALES, language), { recursive: true });
  const path = join(LOCALES, language, `${area}.po`);
  writeFileSync(path, writePo(language, messages));
  console.info(`${relative(WEB, path)}: ${messages.size} messages`);
}

function collect() {
  const areas = messagesOfSource();
  for (const [area, messages] of areas) {
    writeCatalogue("en", area, new Map(messages.map((message) => [message, message])));
  }
  for (const language of TRANSLATED) {
    const everywhere = translationsOf(language, areas.keys());
    for (const [area, messages] of areas) {
      const known = readCatalogue(language, area);
      const translated = (id) => known?.get(id) || everywhere.get(id) || "";
      writeCatalogue(language, area, new Map(messages.map((id) => [id, translated(id)])));
    }
  }
}

/** A text has one translation, wherever it stands. */
function translationsOf(language, areas) {
  const found = [...areas].flatMap((area) => [...(readCatalogue(language, area) ?? [])]);
  return new Map(found.filter(([, translation]) => translation !== ""));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) collect();
