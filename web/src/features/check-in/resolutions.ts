/** How a claim to have returned an item can end. */
import type { ClaimedReturnedResolution } from "../../api/types";
import { msg } from "../../lib/i18n";

export const RESOLUTIONS: readonly { name: ClaimedReturnedResolution; label: string }[] = [
  { name: "Found by library", label: msg("Found by library") },
  { name: "Returned by patron", label: msg("Returned by patron") },
];
