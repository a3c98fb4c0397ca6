/** Why boxes cannot circulate: their barcodes are those of other items. */
import { RefusedError } from "../../../api/errors";

export interface Clash {
  /** The address of the container. */
  container: string;
  barcode: string;
}

/** As the server says it, with the place before it (`archivesClient.ts`). */
const CLASH =
  /^barcode: (.+) of (\/repositories\/\d+\/top_containers\/\d+) is not the barcode of that container alone$/;

/** The containers whose barcodes are in the way; none if the refusal is about something else. */
export function clashesOf(error: unknown): Clash[] {
  if (!(error instanceof RefusedError)) return [];
  return error.entries.flatMap(({ message }) => {
    const [, barcode, container] = CLASH.exec(message) ?? [];
    return barcode && container ? [{ container, barcode }] : [];
  });
}
