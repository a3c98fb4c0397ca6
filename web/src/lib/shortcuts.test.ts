import { describe, expect, test } from "vitest";
import { isPress, type Press } from "./shortcuts";

const NONE: Press = {
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  code: "",
  key: "",
};

describe("a shortcut", () => {
  test.each<[string, Partial<Press>, boolean]>([
    ["Alt+1", { altKey: true, code: "Digit1", key: "¡" }, true],
    ["Alt+1", { altKey: true, shiftKey: true, code: "Digit1" }, false],
    ["Alt+1", { altKey: true, ctrlKey: true, code: "Digit1" }, false],
    ["Alt+1", { code: "Digit1", key: "1" }, false],
    ["Alt+Shift+2", { altKey: true, shiftKey: true, code: "Digit2" }, true],
    ["F2", { code: "F2", key: "F2" }, true],
    ["?", { shiftKey: true, code: "Slash", key: "?" }, true],
    ["?", { shiftKey: true, code: "Minus", key: "?" }, true],
  ])("%s is %j: %s", (keys, press, expected) => {
    expect(isPress({ ...NONE, ...press }, keys)).toBe(expected);
  });
});
