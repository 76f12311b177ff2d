/** The clients of the matrix: which driver asks with which packages, at exact versions. */

export interface MatrixClient {
  /** The name of its driver. */
  readonly driver: string;
  /** Packages with their versions; the first names the client. None for what comes with Node. */
  readonly packages: Readonly<Record<string, string>>;
}

const several = (packages: MatrixClient["packages"], ...names: readonly string[]): MatrixClient[] =>
  names.map((driver) => ({ driver, packages }));

const ai = (version: string, openai: string, anthropic: string, google: string): MatrixClient[] => [
  { driver: "ai-openai", packages: { "@ai-sdk/openai": openai, ai: version } },
  { driver: "ai-anthropic", packages: { "@ai-sdk/anthropic": anthropic, ai: version } },
  { driver: "ai-google", packages: { "@ai-sdk/google": google, ai: version } },
];

/** Clients at the head of the list that `--quick` tries: the newest of each package. */
export const quickAmount = 11;

/** The newest of two majors, where a package has them. The README shows the first ten. */
export const clients: readonly MatrixClient[] = [
  ...several({ openai: "7.57.0" }, "openai", "openai-stream"),
  ...several({ "@anthropic-ai/sdk": "1.14.0" }, "anthropic", "anthropic-stream"),
  ...several({ "@google/genai": "3.3.0" }, "google-genai"),
  ...ai("7.0.173", "4.0.118", "4.0.105", "4.0.121"),
  ...several({ "@langchain/openai": "1.6.0", "@langchain/core": "1.4.0" }, "langchain-openai"),
  ...several({ "@langchain/anthropic": "1.5.11", "@langchain/core": "1.4.0" }, "langchain-anthropic"),
  ...several({ "@langchain/google-genai": "2.3.2", "@langchain/core": "1.4.0" }, "langchain-google-genai"),
  ...several({ openai: "7.57.0" }, "openai-images"),
  ...several({ openai: "6.49.0" }, "openai", "openai-stream", "openai-images"),
  ...several({ "@anthropic-ai/sdk": "0.137.0" }, "anthropic", "anthropic-stream"),
  ...several({ "@google/genai": "2.32.0" }, "google-genai"),
  ...several({ "@google/generative-ai": "0.24.1" }, "google-generative-ai"),
  ...ai("6.0.326", "3.0.141", "3.0.140", "3.0.141"),
  ...several({ "eventsource-parser": "4.1.3" }, "eventsource-parser"),
  ...several({ "eventsource-parser": "3.1.1" }, "eventsource-parser"),
  ...several({ eventsource: "4.1.1" }, "eventsource"),
  ...several({ undici: "7.30.2" }, "undici-eventsource"),
  ...several({}, "fetch"),
];

/** The package that names a client, with its version. */
export const packageOf = ({ driver, packages }: MatrixClient): readonly [name: string, version: string] =>
  Object.entries(packages)[0] ?? [driver, ""];

/** The name of a client in tables and in what is known of it. */
export const nameOf = (client: MatrixClient): string => `${client.driver} ${packageOf(client)[1]}`.trim();
