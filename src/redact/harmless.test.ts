/** Holds that texts without credentials stay: prose, code, pages, tables, numbers and digests of many kinds. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { withoutKeys } from "./mask.ts";

const noise = (length: number): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(length / 32) }, (_, i) => createHash("sha256").update(`${i}`).digest()));
const digest = (kind: string): string => createHash(kind).update("text").digest("hex");
const pixels = [...noise(96)].join(", ");

const prose = [
  "The password must have at least 12 characters, one digit and one sign.",
  "Forgot your password? Click the link below to reset it.",
  "Enter your API key in the settings page, then restart the app.",
  "An access token expires after one hour; a refresh token after 30 days.",
  "I lost my keys yesterday, and the key to the garage was in the car.",
  "The key insight is that attention is a weighted sum of values.",
  "Press the Escape key twice, then Ctrl+Shift+P to open the palette.",
  "The piece is in the key of C# minor, opus 27 no. 2.",
  "A primary key identifies a row; a foreign key refers to another table.",
  "Tokens are pieces of words: 1,000 tokens are about 750 words.",
  "Keep a secret: nobody else knows about the surprise party.",
  "Authentication failed: invalid credentials. Try again in 60 seconds.",
  "The passport number goes into field 7, the password stays empty.",
  "Her secret ingredient is cinnamon2 from the market, she said.",
  "Basic understanding of HTTP is needed, and a bearer of news came in 1999.",
  "Use gpt-4o-mini-2024-07-18 as the default model for short answers.",
  "RFC 6750 defines the Bearer scheme; RFC 7617 defines Basic.",
  "The session starts at 10:30 and the keynote follows at 14:00:00.",
  "Passwords are hashed with Argon2id, never stored in plain text.",
  "Set the token limit to 4096 and the temperature to 0.7.",
  "Is the cookie needed? Cookies are deleted after 30 days.",
  "Das Passwort muss mindestens 8 Zeichen lang sein.",
  "Le mot de passe doit contenir au moins 8 caractères.",
  "La contraseña debe tener al menos 8 caracteres.",
  "パスワードは8文字以上で入力してください。",
  "Пароль должен содержать не менее 8 символов.",
];

const code = [
  "const password = await prompt('Password: ');",
  "api_key = os.environ['OPENAI_API_KEY']",
  "const client = new OpenAI({ apiKey: process.env.OPENAI_API_KEY });",
  "password = getpass.getpass()",
  "if (token === undefined) throw new Error('missing token');",
  "function login(user: string, password: string): Promise<Token> {}",
  "export OPENAI_API_KEY=$(cat ~/.keys/openai)",
  "docker login -u $USER --password-stdin < file",
  'curl -H "Authorization: Bearer $TOKEN" https://h.example/v1/models',
  "for key, value in sorted(items.items()):\n    print(key, value)",
  "CREATE TABLE users (id INT PRIMARY KEY, password VARCHAR(255) NOT NULL);",
  "ALTER TABLE orders ADD FOREIGN KEY (user_id) REFERENCES users (id);",
  "SELECT id, name, password FROM users WHERE email = ?;",
  "map.set(key, value); map.delete(keys[0]);",
  "private final String apiKey;\npublic String getApiKey() { return apiKey; }",
  "def tokenize(text: str) -> list[Token]:\n    return encoder.encode(text)",
  "type Credentials = { username: string; password: string };",
  "const { token, secret } = req.body;",
  "return {\n  accessKeyId: awsCredentials.accessKeyId,\n  secretAccessKey: awsCredentials.secretAccessKey,\n};",
  "access_token = refreshedAccessToken.token;\nexpiry_date = refreshedAccessToken.expiration;",
  "createMem0({\n  mem0ApiKey: process.env.MEM0_API_KEY,\n  apiKey: process.env.OPENAI_API_KEY,\n})",
  "Defined in [packages/oidc/src/get-oidc-token.ts:64](https://h.example/blob/main/get-oidc-token.ts#L64)",
  '<input type="password" name="password" placeholder="Password" required>',
  '<label for="api_key">API key</label>',
  "password: { type: String, required: true, minlength: 8 },",
  "jwt.verify(token, publicKey, { algorithms: ['RS256'] })",
  `env:\n  TOKEN: \${{ secrets.GITHUB_TOKEN }}\n  KEY: {{ .Values.key }}`,
  "return user, password\n\ndef next(a, b):",
  "cat users | grep password\nls | wc -l",
  "tool --password-file /run/secrets/db --token-type bearer",
  "assert tokens == [101, 7592, 2088, 102]",
  'let secret = env::var("SECRET").expect("SECRET is not set");',
  "SECRET_KEY = config('SECRET_KEY')",
  ".key { color: #ff8800; padding: 4px 8px; }\n.token.keyword { color: #07a; }",
  '@media (max-width: 600px) { .password::after { content: "\\2713"; } }',
  "background: url(data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7);",
];

const data = [
  '{"max_tokens":4096,"usage":{"prompt_tokens":1234567,"completion_tokens":89,"total_tokens":1234656}}',
  '{"input_tokens":25000000,"output_tokens":150,"cache_read_input_tokens":1048576}',
  '{"token":"hello","logprob":-0.25,"bytes":[104,101,108,108,111]}',
  '{"key":"primary","value":"orange"}',
  '{"keys":["alpha","beta","gamma"],"primary_key":"id","foreign_key":"user_id"}',
  '{"nextPageToken":"CAUQAA","next_token":"page-2","sort_key":"created_at"}',
  '{"type":"object","properties":{"password":{"type":"string","minLength":8}},"required":["password"]}',
  '{"password":null,"token":"","api_key":"YOUR_API_KEY","secret":"***"}',
  '{"id":"chatcmpl-9aB8cD7eF6gH5iJ4kL3mN2","system_fingerprint":"fp_44709d6fcb"}',
  '{"prompt_cache_key":"user-1234567890","idempotency_key":"order-2024-000123"}',
  '{"bos_token":"<s>","eos_token":"</s>","pad_token":"[PAD]"}',
  '{"shortcut":{"key":"Enter","code":"Enter","ctrlKey":true}}',
  '{"music":{"key":"F# minor","tempo":128}}',
  '{"password_strength":"weak","password_length":12,"tokens_per_minute":150000}',
  `{"pixels":[${pixels}]}`,
  `{"data":{"type":"Buffer","data":[${pixels}]}}`,
  `{"embedding":[0.0123,-0.4567,0.8901],"index":0}`,
  `{"b64_json":"${noise(600).toString("base64")}"}`,
  `![a picture](data:image/png;base64,${noise(300).toString("base64")})`,
  `Uint8Array(96) [ ${pixels} ]`,
  "<Buffer 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52>",
  "image = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255]])",
  `commit ${digest("sha1")}\nAuthor: A <a@h.example>`,
  `sha256:${digest("sha256")}`,
  `${digest("md5")}  file.tar.gz`,
  `index 3f2a1bc..9d8e7f6 100644`,
  `"integrity": "sha512-${noise(64).subarray(0, 64).toString("base64")}"`,
  "123e4567-e89b-12d3-a456-426614174000",
  '{"request_id":"req_123e4567e89b12d3a456426614174000"}',
  'etag: W/"5f3e-1a2b3c4d5e6f"',
  "00:1b:44:11:3a:b7 and fe80::1ff:fe23:4567:890a",
  "server1:8080:INFO:main:started",
  "127.0.0.1:8080:80/tcp, [::1]:5432",
  "https://h.example/a/b?page=2&sort=key&order=asc",
  "arn:aws:iam::123456789012:role/reader",
  "at f (/app/src/token.js:10:20)\nat g (/app/src/key.js:5:11)",
  "2024-08-06T12:00:01Z INFO user=me action=login status=ok",
  "version 1.2.3-beta.4+build.567, node v20.11.1, python 3.12.0rc1",
];

const tables = [
  "| Key | Value |\n|---|---|\n| color | orange |\n| size | 12345678 |",
  "| Key | Action |\n|---|---|\n| Ctrl+C | copies |\n| Ctrl+V | pastes |",
  "| Parameter | Type | Description |\n|---|---|---|\n| password | string | The password of the user |",
  "| Field | Required |\n|---|---|\n| api_key | yes |\n| token | no |",
  "| Model | Context | Max tokens |\n|---|---|---|\n| m-large | 200000 | 64000 |",
  "| Token | ID |\n|---|---|\n| hello | 7592 |\n| world | 2088 |",
  "| Provider | API key | Free |\n|---|---|---|\n| first | OPENAI_API_KEY | ✅ |\n| second | required | ❌ |",
  "| Endpoint | Authorization |\n|---|---|\n| /v1/models | Bearer |\n| /health | none |",
  "| Service | Password |\n|---|---|\n| SSH | disabled |\n| FTP | not supported |",
  "| Secret | Used by |\n|---|---|\n| NPM_TOKEN | release |\n| DEPLOY_KEY | deploy |",
  "| Cookie | Purpose | Duration |\n|---|---|---|\n| _ga | statistics | 2 years |\n| session_id | login | session |",
  "| Header | Example |\n|---|---|\n| X-Api-Key | your key |\n| Authorization | Bearer ... |",
  "| User | Password changed |\n|---|---|\n| me | 2024-08-06 |\n| you | yesterday |",
  "| Algorithm | Key size |\n|---|---|\n| AES | 256-bit |\n| RSA | 4096 bits |",
  "| Name | Password policy |\n|---|---|\n| admins | strict2 |\n| guests | relaxed |",
  "+-----+-------+\n| key | value |\n+-----+-------+\n| a   | apple |\n+-----+-------+",
  " id | name \n----+------\n  1 | orange\n(1 row)",
  "key,value\ncolor,orange\nsize,large2024",
  "key,en,de\nlogin.password,Password,Passwort\nlogin.submit,Sign in,Anmelden",
  "id,name,max_tokens\n1,first,4096\n2,second,128000",
  "date,tokens,cost\n2024-08-06,1234567,0.12\n2024-08-07,7654321,0.34",
  "name\tkey\torange\nfirst\tsecond\tthird2024",
  "user;keyboard;score\nme;qwerty2024;12\n",
  "Usernames, passwords, tokens\nand other things, keys, too",
  "Name,Password policy\nadmins,strict2024\n",
  "│ key │ value │\n├─────┼───────┤\n│ a   │ apple │",
  "| Option | Default |\n|---|---|\n| --token | $TOKEN |\n| --password | prompt |",
  "| Plan | API keys | Seats |\n|---|---|---|\n| free | 1 | 1 |\n| team | unlimited | 10 |",
];

const texts = { prose, code, data, tables };
const all = Object.values(texts).flat();

test("the list is long", () => expect(new Set(all).size).toBeGreaterThanOrEqual(120));

describe.each(Object.entries(texts))("of %s, nothing is masked", (_, list) => {
  test.each(list)("%s", (text) => {
    expect(withoutKeys(text)).toBe(text);
    const body = JSON.stringify({ c: text });
    expect(withoutKeys(body)).toBe(body);
  });
});
