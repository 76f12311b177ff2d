/** Holds that a column is masked if its head names a credential, in each kind of table, and that other cells stay. */
import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

const hidden = (body: string): string => {
  const request = { method: "POST", target: "/v1/x", headers: [], body: Buffer.from(body) };
  return Buffer.from(redact({ request, response: null }).request.body).toString("utf8");
};

/** A text as a body, in a string of JSON, and in a string of JSON in JSON. */
const written = (text: string): string[] => [
  text,
  JSON.stringify({ c: text }),
  JSON.stringify({ a: JSON.stringify({ c: text }) }),
];

const values = ["Zk3v9QpLm27TbXe1aGh5", "maplewindow", "Maple!window7"];

describe("a column of credentials is masked", () => {
  test.each([
    ["Markdown", "| user | password |\n|---|:-:|\n| me | S |\n| you | S |\n\nkept12345"],
    ["without bars around it", "user | password\n--- | ---\nme | S\nyou | S"],
    ["with marks", "Here:\n\n> | Service | **API key** | Notes |\n> |:---|---|:-:|\n> | GitHub | `S` | none |\n"],
    ["bars alone", "| user | password |\n| me | S |\n"],
    ["borders of MySQL", "+------+------+\n| user | password |\n+------+------+\n| me | S |\n+------+------+"],
    ["borders of PostgreSQL", " user | password \n------+----------\n me   | S\n(1 row)\n"],
    ["drawn borders", "│ (index) │ user │ password │\n├─────────┼──────┼──────────┤\n│ 0 │ 'me' │ 'S' │\n"],
    ["CSV", "id,name,api_key,active\n1,me,S,true\n2,you,S,false\n"],
    ["CSV in quotes", '"user","password"\n"me, too","S"\n'],
    ["CSV with semicolons", "user;password;n\nme;S;1\n"],
    ["CSV with carriage returns", "user,password\r\nme,S\r\nyou,S\r\n"],
    ["CSV in code", "x = 'user,password\nme,S'"],
    ["TSV", "user\tpassword\nme\tS\n"],
    ["a table with ragged rows", "|user|password|n|\n|-|-|-|\n|me|S|\n|you|\n|us|S|1|2|\n"],
    ["a head in another language", "| username | パスワード |\n|--|--|\n| h | S |"],
  ])("%s", (_, text) => {
    for (const value of values)
      for (const body of written(text.replace(/\bS\b/g, value)))
        expect(hidden(body)).toBe(body.replaceAll(value, "x".repeat(value.length)));
  });
});

describe("cells stay", () => {
  test.each([
    ["of columns that describe", "| Field | Type | Default |\n|---|---|---|\n| password | string | none |\n"],
    [
      "of features",
      "| Provider | API key | OAuth |\n|---|---|---|\n| OpenAI | required | ✅ |\n| local | optional | ❌ |\n",
    ],
    ["of words about accounts", "| Service | Password |\n|---|---|\n| SSH | disabled |\n| web | unsupported |\n"],
    [
      "with names of variables",
      "| Name | Secret |\n|---|---|\n| registry | NPM_TOKEN |\n| cloud | B2C_CLIENT_SECRET |\n",
    ],
    ["with placeholders", "| Provider | API key |\n|---|---|\n| OpenAI | sk-... |\n| other | <your key> |\n"],
    ["with signs", "| Host | Password |\n|---|---|\n| a | ✔️ |\n| b | — |\n| c | 64-bit |\n"],
    ["with names of cookies", "| Cookie | Purpose |\n|---|---|\n| _ga_A1B2 | counts |\n| session_id2 | login |\n"],
    ["behind heads about credentials", "user,password changed,api key rotation\nme,2024x05y06,monthly30\n"],
    ["with keys of maps", "Key | Value\n--- | ---\nprimary | orange\nforeign | lemon2024\n"],
    ["of CSV with a column of words", "key,value\norange,maplewindow\nlemon,window2024x\n"],
    ["of counts", "| Model | max_tokens | prompt_tokens |\n|---|---|---|\n| m-large | 128000000 | 12345678 |\n"],
    ["of sentences", "Enter your name, password\nand go on, maplewindow then\n"],
    ["of commands", "cat user | password\nls dir | maplewindow\n"],
  ])("%s", (_, text) => {
    for (const body of written(text)) expect(hidden(body)).toBe(body);
  });
});

test.each([
  ["one line", (n: number) => `| user | password |\n|---|---|\n| me | ${"a".repeat(n)} |`],
  ["many columns", (n: number) => `${"user,password,".repeat(n / 14)}x\n${"me,a1,".repeat(n / 6)}`],
  ["many heads", (n: number) => "user,password\n".repeat(n / 14)],
  ["ragged rows", (n: number) => `|user|password|\n|-|-|\n${"|a1\n||||b2\n|\n".repeat(n / 13)}`],
  ["borders alone", (n: number) => `| password |\n${"|---|\n".repeat(n / 6)}`],
  ["quotes", (n: number) => `user,password\n${'"a""",'.repeat(n / 6)}`],
  ["backslashes", (n: number) => `"user,password\\n${"\\\\".repeat(n / 2)}`],
])("a table of %s is read in a few steps a byte", (_, make) => {
  const body = make(1_000_000);
  expect(hidden(body)).toHaveLength(body.length);
});
