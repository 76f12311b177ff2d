/** What the sessions of all interfaces share. */

export const key = "touchstone-session-key";

export const weather = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};

export const question = [{ role: "user", content: "What is the weather in Paris?" }];

/** Names its tools, so that a model calls both. */
export const bothTools = "Call get_weather and get_time for Paris, both of them in one turn.";

export const counting = "Count from one to ten.";

/** Whatever a model says to `counting`, in digits or in words, one of these occurs. */
export const sureToOccur = ["e", ",", "2", "."];

/** A list of stop sequences of which the first never occurs: whoever looks for it alone stops nowhere. */
export const laterSureToOccur = ["#-#-#", ...sureToOccur.slice(0, 3)];

export async function drain(stream) {
  for await (const _ of stream);
}

/** An SDK throws on an error answer, which is what a negative session wants. */
export async function refused(promise) {
  try {
    await promise;
  } catch (error) {
    // The first @google/genai tells the status in its message alone.
    const status = error.status ?? Number(/^got status: (\d{3})/.exec(error.message)?.[1]);
    if (status >= 400 && status < 500) return;
    throw error;
  }
  throw new Error("the request was expected to be refused");
}

/** What no SDK sends is sent by hand. */
export const byHand = (of, section, name, path, body, { headers = {}, ...more } = {}) => ({
  interface: of,
  section,
  name,
  ...more,
  run: async (base) => {
    const answer = await fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    await answer.text();
    if (answer.ok === Boolean(more.violates)) throw new Error(`${name} was answered ${answer.status}`);
  },
});

/** No SDK sends a request without its key. */
export const withoutKey = (of, path, body, violates, headers = {}) =>
  byHand(of, "auth", "missing-key", path, body, { violates, headers });
