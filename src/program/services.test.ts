/** The services of a program: named ones, those of its environment, and the vendors' own. */
import { expect, test } from "vitest";
import { interfaces } from "../interfaces/index.ts";
import { clientEnvironment } from "./client-environment.ts";
import { servicesOf } from "./services.ts";

/** The variables that a program gets, where every interface's recorder listens at an address named after it. */
function variablesFor(environment: NodeJS.ProcessEnv) {
  const { upstreams, paths } = servicesOf(interfaces, environment, {});
  const baseUrls = Object.fromEntries(Object.keys(upstreams).map((name) => [name, `http://${name}`]));
  return clientEnvironment(interfaces, { baseUrls, paths }, {});
}

test("a program uses the vendors' services unless told otherwise", () => {
  const { upstreams, versions } = servicesOf(interfaces, {}, {});
  expect(upstreams).toEqual({
    "chat-completions": "https://api.openai.com",
    images: "https://api.openai.com",
    messages: "https://api.anthropic.com",
    "generate-content": "https://generativelanguage.googleapis.com",
  });
  expect(versions).toMatchObject({ messages: "/v1", "generate-content": "/v1beta" });
});

test("named services come first, then those of the environment", () => {
  const environment = { OPENAI_BASE_URL: "https://openrouter.ai/api/v1/", ANTHROPIC_BASE_URL: "http://127.0.0.1:4000" };
  const { upstreams, versions } = servicesOf(interfaces, environment, { byInterface: { messages: "https://named" } });
  expect(upstreams["messages"]).toBe("https://named");
  expect(upstreams["chat-completions"]).toBe("https://openrouter.ai");
  expect(versions).not.toHaveProperty("chat-completions");
  expect(versions).toHaveProperty("messages");
  const all = servicesOf(interfaces, environment, { all: "https://all" });
  expect(new Set(Object.values(all.upstreams))).toEqual(new Set(["https://all"]));
  expect(all.paths).toEqual({});
});

test("the path of an address stays, and goes for the variables that are not set", () => {
  expect(variablesFor({ OPENAI_API_BASE: "https://openrouter.ai/api/v1/" })).toMatchObject({
    OPENAI_BASE_URL: "http://chat-completions/api/v1",
    OPENAI_API_BASE: "http://chat-completions/api/v1",
    ANTHROPIC_BASE_URL: "http://messages",
  });
  const gateway = {
    GOOGLE_GEMINI_BASE_URL: "http://h/g",
    ANTHROPIC_BASE_URL: "http://h/a/v1",
    ANTHROPIC_API_URL: "http://i",
  };
  expect(variablesFor(gateway)).toMatchObject({
    GOOGLE_GEMINI_BASE_URL: "http://generate-content/g",
    GOOGLE_GENERATIVE_AI_BASE_URL: "http://generate-content/g/v1beta",
    ANTHROPIC_BASE_URL: "http://messages/a/v1",
    ANTHROPIC_API_URL: "http://messages/a/v1",
  });
});

test.each(["nonsense", "ftp://h", "http://user:secret@h/v1", "http://h/v1?key=secret"])(
  "%s in the environment is no address of a service",
  (text) => {
    const read = (): unknown => servicesOf(interfaces, { OPENAI_BASE_URL: text }, {});
    expect(read).toThrow(/^the environment variable OPENAI_BASE_URL is not the base URL of a service$/);
  },
);
