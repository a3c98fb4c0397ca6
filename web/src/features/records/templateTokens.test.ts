import { expect, test } from "vitest";
import { exampleContext, tokenNames, unknownTokens } from "./templateTokens";

test("tokens that stand for nothing are found", () => {
  expect(unknownTokens("{{item.title}} {{ item.titel }} {{{x}}}", "slip")).toEqual([
    "item.titel",
    "x",
  ]);
  expect(unknownTokens("{{#loans}}{{loan.dueDate}}{{/loans}}", "notice")).toEqual([]);
});

test("every token of notices has an example in the context", () => {
  const context = exampleContext() as Record<string, Record<string, unknown>>;
  for (const name of tokenNames("notice").filter((name) => /^\w/.test(name))) {
    const [group = "", member = ""] = name.split(".");
    expect(context[group]?.[member], name).toBeTruthy();
  }
});
