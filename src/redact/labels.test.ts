/** Holds what is a credential by the name beside it, in all notations, and that what only sounds so stays. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz, sample } from "../dev/random.test-kit.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { sseEvent } from "../wire/build.ts";
import { redact } from "./redact.ts";

const secret = "Zk3v9QpLm27TbXe1aGh5";
const hidden = (body: string): string => {
  const { request } = redact({
    request: { method: "POST", target: "/v1/x", headers: [], body: Buffer.from(body) },
    response: null,
  });
  return Buffer.from(request.body).toString("utf8");
};
const x = "x".repeat(secret.length);

describe("hidden is, and nothing else of it", () => {
  test.each([
    ["a member", `{"a":1,"db_password":"S","b":"kept"}`],
    ["a member with blanks in it", `{"password":"S"}`],
    ["a member of JSON in JSON", JSON.stringify({ arguments: JSON.stringify({ api_key: "S", n: 1 }, null, 2) })],
    [
      "behind names that end alike and say nothing",
      `{"monkey":"k","turkey":"k","monkey":"k","passkey":"k","apikey":"S"}`,
    ],
    ["and in that again", JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ github_token: "S" }) }) })],
    ["a list of them", `{"api_keys":["S","S"],"n":["kept"]}`],
    ["an object that holds one", `{"clientSecret":{"value":"S","expires_at":1,"name":"kept"}}`],
    ["a header in a configuration", `{"headers":{"X-Auth-Token":"S","Accept":"application/json"}}`],
    ["behind its scheme", `{"headers":{"Authorization":"Key S"}}`],
    ["an assignment of a shell", `{"c":"export OPENAI_API_KEY=S\\nexport HOME=/home/me12345678"}`],
    ["of code", `{"c":"client = OpenAI(api_key='S', timeout=20)"}`],
    ["a line of YAML", `{"c":"db:\\n  host: db1.example\\n  password: S\\n  port: 5432"}`],
    ["a header of a command", `{"c":"curl -H 'x-api-key: S' https://h/v1"}`],
    ["an argument of a command", `{"c":"curl -u me:S https://h/v1"}`],
    ["prose", `{"c":"My API key: S, please keep it."}`],
    ["a URL", `{"u":"https://me:S@h.example/i.png?n=1"}`],
    ["a connection string", `{"c":"postgres://u:S@db/x?sslmode=on"}`],
    ["and one of pairs", `{"c":"AccountName=x;AccountKey=S;EndpointSuffix=core"}`],
    ["a signed URL", `{"u":"https://b.example/x?X-Amz-Date=20260331&X-Amz-Signature=S"}`],
    ["XML", `<a><apiKey>S</apiKey><n>kept</n></a>`],
    ["a form", `a=1&password=S&b=kept`],
    ["percent-encoded", `a=1&pass%77ord=S&b=kept`],
    ["a field of a form", `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nS\r\n--b--\r\n`],
    ["a key within quotes of another kind", `{"c":"{'api_key': 'S', 'n': 'kept'}"}`],
    ["a member with its value in the next line", `{"password"\n:\n  "S","b":"kept"}`],
    ["and so in JSON within JSON", JSON.stringify({ a: `{\n"password"\t:\n\t"S"\n}` })],
    ["five levels deep", [1, 2, 3, 4, 5].reduce((inner) => JSON.stringify({ a: inner }), `{"api_key":"S"}`)],
    ["any member of an object so named that holds a key", `{"api_keys":{"some":"S","id":"k-1"}}`],
    ["a pair of name and value", `{"env":[{"name":"DB_PASSWORD","value":"S"},{"name":"LANG","value":"kept12345"}]}`],
    ["and the other way round", `{"value":"S","name":"api_key"}`],
    ["a pair of YAML", `{"c":"- name: DB_PASSWORD\\n  value: S\\n- name: LANG\\n  value: en_US12345"}`],
    ["a block of YAML", `{"c":"password: |\\n  S\\nport: 5432"}`],
    ["a typed constant", `{"c":"const apiKey: string = 'S'; const n: number = 12345678;"}`],
    ["an assignment of Go", `{"c":"token := 'S'"}`],
    ["a map of Ruby", `{"c":"{ :db_password => 'S', :n => 'kept12345' }"}`],
    ["a place of a map", `{"c":"os.environ['OPENAI_API_KEY'] = 'S'"}`],
    ["an argument of a call", `{"c":"req.setHeader('x-api-key', 'S'); f('n', 'kept12345')"}`],
    ["a string with a prefix", `{"c":"secret = b'S'"}`],
    ["an option of a command", `{"c":"deploy --api-key S --name kept12345"}`],
    ["user and password in quotes", `{"c":"curl -u 'me:S' https://h/v1"}`],
    ["SQL", `{"c":"ALTER USER me WITH PASSWORD 'S'"}`],
    ["a sentence", `{"c":"The API key is S. Keep it."}`],
    ["bold face", `{"c":"**Password:** S, **secret**: \u0060S\u0060"}`],
    ["XML with attributes", `<a><password type="text">S</password><n id="1">kept</n></a>`],
    ["XML over lines", `<a><password>\n  <![CDATA[S]]>\n</password></a>`],
    ["attributes that are a pair", `<add key="db_password" value="S"/><add key="n" value="kept12345"/>`],
    ["a property list", `<key>apiKey</key>\n<string>S</string><key>n</key><string>kept12345</string>`],
    ["a field with a folded header", `--b\r\nContent-Disposition: FORM-DATA;\r\n name="api_key"\r\n\r\nS\r\n--b--\r\n`],
    [
      "a field with a name of another charset",
      `--b\r\ncontent-disposition: form-data; name*=utf-8''api%5Fkey\r\n\r\nS\r\n--b--\r\n`,
    ],
    [
      "a code fence below its name",
      `{"c":"Here is the API key:\\n\\n\u0060\u0060\u0060text\\nS\\n\u0060\u0060\u0060"}`,
    ],
    ["one of a list", `{"c":"1. API key:\\n   \u0060\u0060\u0060\\n   S\\n   \u0060\u0060\u0060\\n2. kept12345"}`],
    ["one of tildes", `{"c":"**Password:**\\r\\n\\r\\n~~~bash\\r\\nS\\r\\n~~~"}`],
    ["a quotation below its name", `{"c":"Here is your token:\\n\\n> S\\n"}`],
    ["a tag of YAML in full", `{"c":"password: !<tag:yaml.org,2002:str> S\\nport: 5432"}`],
    ["a block of YAML with an indentation", `{"c":"password: |2+\\n    S\\nport: 5432"}`],
    ["an array of C", `{"c":"const char password[] = 'S';"}`],
    ["a string in three quotes", `{"c":"api_key = \\"\\"\\"S\\"\\"\\""}`],
    ["a variable of fish", `{"c":"set -gx OPENAI_API_KEY S\\necho kept12345"}`],
    ["one of a Dockerfile", `{"c":"FROM node:20\\nENV OPENAI_API_KEY S\\nENV PATH /kept12345"}`],
    ["a data source of Go without a host", `{"c":"sql.Open('mysql', 'app:S@/db')"}`],
    ["a proxy's user", `{"c":"curl -U me:S https://h"}`],
    ["an option that a value follows at once", `{"c":"sshpass -p'S' ssh me@h"}`],
    ["a name that brackets explain", `{"c":"Password (temporary): S"}`],
    ["a name of a service", `{"c":"my openai key (prod) is S"}`],
    ["a dash", `{"c":"Пароль — S"}`],
    ["an arrow", `{"c":"API key → S"}`],
    ["a short option", `{"c":"redis-cli -h db1 -a S ping"}`],
    ["one without a blank", `{"c":"mysqldump -uroot -p'S' db1"}`],
    ["one in quotes", `{"c":"docker login -u me -p 'S' registry1"}`],
    ["one in the next line", `{"c":"ldapsearch -x \\\\\n  -w S -b dc=x"}`],
    ["a line of .netrc", `{"c":"machine h login me password S"}`],
    ["one over lines", `{"c":"machine h\\n  login me\\n  password S\\n"}`],
    ["a fallback", `{"c":"const key = process.env.API_KEY ?? 'S';"}`],
    ["one of Python", `{"c":"key = os.getenv(\\"API_KEY\\") or \\"S\\""}`],
    ["a default of a field", `{"c":"password: str = Field(default=\\"S\\")"}`],
    ["one of a variable", `{"c":"variable \\"db_password\\" {\\n  default = \\"S\\"\\n}"}`],
    ["a property with accessors", `{"c":"public string ApiKey { get; set; } = \\"S\\";"}`],
    ["an argument of a setter", `{"c":"client.setApiKey(\\"S\\");"}`],
    ["one of a constructor", `{"c":"new AzureKeyCredential('S')"}`],
    ["a column", `{"c":"| API key | S |"}`],
    ["behind a stroke", `{"c":"API key - S"}`],
    ["a change", `{"c":"The admin password was changed to S yesterday."}`],
    ["one that is asked for", `{"c":"Set the password of app to S."}`],
    ["right behind its name", `{"c":"log in as admin with password S"}`],
    ["and in another script", `{"c":"Мой пароль S"}`],
    ["headers in one list", `{"rawHeaders":["Host","h1","x-api-key","S","accept","*/*"]}`],
    ["and within JSON", JSON.stringify({ c: `{"rawHeaders":["x-api-key","S","accept","*/*"]}` })],
    ["an element with a prefix", `<a><ns:Password>S</ns:Password></a>`],
    ["a password of Oracle", `{"u":"jdbc:oracle:thin:scott/S@h1:1521:x"}`],
    ["a field whose name says nothing", `<input name=f1 type='password' value='S'>`],
    ["an assignment that sets a default", `{"c":"API_KEY ?= S\\nrun: all"}`],
    ["a raw string of Rust", `{"c":"let api_key = r#\\"S\\"#;"}`],
    ["a line of a diff", `{"c":"@@ -1 +1 @@\\n+password = S\\n"}`],
    ["a label in bold type", `{"c":"<p><b>Password:</b> <code>S</code></p>"}`],
  ])("%s", (_, body) => {
    const filled = replaceText(body, /(?:(?<![A-Za-z])|(?<=\\[nr]))S(?![A-Za-z])/g, secret);
    expect(hidden(filled)).toBe(filled.replaceAll(secret, x));
  });

  test("a whole value with quotes, blanks and backslashes in it", () => {
    const password = `my "pass" \\ ${secret}`;
    for (const value of [{ password }, { a: JSON.stringify({ password, n: 1 }) }]) {
      const body = hidden(JSON.stringify(value));
      expect(body).not.toContain("pass\\");
      expect(body).toMatch(/password\\*":\\*"x+\\*"[,}]/);
      expect(() => JSON.parse(body)).not.toThrow();
    }
  });

  test.each([
    `{"c":"Set-Cookie: sid=S; Path=/; HttpOnly"}`,
    `{"c":'Cookie: sid="S"'}`,
    `{"c":"Cookie: a=b; sid=S; c=d"}`,
    `{"c":"Cookie: S"}`,
  ])("cookies: %s", (body) => expect(hidden(replaceText(body, /S(?=["';])/g, secret))).not.toContain(secret));

  test("a number", () => expect(hidden('{"api_key":1234567890,"n":5}')).toBe('{"api_key":1111111111,"n":5}'));

  test("what a stream says bit by bit", () => {
    const pieces = `export OPENAI_API_KEY=${secret} and on`.match(/.{1,3}/g)!;
    const body = pieces.map((content) => sseEvent({ choices: [{ index: 0, delta: { content } }] })).join("");
    const said = Array.from(hidden(body).matchAll(/"content":"([^"]*)/g), ([, text]) => text).join("");
    expect(said).toBe(`export OPENAI_API_KEY=${x} and on`);
  });
});

test.each([
  ["Authorization", `Bearer 'KEY'`],
  ["Authorization", "Bearer <KEY>"],
  ["Authorization", "SharedAccessSignature sr=h&sig=KEY&se=1"],
  ["X-AdminPass", "KEY"],
])("a secret that %s: %s sends is hidden where the answer repeats it", (name, value) => {
  const { response } = redact({
    request: {
      method: "POST",
      target: "/v1/x",
      headers: [[name, replaceText(value, "KEY", secret)]],
      body: Buffer.from("{}"),
    },
    response: { status: 401, headers: [], body: Buffer.from(`{"error":"no ${secret}!"}`) },
  });
  expect(Buffer.from(response!.body).toString("utf8")).toBe(`{"error":"no ${x}!"}`);
});

describe("what a WebSocket sends among its protocols is hidden where the answer repeats it", () => {
  const answered = (protocol: string, body: string) => {
    const { response } = redact({
      request: {
        method: "GET",
        target: "/v1/x",
        headers: [["Sec-WebSocket-Protocol", protocol]],
        body: Buffer.from(""),
      },
      response: {
        status: 101,
        headers: [
          ["sec-websocket-protocol", protocol],
          ["x-request-id", body],
        ],
        body: Buffer.from(body),
      },
    });
    return [...response!.headers.map(([, value]) => value), Buffer.from(response!.body).toString("utf8")];
  };
  const coded = Buffer.from(secret).toString("base64url");
  test.each([
    ["behind its name and a dot", `realtime, openai-insecure-api-key.${secret}, openai-beta.realtime-v1`, secret],
    ["in base64", `base64url.bearer.authorization.k8s.io.${coded}, base64.binary.k8s.io`, secret],
    ["behind its name and a comma", "realtime, access_token, maple-window-42", "maple-window-42"],
    ["by itself", `realtime,${secret}`, secret],
  ])("%s", (_, protocol, key) => {
    const mask = "x".repeat(key.length);
    expect(answered(protocol, `no ${key}!`)).toEqual(["[redacted]", `no ${mask}!`, `no ${mask}!`]);
  });
  test("and names of protocols stay", () => {
    const said = "no realtime, openai-beta.realtime-v1 or v4.channel.k8s.io";
    expect(answered("realtime, openai-beta.realtime-v1, v4.channel.k8s.io", said)[2]).toBe(said);
  });
});

test.each([
  ["a list of byte values", `[${[...Buffer.from(secret)].join(", ")}]`],
  ["a long key that Node prints", `<Buffer ${[...Buffer.from(secret)].map((byte) => byte.toString(16)).join(" ")}>`],
  ["base64 of UTF-16", Buffer.from(`Key: ${secret}!`, "utf16le").toString("base64")],
])("a key that was sent is hidden as %s", (_, spelled) => {
  const { response } = redact({
    request: { method: "POST", target: "/", headers: [["Authorization", `Bearer ${secret}`]], body: Buffer.from("") },
    response: { status: 200, headers: [], body: Buffer.from(`"it is ${spelled} here"`) },
  });
  const kept = Buffer.from(response!.body).toString("utf8");
  expect(kept).toMatch(/^"it is .* here"$/);
  expect([...kept].filter((letter, i) => letter !== `"it is ${spelled} here"`[i]).length).toBeGreaterThan(
    2 * secret.length - 1,
  );
});

test.each([":", " ", "-", ", 0x"])("a key that was sent is hidden in hexadecimal digits parted by %j", (between) => {
  const pairs = Buffer.from(secret).toString("hex").match(/../g)!;
  for (const digits of [pairs.join(between), pairs.join(between).toUpperCase().replaceAll("X", "x")]) {
    const { response } = redact({
      request: { method: "POST", target: "/", headers: [["Authorization", `Bearer ${secret}`]], body: Buffer.from("") },
      response: { status: 200, headers: [], body: Buffer.from(`"fingerprint ${digits}"`) },
    });
    expect(Buffer.from(response!.body).toString("utf8")).toBe(`"fingerprint ${"x".repeat(digits.length)}"`);
  }
});

test("a bot's key in a path", () => {
  const { request } = redact({
    request: { method: "POST", target: `/bot12345678:${secret}/v1/x`, headers: [], body: Buffer.from("{}") },
    response: null,
  });
  expect(request).toMatchObject({ target: `/bot12345678:${x}/v1/x`, redacted: ["/path"] });
});

test.each([
  [`{"u":"postgres://me:${secret}`, `{"u":"postgres://me:${x}`],
  [`{"u":"http://localhost:80`, `{"u":"http://localhost:80`],
])("an address that was torn off: %s", (body, safe) => {
  const { request } = redact({
    request: { method: "POST", target: "/v1/x", headers: [], body: Buffer.from(body) },
    response: null,
    aborted: "client",
  });
  expect(Buffer.from(request.body).toString("utf8")).toBe(safe);
});

test("the start of a key is hidden where a body ends with its connection, whose reset may have gone unseen", () => {
  const torn = (headers: [string, string][], imported?: "HAR"): string => {
    const { response } = redact({
      request: { method: "POST", target: "/", headers: [["Authorization", `Bearer ${secret}`]], body: Buffer.from("") },
      response: { status: 200, headers, body: Buffer.from(`data: "${secret.slice(0, 9)}`) },
      ...(imported && { imported }),
    });
    return Buffer.from(response!.body).toString("utf8");
  };
  expect(torn([["Connection", "close"]])).toBe(`data: "xxxxxxxxx`);
  expect(
    torn([
      ["Connection", "close"],
      ["Content-Length", "16"],
    ]),
  ).toContain(secret.slice(0, 9));
  expect(torn([["Connection", "close"]], "HAR")).toContain(secret.slice(0, 9));
});

test.each([
  ["tool --secret-key=«maple-window-orange» --host h"],
  ["tool --password=«maple;win,dow&x» | tee log"],
  ["//registry.example/:_authToken=«maplewindow»"],
  ["API_KEY ?= «maplewindow»"],
  ["db:\n  'password': «maplewindow»\n  port: 1"],
  ["db: {host: h, password: «maplewindow», port: 1}"],
  ["http POST h.example X-Api-Key:«maplewindow» n=1"],
  ["docker run -e DB_PASSWORD=«maplewindow» img"],
  ["java -Ddb.password=«maplewindow» -jar a.jar"],
  ["+DB_PASSWORD = «maplewindow»"],
  ["API key: «maplewindow»"],
  ["CREATE USER me IDENTIFIED BY '«maplewindow»';"],
  ["echo «maplewindow» | docker login -u me --password-stdin"],
  ["aws configure set aws_secret_access_key «maplewindow»"],
  ["npm config set //r.example/:_authToken «maplewindow»"],
  ['get(url, auth=("me", "«maplewindow»"))'],
  ["db.example:5432:app:me:«maplewindow»\n*:*:*:you:password"],
  ["echo '*:*:*:me:«Zk3v9QpLm27TbXe1aGh5»' > ~/.pgpass"],
  ["Use «Zk3v9QpLm27TbXe1aGh5» as the password."],
  ["«Zk3v9QpLm27TbXe1aGh5» is my API key, keep it."],
])("a chosen value is hidden to the end of its token: %s", (text) => {
  const [before, value, after] = text.split(/[«»]/) as [string, string, string];
  expect(hidden(before + value + after)).toBe(before + "x".repeat(value.length) + after);
});

describe("nothing is hidden of", () => {
  test.each([
    ["names in calls", `{"c":"connect(user=me, password=settings, api_key=configured); f(token=first, n=1)"}`],
    ["maps of types", `{"c":"const o = {password: hashed, apiKey: string, token: AccessToken, secret: userInput}"}`],
    ["options that name a place", `{"c":"tool --password=prompt --token=$TOKEN --secret=/run/secrets/db --auth=none"}`],
    ["lines with a call", `{"c":"API_KEY ?= $(shell cat key)\\nTOKEN ||= get_token()\\n+password = get_password()"}`],
    [
      "sentences that end with a name",
      `{"c":"This is the password. Use gpt-4o-2024-08-06 as the key. OAuth2 is a token standard"}`,
    ],
    [
      "commands that ask",
      `{"c":"echo $PASSWORD | docker login --password-stdin; aws configure set region us-east-1; identified by 'password'"}`,
    ],
    ["declarations", `{"c":"export import TokenPage = Pagination.TokenPage;\\nconst tokenRegExp = /^[a-z!#|~]+$/"}`],
    ["maps of what is undefined", `{"c":"f({ a: 1, ...(x ? { apiKey: undefined, b: 1 } : {}) })"}`],
    ["comparisons", `{"c":"if [[ $password == [[ ]]; if (apiKey !== undefined && password === other) {}"}`],
    ["templates in brackets", `{"c":"password = [[ .Values.password ]]; token: [[ inputs.token ]]"}`],
    ["places behind a stroke", `{"c":"see https://h.example/password=reset and /token:refresh in the docs"}`],
    [
      "code in diffs",
      `{"c":"@@ -1 +1 @@\\n-  password: string;\\n+  password: Password;\\n+  apiKey: config.apiKey,"}`,
    ],
    ["counts", `{"max_tokens":4096,"usage":{"prompt_tokens":12345678,"total_tokens":123456789}}`],
    ["tokens and their probabilities", `{"token":"0123456789abcdef01","logprob":-0.1,"bytes":[48,49,50,51,52,53]}`],
    [
      "ids and digests",
      `{"id":"chatcmpl-9aB8cD7eF6gH5iJ4kL3mN2","sha256":"${"a1b2".repeat(16)}","session_id":"s-12345678"}`,
    ],
    ["marks", `{"bos_token":"<|begin_of_text|>","stop_sequence":"END_OF_TEXT_12345678"}`],
    ["signatures of thoughts", `{"signature":"${"EqoB9xYz".repeat(20)}","thoughtSignature":"${"Ab12".repeat(20)}"}`],
    [
      "schemas",
      `{"properties":{"password":{"type":"string","description":"At least 8 characters, 1 digit"},"api_key":{"type":"string"}},"required":["password","api_key"]}`,
    ],
    [
      "metadata",
      `{"metadata":[{"key":"order-2024-000123-abcdef","value":"1"}],"prompt_cache_key":"user-1234567890abcdef"}`,
    ],
    [
      "code without values",
      `{"c":"api_key=os.environ['OPENAI_API_KEY']; password = getpass.getpass(); token=settings.token"}`,
    ],
    ["stand-ins", `{"c":"OPENAI_API_KEY=YOUR_API_KEY, password: <your password>, token: \${TOKEN}, secret: ****"}`],
    ["prose", `{"c":"The password: it must be long. Use an API key: see the docs. Bearer authentication is needed."}`],
    ["pages", `{"nextPageToken":"CAUQAAdefghijk1234567890lmnop"}`],
    ["lists of names", `{"required":["password","access_token","user_id_v2_2024_long"],"enum":["api_key","oauth2"]}`],
    ["pairs", `{"env":[{"name":"max_tokens","value":"4096"},{"name":"trace","value":"abcdef1234567890"}]}`],
    ["types", `{"c":"interface C { token: AccessTokenV2Response; apiKey: string }"}`],
    [
      "places in code",
      `{"c":"let token = tokens[position1]; this.token = response.data.token2; f('token', jwtToken1)"}`,
    ],
    [
      "words",
      `{"c":"42 tests pass: test_login_with_2_factor; session: keynote_2024_opening; basic internationalization1 of"}`,
    ],
    ["usage", `{"c":"--password PASSWORD  at least 8, --max-tokens 100000000, --password-file /run/pw1"}`],
    ["sentences", `{"c":"The token is valid until 2024. The password is case-sensitive. My key is in config2.yaml"}`],
    [
      "names of resources",
      `{"c":"arn:aws:secretsmanager:us-east-1:1234:secret:MySecret-a1b2c3, credentials: 'same-origin'"}`,
    ],
    ["paths", `{"c":"2. **pwd**: \u0060/usr/home/me/0x1eef/lib\u0060"}`],
    ["elements", `<token id="5">hello</token><string name="password_hint">Enter 1</string>`],
    ["sentences about cookies", `{"c":"Cookie: see RFC 6265.\\nSet-Cookie: a header (RFC6265bis) that servers send"}`],
    ["more of them", `{"c":"The Cookie: header is defined in RFC6265, section 4.2. Cookie: HTTP/1.1 header"}`],
    ["names of standards", `{"c":"Authorization: see (RFC6750). Passwords: PBKDF2-SHA256. Password: Argon2id"}`],
    [
      "texts of user interfaces",
      `{"password":"Password must contain 8-64 characters","cookies":"Cookie-Einstellungen"}`,
    ],
    ["dashes in sentences", `{"c":"The API key — see step2.md. Password → section 4.1"}`],
    [
      "other options",
      `{"c":"docker run -p 8080:80 x; mysql -p maindb2024; ssh -p 2222 h; redis-cli -a $REDIS_PASSWORD; mongo --port 27017 -p"}`,
    ],
    [
      "columns of types",
      `{"c":"| Password | string | 8 or more |\\n| api_key | VARCHAR(255) |\\n| secret | AES-256 |"}`,
    ],
    [
      "strokes in sentences",
      `{"c":"API key - see section 4.2. Password - SHA-256 hashed, optional (default gpt-4o-2024-08-06)"}`,
    ],
    [
      "fallbacks that are none",
      `{"c":"a = process.env.API_KEY || ''; b = props.password || 'Password'; c = key ?? 'YOUR_KEY'"}`,
    ],
    [
      "names that calls take",
      `{"c":"getSecret('prod/db/password1'); new ApiKeyAuth('X-API-Key'); password('Must have 8+ chars')"}`,
    ],
    [
      "what settings are changed to",
      `{"c":"I changed the token limit to 100000000. Set the password to {{password}}. Set the key to gpt-4o-mini-2024-07-18"}`,
    ],
    ["what follows the word", `{"c":"use password Base64 encoding, password must/8-16, password user1@example.com"}`],
    [
      "expressions",
      `{"c":"the password \u0060^[a-zA-Z0-9!@#]{8,20}$\u0060 and password ^(?=.*[A-Z])[A-Za-z0-9@$!%*?&]{8,}$ too"}`,
    ],
    ["lines of texts", `label.password=Contraseña\nlabel.apiKey=Clave de API`],
    ["images", `{"b64_json":"${Buffer.alloc(3000, "\u0001sk-AKIA eyJ\u00ffpassword").toString("base64")}"}`],
    ["addresses", `{"u":"https://h.example/a@b/c?x=1","v":"mail me@h.example","w":"http://h:8080/x@1.2.3"}`],
  ])("%s", (_, body) => expect(hidden(body)).toBe(body));
});

/** Names of members that sound like secrets, beside others that look like values. */
const memberNames = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom("password", "api_key", "access_token", "x-api-key", "clientSecret", "username1", "user2", "oauth2"),
    fc.stringMatching(/^[a-z]{3,9}_?[a-z0-9]{2,6}$/),
  ),
  { minLength: 2, maxLength: 4 },
);
const escapedTimes = (json: string, times: number): string =>
  times === 0 ? json : escapedTimes(JSON.stringify({ arguments: json }), times - 1);

test("names that a JSON schema lists stay, however deep and however written", () => {
  fc.assert(
    fc.property(memberNames, fc.nat(2), fc.constantFrom(0, 2), (names, times, indent) => {
      const schema = {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
        required: names,
        propertyOrdering: names,
        dependentRequired: { card: names.slice(0, 2), other: names.slice(-2) },
        enum: names,
        allowed_function_names: names,
      };
      const body = escapedTimes(JSON.stringify(schema, null, indent), times);
      expect(hidden(body)).toBe(body);
    }),
    fuzz(400),
  );
});

test("the value of a pair goes, also where the pair is an item of a list of that name", () => {
  const value = fc.stringMatching(/^[A-Za-z0-9]{20,30}$/).filter((text) => /\d/.test(text) && /[A-Z]/.test(text));
  const name = fc.constantFrom("x-api-key", "password", "authorization", "api_key");
  const list = fc.constantFrom("headers", "required", "enum", "names", "env");
  fc.assert(
    fc.property(value, name, list, fc.nat(2), (given, called, around, times) => {
      const body = escapedTimes(
        JSON.stringify({
          [around]: [
            ["accept", "text"],
            [called, given],
          ],
        }),
        times,
      );
      expect(hidden(body)).not.toContain(given);
    }),
    fuzz(400),
  );
  for (const member of ["header", "login", "auth"])
    expect(hidden(`{"${member}":["x-api-key","${secret}"]}`)).toBe(`{"${member}":["x-api-key","${x}"]}`);
});

const labels = [
  '"a":\\',
  "password=",
  'x="',
  '{"secret":',
  "key=a&",
  "://a:",
  "Bearer ",
  '"secret":["',
  "form-data; name=token\n",
  "-----BEGIN PRIVATE KEY-----",
  '"value":',
  "password: ** ",
  "a: string = ",
  "--api-key ",
  "('password', '",
  "password is ",
  '<password a="c">',
  "a:b@",
  " A -p",
  "key — ",
  "Cookie: a=b; ",
  "password - ",
  "| key ",
  " set password to ",
  " login me password ",
  'key ?? "',
  '"rawHeaders":["a","b",',
  "mysql -p",
  "--api-key=a'",
  "API_KEY=a\\",
  "{a: b, password: ",
  "password=[[a",
  "API_KEY ||= ",
  "x is my key ",
  "config set a b",
  'auth=("a',
  " identified by 'a",
  "echo a | ",
];

test.each(sample(labels, 6))("a body of nothing but %j is read in a few steps a byte", (piece) => {
  const body = piece.repeat(Math.ceil(400_000 / piece.length));
  expect(hidden(body)).toHaveLength(body.length);
});

test("a name of the same digest, sent before it, hides no credential's name", () => {
  expect(hidden(`{"apiKFz":"kept","apiKey":"${secret}"}`)).toBe(`{"apiKFz":"kept","apiKey":"${x}"}`);
});
