/**
 * The session of the pages (docs/decisions/0064). It is in a cookie that the browser sends and no script can read; what
 * is said here is who is signed in.
 */
import { PAGE } from "./client";
import { ConnectionLostError, errorOfAnswer } from "./errors";

/** Who is signed in, as `/session` tells it. */
export interface StaffSession {
  library: string;
  user: {
    id: string;
    username: string;
    lastName?: string;
    firstName?: string;
    preferredFirstName?: string;
  };
  permissions: string[];
  defaultServicePointId?: string;
  /** An ISO instant. Two sessions of a user differ in it. */
  expires: string;
}

declare global {
  /** The first answer of `/session`, which `public/begin.js` asked for. */
  var carrelSession: Promise<Response> | undefined;
}

const PATIENCE = 30_000;

/** The session of this browser, whoever has it; none if nobody is signed in. */
export async function getSession(): Promise<StaffSession | undefined> {
  const response = await (begun() ?? call("GET"));
  if (response.status === 401) return undefined;
  return (await accepted(response)).json();
}

export async function beginSession(
  library: string,
  username: string,
  password: string,
): Promise<StaffSession> {
  const response = await call("POST", JSON.stringify({ library, username, password }));
  return (await accepted(response)).json();
}

export async function endSession(): Promise<void> {
  await accepted(await call("DELETE"));
}

/** What was asked before this script was there; only once, because later the session may be another. */
function begun(): Promise<Response> | undefined {
  const first = globalThis.carrelSession;
  globalThis.carrelSession = undefined;
  return first?.catch(lost);
}

function call(method: string, body?: string): Promise<Response> {
  const headers = body ? { ...PAGE, "Content-Type": "application/json" } : PAGE;
  const signal = AbortSignal.timeout(PATIENCE);
  return fetch("/session", { method, headers, signal, ...(body && { body }) }).catch(lost);
}

function lost(cause: unknown): never {
  throw new ConnectionLostError(cause);
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = await response.text();
  throw errorOfAnswer(response.status, parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
