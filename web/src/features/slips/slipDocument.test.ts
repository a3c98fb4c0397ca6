// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { slipDocument } from "./slipDocument";

const sheet = { title: "Hold", language: "en-US", onePerPage: true };

const parsed = (...slips: string[]) =>
  new DOMParser().parseFromString(slipDocument({ ...sheet, slips }), "text/html");

describe("nothing of a template can run", () => {
  test.each([
    "<script>alert(1)</script>",
    '<img src="x" onerror="alert(1)">',
    "<svg><script>alert(1)</script></svg>",
    '<a href="javascript:alert(1)">a</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<p onclick="alert(1)">a</p>',
    '<barcode onclick="alert(1)"><script>alert(1)</script>100</barcode>',
    '<math><mtext><table><mglyph><style><img src=x onerror="alert(1)">',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<base href="https://elsewhere.example/">',
  ])("%s", (template) => {
    const { body } = parsed(template);
    expect(body.querySelectorAll("script, iframe, object, embed, base, meta")).toHaveLength(0);
    const attributes = [...body.querySelectorAll("*")].flatMap((element) => [
      ...element.attributes,
    ]);
    expect(attributes.filter(({ name }) => name.startsWith("on"))).toEqual([]);
    expect(attributes.filter(({ value }) => /javascript:/i.test(value))).toEqual([]);
  });

  test("and its policy allows no scripts", () => {
    const policy = parsed("").querySelector("meta[http-equiv=Content-Security-Policy]");
    expect(policy?.getAttribute("content")).toMatch(/^default-src 'none';/);
  });
});

test("staff's layout is kept", () => {
  const template =
    '<style>b { color: red }</style><p class="ql-align-center" style="font-size: 20pt"><b>To</b></p>';
  expect(parsed(template).querySelector(".slip")?.innerHTML).toBe(template);
});

test("escaped HTML is shown as text", () => {
  expect(parsed("&lt;script&gt;").body.textContent).toBe("<script>");
});

test("bar codes are drawn with their text below", () => {
  const { body } = parsed("<p>a <Barcode>31924001521792</Barcode></p>");
  const figure = body.querySelector("p .barcode");
  // Start, seven pairs of digits, checksum: 11 modules each; the stop has 13.
  expect(figure?.querySelector("svg")?.getAttribute("viewBox")).toMatch(/^0 0 112 /);
  expect(figure?.querySelector("svg")?.style.width).toBe("36.96mm");
  expect(figure?.querySelectorAll("path").length).toBeGreaterThan(0);
  expect(figure?.textContent?.trim()).toBe("31924001521792");
});

test.each(["ä", "", "a".repeat(201)])("the bar code of %j, which cannot be, is a text", (text) => {
  const { body } = parsed(`<p><barcode>${text}</barcode></p>`);
  expect(body.querySelector("p")?.innerHTML).toBe(text);
});

test("each slip has its own page, but a receipt is one strip", () => {
  expect(parsed("a", "b").querySelectorAll("section.slip.page")).toHaveLength(2);
  const receipt = slipDocument({ ...sheet, onePerPage: false, slips: ["a", "b"] });
  expect(receipt).not.toContain('class="slip page"');
});
