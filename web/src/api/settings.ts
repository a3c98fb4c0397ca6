/** The calls of the settings that are not those of any kind of record. */
import { api, bodyOf } from "./client";
import { RefusedError } from "./errors";

export const getRules = () =>
  bodyOf(api.GET("/circulation/rules")).then(({ rulesAsText }) => rulesAsText);

/** A mistake in the rules, at its line and column as the server counts them. */
export interface RulesMistake {
  message: string;
  line: number;
  column: number;
}

/** Saves the rules; answers with the mistake that kept the server from taking them. */
export async function saveRules(rulesAsText: string): Promise<RulesMistake | undefined> {
  let mistake: RulesMistake | undefined;
  const call = api.PUT("/circulation/rules", { body: { rulesAsText } }).then((answer) => {
    mistake = answer.response.status === 422 ? mistakeOf(answer.error) : undefined;
    return answer;
  });
  try {
    await bodyOf(call);
    return undefined;
  } catch (error) {
    if (mistake && error instanceof RefusedError) return mistake;
    throw error;
  }
}

function mistakeOf(body: unknown): RulesMistake | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { message, line, column } = body as Partial<RulesMistake>;
  if (typeof message !== "string" || typeof line !== "number") return undefined;
  return { message, line, column: typeof column === "number" ? column : 0 };
}

/** The text of a notice, filled with a context. */
export const previewTemplate = (body: string, context: Record<string, unknown>) =>
  bodyOf(
    api.POST("/template-request/preview", { body: { header: "-", body, context } as never }),
  ).then((answer) => String((answer as { body?: unknown }).body ?? ""));
