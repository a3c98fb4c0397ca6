import { expect, test } from "vitest";
import { addressOfPage, componentPageOf, kindOf, numberOf, pageOf } from "./addresses";

test.each([
  ["/repositories/2/resources/7", "/archives/2/resources/7", "resources", 7],
  ["/repositories/3/top_containers/12", "/archives/3/top_containers/12", "top_containers", 12],
  ["/agents/people/5", "/archives/2/agents/people/5", "agents", 5],
  ["/subjects/9", "/archives/2/subjects/9", "subjects", 9],
])("%s is shown at %s", (uri, page, kind, number) => {
  expect([pageOf(uri, 2), kindOf(uri), numberOf(uri)]).toEqual([page, kind, number]);
  const [, , repository, ...rest] = page.split("/");
  expect(addressOfPage(Number(repository), rest.join("/"))).toBe(uri);
});

test("a component is shown in its resource", () => {
  const page = componentPageOf(
    "/repositories/2/archival_objects/8",
    "/repositories/2/resources/7",
    2,
  );
  expect(page).toBe("/archives/2/resources/7?component=8");
});
