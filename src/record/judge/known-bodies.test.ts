/** Holds that bodies which nobody turned into bytes are judged as their bytes are. */
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { decodeExchange, decodeKept } from "../../cassette/decode.ts";
import { knownOf } from "../../cassette/kept.ts";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";

const reply = (members: string): string =>
  `{"id":"chatcmpl-1","object":"chat.completion","created":1774962708,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi.","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}${members}}`;
const line = (body: string, type = "application/json"): string =>
  `{"request":{"method":"POST","target":"/v1/chat/completions","headers":[["Authorization","Bearer key"],["Content-Type","application/json"]],"body":{"json":{"model":"m","messages":[{"role":"user","content":"Hi."}],"n":-0}}},"response":{"status":200,"headers":[["content-type","${type}"]],"body":${body}}}`;
const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const values = [
  reply(""),
  reply(`,"extra":-0`),
  reply(`,"created":1e21`),
  reply(`,"created":1e999`),
  reply(`,"created":-1e999`),
  reply(`,"created":1.0`),
  reply(`,"created":1e-7`),
  reply(`,"id":"again"`),
  reply(`,"__proto__":{"id":1}`),
  reply(`,"extra":"\\ud800"`),
  reply(`,"\\u00e9":1,"10":1,"2":1`),
  reply(`,"extra":${nested(200)}`),
  reply(`,"extra":${nested(3000)}`),
  reply(`,"extra":[${"0,".repeat(20_000)}0]`),
  `"data: {}"`,
  "[1]",
  "null",
];
const texts = [
  ...values,
  `\ufeff${reply("")}`,
  "",
  " {}",
  `{"a":`,
  `data: ${reply("")}\n\n`,
  "{\n\n",
  `{"a":"\ud800"}`,
];
const bodies = [
  ...values.map((value) => `{"json":${value}}`),
  ...texts.map((text) => JSON.stringify({ text })),
  ...values.map((text) => JSON.stringify({ base64: Buffer.from(text).toString("base64") })),
  ...values.map((text) =>
    JSON.stringify({
      chunks: [
        [1, text.slice(0, 9)],
        [2, text.slice(9)],
      ],
    }),
  ),
];

test.each(["application/json", "text/event-stream"])(
  "a body of %s says the same whether its bytes are made or not",
  async (type) => {
    const catalogue = await openCatalogue();
    const options = { names: namesFrom(), policy: lenient };
    const at = { source: "here", exchange: 0 };
    for (const body of bodies) {
      const value: unknown = JSON.parse(line(body, type));
      const { exchange } = decodeKept(value, "here");
      const plain = decodeExchange(value).exchange;
      const known = judge(exchange, at, catalogue, options, knownOf(exchange));
      expect(isDeepStrictEqual(known, judge(plain, at, catalogue, options)), body.slice(0, 400)).toBe(true);
    }
  },
);
