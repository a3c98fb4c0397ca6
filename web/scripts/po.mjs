/** Reads and writes catalogues in the PO format that translators know, as far as we use it: one line for each text. */

const HEADER = (language) => `msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Language: ${language}\\n"
`;

/**
 * The messages of a catalogue, in its order, without the header.
 * @param {string} text
 * @returns {Map<string, string>}
 */
export function readPo(text) {
  const messages = new Map();
  for (const entry of text.split(/\n{2,}/)) {
    const id = partOf(entry, "msgid");
    if (id) messages.set(id, partOf(entry, "msgstr"));
  }
  return messages;
}

/** The text after a keyword and on the quoted lines that follow it. */
function partOf(entry, keyword) {
  const lines = new RegExp(`^${keyword} ("(?:[^"\\\\]|\\\\.)*"(?:\\n"(?:[^"\\\\]|\\\\.)*")*)`, "m");
  const quoted = lines.exec(entry)?.[1] ?? "";
  return quoted
    .split("\n")
    .map((line) => (line ? JSON.parse(line) : ""))
    .join("");
}

/**
 * @param {string} language
 * @param {Map<string, string>} messages
 */
export function writePo(language, messages) {
  const entries = [...messages].map(
    ([id, text]) => `msgid ${JSON.stringify(id)}\nmsgstr ${JSON.stringify(text)}\n`,
  );
  return [HEADER(language), ...entries].join("\n");
}

/** A Vite plugin: a catalogue as a module. What is not translated yet is left out, so that English stands in. */
export function catalogues() {
  return {
    name: "catalogues",
    /** @param {string} text @param {string} path */
    transform(text, path) {
      if (!path.endsWith(".po")) return undefined;
      const translated = [...readPo(text)].filter(([, translation]) => translation !== "");
      const code = `export default ${JSON.stringify(Object.fromEntries(translated))};`;
      return { code, map: null };
    },
  };
}
