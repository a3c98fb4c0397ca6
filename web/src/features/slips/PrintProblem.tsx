import { Notice } from "../../ui/Notice";

/** Says that slips were not printed; a repeated try hides it. */
export function PrintProblem({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <Notice look="danger" role="alert">
      The slips could not be printed. Check the network, then print them again.
    </Notice>
  );
}
