/**
 * The keys of the application, in one table: none may be one that a browser or its system uses (`browserKeys.ts`). Alt with
 * a digit goes to a tab in browsers on Linux, so Shift goes with it: digits are the desk's, letters lead to the areas.
 */
export const KEYS = {
  checkOut: "Alt+Shift+1",
  checkIn: "Alt+Shift+2",
  /** About the newest scan that asks for a decision. */
  decide: "Alt+Shift+3",
  backdate: "Alt+Shift+4",
  signInAgain: "Alt+Shift+5",
  slips: "Alt+Shift+6",
  print: "Alt+Shift+7",
  dueDate: "Alt+Shift+8",
  sponsor: "Alt+Shift+9",
  why: "Alt+Shift+W",
  endSession: "Alt+Shift+0",
  desk: "Alt+Shift+D",
  patrons: "Alt+Shift+P",
  requests: "Alt+Shift+R",
  catalogue: "Alt+Shift+C",
  archives: "Alt+Shift+V",
  settings: "Alt+Shift+S",
  performance: "Alt+Shift+F",
  palette: "F2",
  keys: "?",
} as const;

/** As the keys are shown and read: `Alt Shift 1`. */
export const keysInWords = (keys: string): string => keys.replaceAll("+", " ");
