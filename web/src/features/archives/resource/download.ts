/** Downloads that tell how far they are. */
import { addressOf, answerOf, type Query } from "../../../api/archivesClient";

/** Reads a file and tells the number of bytes after each part. */
export async function fetchFile(
  path: string,
  query: Query,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await answerOf(addressOf(path, query), { signal });
  const reader = response.body?.getReader();
  const parts: BlobPart[] = [];
  let bytes = 0;
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) break;
    parts.push(part.value);
    bytes += part.value.length;
    onBytes(bytes);
  }
  return new Blob(parts, { type: response.headers.get("content-type") ?? "" });
}

/** Gives the file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A name that every file system takes. */
export const fileName = (title: string, ending: string): string =>
  `${title.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80) || "finding-aid"}.${ending}`;

/** `1.2 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
