/** E-mails of the desk (docs/folio/messages.md). */
import { newId } from "../lib/newId";
import { api, bodyOf } from "./client";
import { RefusedError } from "./errors";
import type { Taken } from "./types";

export interface Mail {
  to: string;
  header: string;
  /** HTML. */
  body: string;
}

/** Sends an e-mail now. FOLIO answers with a text whether it was sent, so the text decides. */
export async function sendReceipt(mail: Mail): Promise<void> {
  const body = { ...mail, notificationId: newId(), outputFormat: "text/html" };
  const told = await bodyOf(api.POST("/email", { body: body as Taken<"/email">, parseAs: "text" }));
  const text = String(told);
  if (!text.startsWith("The message has been delivered"))
    throw new RefusedError(422, [{ message: text }]);
}
