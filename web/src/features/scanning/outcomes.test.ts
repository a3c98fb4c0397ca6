import { expect, test } from "vitest";
import { OUTCOMES, weightiest } from "./outcomes";

test("of several outcomes, the one that must not be missed is heard", () => {
  expect(weightiest(["done", "refused", "transit"])).toBe("refused");
  expect(weightiest(["hold", "done"])).toBe("hold");
  expect(weightiest([])).toBeUndefined();
});

test("no two outcomes sound alike", () => {
  const sounds = Object.values(OUTCOMES).map(({ sound }) => JSON.stringify(sound));
  expect(new Set(sounds).size).toBe(sounds.length);
});
