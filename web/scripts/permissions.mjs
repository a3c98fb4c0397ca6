/** `npm run types`: writes which permission each changing call needs, from the server's own document. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = join(dirname(fileURLToPath(import.meta.url)), "..");
export const PERMISSIONS = join(WEB, "src/api/permissions.ts");

const CHANGING = ["post", "put", "patch", "delete"];

/** The text of the table. */
export function tableOf(document) {
  const lines = Object.entries(document.paths).flatMap(([path, calls]) =>
    CHANGING.flatMap((method) => {
      const needed = calls[method]?.["x-okapi-permissions"]?.required ?? [];
      return needed.length === 1 ? [`  "${method.toUpperCase()} ${path}": "${needed[0]}",`] : [];
    }),
  );
  return `/** Made by \`npm run types\` from \`openapi.json\`: the permission that each changing call needs. */
export const NEEDED = {
${lines.join("\n")}
} as const;

export type Call = keyof typeof NEEDED;
`;
}

export const documentOfServer = () => JSON.parse(readFileSync(join(WEB, "openapi.json"), "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(PERMISSIONS, tableOf(documentOfServer()));
}
