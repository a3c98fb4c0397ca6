import { expect, test } from "vitest";
import { fill, isBlank } from "./fill";

const tokens = new Map([
  ["item.title", { text: `<script>alert("1 & '2'")</script>` }],
  ["item.barcode", { text: "100" }],
  ["item.barcodeImage", { text: "1<0", isBarCode: true }],
]);

test.each([
  ["{{item.barcode}}", "100"],
  ["{{ item.barcode }}, {{item.barcode}}", "100, 100"],
  ["{{item.barcodeImage}}", "<barcode>1&lt;0</barcode>"],
  ["<Barcode>{{item.barcode}}</Barcode>", "<Barcode>100</Barcode>"],
  ["{{item.title}}", "&lt;script&gt;alert(&quot;1 &amp; &#39;2&#39;&quot;)&lt;/script&gt;"],
  ["a{{unknown}}b{{constructor}}c{{}}d", "abcd"],
  ["{{#loans}}x{{/loans}}", "x"],
  ["{item.barcode} {{item", "{item.barcode} {{item"],
])("%s becomes %s", (template, filled) => {
  expect(fill(template, tokens)).toBe(filled);
});

test.each([
  ["", true],
  ["<p></p>", true],
  ["<p>&nbsp;<br></p>", true],
  ["<p>text</p>", false],
  ["<p>{{item.title}}</p>", false],
  ['<img src="sign.png">', false],
])("a template %s is blank: %s", (template, blank) => {
  expect(isBlank(template)).toBe(blank);
});
