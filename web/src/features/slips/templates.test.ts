import { expect, test } from "vitest";
import { usedTemplate } from "./templates";

const slip = (name: string, template: string, active?: boolean) => ({
  id: name,
  name,
  template,
  ...(active !== undefined && { active }),
});

test.each([
  [[slip("Transit", "to"), slip("hold", "here")], "here"],
  [[slip("Hold", "here", true)], "here"],
  [[slip("Hold", "here", false)], undefined],
  [[slip("Hold", "<p></p>")], undefined],
  [[slip("Hold shelf", "here")], undefined],
  [[], undefined],
])("of %j the hold slip is %s", (slips, template) => {
  expect(usedTemplate(slips, "Hold")).toBe(template);
});
