/** Writes values into drawn forms: the name of a credential, a separator, quotes and their surroundings. */
import fc from "fast-check";
import { said, stays, type Written } from "./draws.test-kit.ts";

/** How a value is quoted: the signs around it, and how it is spelled between them. */
interface Quotes {
  readonly open: string;
  readonly close: string;
  /** Whether a value can be written so without a sign that means something else there. */
  readonly takes: RegExp;
}

const bare: Quotes = { open: "", close: "", takes: /^[^\s"'`\\,;&|<>(){}[\]$#*~!?^]+$/ };
const double: Quotes = { open: '"', close: '"', takes: /^[^"\\$`]+$/ };
const single: Quotes = { open: "'", close: "'", takes: /^[^'\\]+$/ };
const backtick: Quotes = { open: "`", close: "`", takes: /^[^`\\$]+$/ };

/** The quotes of a place, each with its name in the grid. */
const quotes = {
  "no quotes": bare,
  '"S"': double,
  "'S'": single,
  "`S`": backtick,
  "[[S]]": { open: "[[", close: "]]", takes: /^[^\][]+$/ },
  "b'S'": { open: "b'", close: "'", takes: single.takes },
  '@"S"': { open: '@"', close: '"', takes: double.takes },
  "$'S'": { open: "$'", close: "'", takes: single.takes },
  'R"(S)"': { open: 'R"(', close: ')"', takes: /^[^"\\()]+$/ },
  'r#"S"#': { open: 'r#"', close: '"#', takes: double.takes },
  "%q(S)": { open: "%q(", close: ")", takes: /^[^()\\]+$/ },
} as const satisfies Record<string, Quotes>;
type QuoteName = keyof typeof quotes;

const shell: readonly QuoteName[] = ["no quotes", '"S"', "'S'"];
const strings: readonly QuoteName[] = ['"S"', "'S'"];

/** Names of credentials in the spellings of one notation. */
const names = {
  capitals: ["API_KEY", "DB_PASSWORD", "AUTH_TOKEN", "CLIENT_SECRET", "REDIS_PASS"],
  underscores: ["api_key", "db_password", "access_token", "client_secret", "password"],
  camels: ["apiKey", "dbPassword", "accessToken", "clientSecret", "password"],
  strokes: ["api-key", "db-password", "access-token", "secret-key", "password"],
  dots: ["app.api-key", "db.password", "auth.access.token", "oauth.client_secret", "spring.datasource.password"],
  headers: ["X-Api-Key", "X-Auth-Token", "x-access-token", "Private-Token", "X-Client-Secret"],
  words: ["Password", "API key", "Access token", "Client secret", "Passphrase"],
} as const;
type Spelling = keyof typeof names;

/** The surroundings of a name, its separator and its value. The grid tries each combination. */
interface Context {
  readonly spellings: readonly Spelling[];
  readonly separators: readonly string[];
  readonly quotes: readonly QuoteName[];
  /** The text before and behind `NAME SEPARATOR VALUE`. */
  readonly around: readonly [before: string, after: string];
  /** The sign around the name. */
  readonly nameQuote?: string;
}

const row = (
  spellings: readonly Spelling[],
  separators: readonly string[],
  quoted: readonly QuoteName[],
  before: string,
  after: string,
  nameQuote = "",
): Context => ({ spellings, separators, quotes: quoted, around: [before, after], nameQuote });

const settings: readonly Spelling[] = ["capitals", "underscores", "camels", "dots", "strokes"];

/** The contexts of the grid. */
export const contexts: Readonly<Record<string, Context>> = {
  "a line of settings": row(settings, ["=", " = ", "= ", " =", ":", ": "], shell, "user=me\n", "\nport=1\n"),
  "the first line of settings": row(settings, ["=", " = ", ": "], shell, "", "\nport=1\n"),
  "the last line of settings": row(settings, ["=", " = ", ": "], shell, "user=me\n", ""),
  "a line with a comment behind it": row(settings, ["=", " = ", ": "], shell, "user=me\n", " # for now\nport=1\n"),
  "a line of a comment": row(settings, ["=", " = ", ": "], shell, "user=me\n# ", "\nport=1\n"),
  "a line of a comment in code": row(settings, ["=", " = ", ": "], shell, "f();\n  // ", "\ng();\n"),
  "a line of a diff": row(settings, ["=", " = ", ": "], shell, "@@ -1 +1 @@\n+", "\n user=me\n"),
  "a line of a Makefile": row(
    ["capitals"],
    ["=", " = ", " := ", " ?= ", ":=", "?=", " += "],
    shell,
    "all: x\n",
    "\nrun:\n\techo\n",
  ),
  "a line of .npmrc": row(["strokes"], ["=", " = "], shell, "//registry.example/:_", "\nalways-auth=true\n"),
  "an export": row(["capitals"], ["="], shell, "set -e\nexport ", "\nmake\n"),
  "an export with a command behind it": row(["capitals"], ["="], shell, "export ", " && make\n"),
  "an export and a semicolon": row(["capitals"], ["="], shell, "export ", "; make\n"),
  "a variable before a command": row(["capitals"], ["="], shell, "$ ", " node app.js\n"),
  "several before a command": row(["capitals"], ["="], shell, "$ LANG=C ", " PORT=1 node app.js\n"),
  "an option of docker": row(["capitals"], ["="], shell, "docker run -e ", " -p 1:1 img\n"),
  "a build argument": row(["capitals"], ["="], shell, "docker build --build-arg ", " .\n"),
  "an argument of env": row(["capitals"], ["="], shell, "sudo env ", " ./run\n"),
  "a variable of PowerShell": row(["capitals"], [" = ", "="], strings, "cd x\n$env:", "\nrun\n"),
  "a variable of cmd": row(["capitals"], ["="], ["no quotes"], "cd x\r\nset ", "\r\nrun\r\n"),
  "a variable of cmd in quotes": row(["capitals"], ["="], ["no quotes"], 'cd x\r\nset "', '"\r\nrun\r\n'),
  "a line of a Dockerfile": row(["capitals"], ["="], shell, "FROM node\nENV ", "\nRUN make\n"),
  "a long option": row(["strokes", "underscores"], ["="], shell, "tool login --", " --host h\n"),
  "a long option at the end": row(["strokes", "underscores"], ["="], shell, "tool login --host h --", ""),
  "a long option and a pipe": row(["strokes"], ["="], shell, "tool login --", " | tee log\n"),
  "a long option in prose": row(["strokes"], ["="], shell, "Run `tool --", "` and wait.\n"),
  "a long option with a blank": row(["strokes"], [" "], shell, "tool login --", " --host h\n"),
  "an option with one dash": row(["strokes", "camels"], ["=", ":"], shell, "tool login -", " -host h\n"),
  "a property of Java": row(["dots", "camels"], ["="], shell, "java -D", " -jar app.jar\n"),
  "an option with a stroke": row(["camels"], [":", "="], shell, "tool.exe /", " /host:h\n"),
  "a value of helm": row(["dots"], ["="], shell, "helm install x --set ", " --wait\n"),
  "a literal of kubectl": row(
    ["strokes", "underscores"],
    ["="],
    shell,
    "kubectl create secret generic s --from-literal=",
    " -n x\n",
  ),
  "a header of httpie": row(["headers"], [":"], shell, "http POST h.example/v1 ", " n=1\n"),
  "a member of httpie": row(["underscores"], ["=", ":="], shell, "http POST h.example/v1 ", " n:=1\n"),
  "a header of curl": row(["headers"], [": ", ":"], ["no quotes"], "curl -H '", "' https://h.example\n"),
  "a header line": row(["headers"], [": ", ":"], ["no quotes"], "GET / HTTP/1.1\nHost: h\n", "\nAccept: */*\n"),
  "a header in prose": row(["headers"], [": "], ["no quotes"], "Send the header `", "` with it.\n"),
  "a field of curl": row(["underscores"], ["="], ["no quotes"], "curl -d '", "' https://h.example\n"),
  YAML: row(settings, [": ", ":  "], shell, "db:\n  host: h\n  ", "\n  port: 1\n"),
  "YAML with a name in double quotes": row(
    settings,
    [": ", " : "],
    shell,
    'db:\n  "host": h\n  ',
    "\n  port: 1\n",
    '"',
  ),
  "YAML with a name in single quotes": row(settings, [": "], shell, "db:\n  'host': h\n  ", "\n  port: 1\n", "'"),
  "an item of YAML": row(settings, [": "], shell, "all:\n  - ", "\n    port: 1\n"),
  "a comment behind YAML": row(settings, [": "], shell, "db:\n  ", "  # change it\n  port: 1\n"),
  "a map in one line": row(settings, [": "], shell, "db: {host: h, ", ", port: 1}\n"),
  "the end of a map in one line": row(settings, [": "], shell, "db: {host: h, ", "}\n"),
  "an item that is an assignment": row(["capitals"], ["="], shell, "environment:\n  - ", "\n  - PORT=1\n"),
  TOML: row(settings, [" = ", "="], strings, '[db]\nhost = "h"\n', "\nport = 1\n"),
  "a table of TOML in one line": row(settings, [" = "], strings, 'db = { host = "h", ', ", port = 1 }\n"),
  HCL: row(["underscores"], [" = ", "     = "], strings, 'resource "x" "y" {\n  ', "\n}\n"),
  JSON: row(settings, [":", ": ", " : "], ['"S"'], '{"user":"me",', ',"n":1}', '"'),
  "an object of JavaScript": row(
    ["camels", "underscores"],
    [": ", ":"],
    ['"S"', "'S'", "`S`"],
    "const o = { n: 1, ",
    ", m: 2 };\n",
  ),
  "an object with names in quotes": row(settings, [": "], ['"S"', "'S'", "`S`"], "const o = { 'n': 1, ", " };\n", "'"),
  "a dict of Python": row(settings, [": "], ['"S"', "'S'", "b'S'"], "o = {'n': 1, ", ", 'm': 2}\n", "'"),
  "an array of PHP": row(settings, [" => ", "=>"], strings, "$o = ['n' => 1, ", ", 'm' => 2];\n", "'"),
  "a hash of Ruby": row(["underscores"], [" => ", ": "], ['"S"', "'S'", "%q(S)"], "o = { n: 1, ", " }\n"),
  "a constant": row(
    ["camels", "underscores", "capitals"],
    [" = ", "="],
    ['"S"', "'S'", "`S`"],
    "const ",
    ";\nrun();\n",
  ),
  "an assignment of Go": row(["camels"], [" := ", " = "], ['"S"', "`S`"], "  ", "\n  run()\n"),
  "a string of Lua": row(["underscores", "camels"], [" = "], ["[[S]]", '"S"', "'S'"], "local ", "\nrun()\n"),
  "a string of C#": row(["camels"], [" = "], ['"S"', '@"S"'], "var ", ";\nRun();\n"),
  "a raw string of C++": row(["camels", "underscores"], [" = "], ['"S"', 'R"(S)"'], "const auto ", ";\n"),
  "a raw string of Rust": row(["underscores"], [" = "], ['"S"', 'r#"S"#'], "let ", ";\n"),
  "bytes of Python": row(["underscores"], [" = ", "="], ['"S"', "'S'", "b'S'"], "import x\n", "\nrun()\n"),
  "a quoted string of a shell": row(["capitals", "underscores"], ["="], ["$'S'", '"S"', "'S'"], "cd x\n", "\nmake\n"),
  "an argument of a call": row(
    ["underscores", "camels"],
    ["=", " = ", ": "],
    strings,
    "c = connect(user='me', ",
    ", n=1)\n",
  ),
  "a member of an object": row(["camels", "underscores"], [" = ", "="], strings, "config.", ";\nrun();\n"),
  "an item of a map": row(settings, ["'] = "], strings, "config['", "\nrun()\n"),
  "an attribute": row(["camels", "strokes"], ["="], strings, "<db user='me' ", " n='1'/>\n"),
  SQL: row(["underscores"], [" = ", "="], ["'S'"], "UPDATE u SET name = 'x', ", " WHERE id = 1;\n"),
  logfmt: row(["underscores"], ["="], ['"S"', "no quotes"], "level=info msg=start ", " n=1\n"),
  "a line of a log": row(["underscores", "camels"], ["=", ": "], strings, "12:00:01 INFO login user=me ", " ok\n"),
  "a connection string": row(["camels"], ["="], ["no quotes"], "Server=h;Database=d;", ";Encrypt=true\n"),
  "a query": row(["underscores", "camels"], ["="], ["no quotes"], "see https://h.example/v1?n=1&", "&m=2 now\n"),
  "the only one of a query": row(
    ["underscores", "capitals"],
    ["="],
    ["no quotes"],
    "see https://h.example/v1?",
    " now\n",
  ),
  "a column of Markdown": row(
    ["underscores", "words"],
    [" |\n|---|---|\n| me | "],
    ["no quotes", "`S`"],
    "| user | ",
    " |\n| x | y |\n",
  ),
  "a column of CSV": row(["underscores", "camels"], ["\nme,"], ["no quotes", '"S"'], "user,", "\nx,y\n"),
  "a column of TSV": row(["underscores", "strokes"], ["\nme\t"], ["no quotes"], "user\t", "\nx\ty\n"),
  "a line of a note": row(["words"], [": ", " : ", ":", " = ", "="], shell, "Hello,\n", "\nBye\n"),
  "an item of a note": row(["words"], [": ", " = "], shell, "Here:\n- ", "\n- n: 1\n"),
  "bold face": row(["words"], [":** ", "**: "], ["no quotes", "`S`"], "Here:\n**", "\n"),
  "code in a note": row(["words"], [": "], ["`S`"], "Here you are. ", " and more.\n"),
};

/** One form of the grid. It writes no value that means something else there. */
interface GridForm {
  readonly context: string;
  readonly write: (value: string) => Written | undefined;
}

/** Every combination of a name, a separator, quotes and a context. */
const forms: readonly GridForm[] = Object.entries(contexts).flatMap(
  ([context, { spellings, separators, quotes: quoted, around, nameQuote = "" }]) =>
    spellings
      .flatMap((spelling) => names[spelling])
      .flatMap((name) =>
        separators.flatMap((separator) =>
          quoted.map((quote) => {
            const { open, close, takes } = quotes[quote];
            const before = `${around[0]}${nameQuote}${name}${nameQuote}${separator}${open}`;
            const write = (value: string): Written | undefined =>
              takes.test(value) ? [before, value, close + around[1]] : undefined;
            return { context, write };
          }),
        ),
      ),
);

/** How many values were drawn, and how many of them stay. */
export interface Count {
  drawn: number;
  stay: number;
}

/** Writes a value of each kind into each form, every third time as it is, else within JSON; counts by context. */
export function countGrid(
  kinds: Readonly<Record<string, fc.Arbitrary<string>>>,
  seed: number,
  oneOf = 1,
): ReadonlyMap<string, Count> {
  const counts = new Map(Object.keys(contexts).map((context) => [context, { drawn: 0, stay: 0 }]));
  for (const [which, kind] of Object.values(kinds).entries()) {
    const values = fc.sample(kind, { numRuns: forms.length, seed });
    for (const [i, { context, write }] of forms.entries()) {
      if ((i + which) % oneOf !== 0) continue;
      const written = write(values[i]!);
      if (!written) continue;
      const count = counts.get(context)!;
      count.drawn++;
      if (stays(...(i % 3 === 0 ? written : said(() => written)("")))) count.stay++;
    }
  }
  return counts;
}

/** The sum of counts. */
export function totalOf(counts: ReadonlyMap<string, Count>): Count {
  const total = { drawn: 0, stay: 0 };
  for (const { drawn, stay } of counts.values()) {
    total.drawn += drawn;
    total.stay += stay;
  }
  return total;
}
