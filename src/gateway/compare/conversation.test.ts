/** Holds what becomes of system texts, turns, media, calls and results of tools. */
import { expect, test } from "vitest";
import { ofRequest } from "./compare.test-kit.ts";

type Row = readonly [...Parameters<typeof ofRequest>, string];

const says = (role: string, content: unknown) => ({ role, content });
const user = (content: unknown) => says("user", content);
const chat = (...messages: unknown[]) => ({ messages });
const model = (...parts: unknown[]) => ({ role: "model", parts });
const turn = (...parts: unknown[]) => ({ role: "user", parts });
const contents = (...all: unknown[]) => ({ contents: all });
const text = (one: string) => ({ type: "text", text: one });

const systems: readonly Row[] = [
  [
    "cm",
    "system",
    chat(says("system", "Be brief."), user("Hi.")),
    { system: "Be brief.", messages: [user("Hi.")] },
    false,
    "kept",
  ],
  [
    "cm",
    "system",
    chat(says("developer", "Be brief."), user("Hi.")),
    { system: [text("Be brief.")], messages: [user("Hi.")] },
    false,
    "kept",
  ],
  [
    "cm",
    "system",
    chat(says("system", "Be brief."), user("Hi."), says("system", "Be kind.")),
    { system: "Be brief.\n\nBe kind.", messages: [user("Hi.")] },
    false,
    "kept, converted",
  ],
  [
    "cm",
    "system",
    chat(says("system", "Be brief."), user("Hi."), says("system", "Be kind.")),
    { system: "Be kind.", messages: [user("Hi.")] },
    false,
    "changed",
  ],
  ["cm", "system", chat(says("system", "Be brief."), user("Hi.")), { messages: [user("Hi.")] }, false, "dropped"],
  [
    "cm",
    "system",
    chat(says("system", "Be brief."), user("Hi.")),
    { messages: [user("Be brief.\n\nHi.")] },
    false,
    "changed",
  ],
  [
    "cm",
    "turns",
    chat(says("system", "Be brief."), user("Hi.")),
    { messages: [user("Be brief.\n\nHi.")] },
    false,
    "kept, converted",
  ],
  ["mg", "system", { system: "Be brief." }, { systemInstruction: { parts: [{ text: "Be brief." }] } }, false, "kept"],
  ["mg", "system", { system: "Be brief." }, { system_instruction: { parts: [{ text: "Be brief." }] } }, false, "kept"],
  ["mc", "system", {}, chat(says("system", "You are a bot."), user("Hello.")), false, "invented"],
  [
    "mc",
    "system",
    { system: "Be brief." },
    chat(says("system", "Be brief. You are a bot."), user("Hello.")),
    false,
    "changed",
  ],
];

const turns: readonly Row[] = [
  ["cm", "turns", chat(user([text("Name "), text("a city.")])), { messages: [user("Name a city.")] }, false, "kept"],
  [
    "cm",
    "turns",
    chat(user([text("Name"), text("a city.")])),
    { messages: [user("Name\na city.")] },
    false,
    "kept, converted",
  ],
  ["cm", "turns", chat(user([text("Name"), text("a city.")])), { messages: [user("Name\na city.")] }, true, "changed"],
  [
    "cm",
    "turns",
    chat(user("One."), user("Two.")),
    { messages: [user([text("One."), text("Two.")])] },
    false,
    "kept, converted",
  ],
  [
    "cm",
    "turns",
    chat(user("One."), says("assistant", "Two."), user("Three.")),
    { messages: [user("Three."), says("assistant", "Two."), user("One.")] },
    false,
    "changed",
  ],
  [
    "cm",
    "turns",
    chat(user("One."), says("assistant", "Two."), user("Three.")),
    { messages: [user("Three.")] },
    false,
    "changed",
  ],
  [
    "cg",
    "turns",
    chat(user("One."), says("assistant", "Two.")),
    contents(turn({ text: "One." }), model({ text: "Two." })),
    false,
    "kept",
  ],
  [
    "cg",
    "turns",
    chat(user("One."), says("assistant", "Two.")),
    contents(turn({ text: "One." }), turn({ text: "Two." })),
    false,
    "changed",
  ],
  [
    "cm",
    "turns",
    chat(user("Tell me."), { role: "assistant", content: null, refusal: "No." }),
    { messages: [user("Tell me."), says("assistant", "No.")] },
    false,
    "kept",
  ],
  ["mc", "turns", { messages: [user("Hi  there.")] }, chat(user("Hi there.")), false, "changed"],
];

const png = Buffer.from("some bytes of a picture").toString("base64");
const chatPicture = (url: string) => chat(user([text("What?"), { type: "image_url", image_url: { url } }]));
const picture = (media_type = "image/png", data = png) => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
const asked = chatPicture(`data:image/png;base64,${png}`);

const media: readonly Row[] = [
  ["cm", "image", asked, { messages: [user([text("What?"), picture()])] }, false, "kept"],
  ["cm", "image", asked, { messages: [user([picture(), text("What?")])] }, false, "kept"],
  ["cm", "image", asked, { messages: [user([text("What?")])] }, false, "dropped"],
  ["cm", "image", asked, { messages: [user([text("What?"), { type: "image_url", image_url: {} }])] }, false, "changed"],
  ["cm", "turns", asked, { messages: [user([text("What?")])] }, false, "kept"],
  ["cm", "image", asked, { messages: [user([text("What?"), picture("image/jpeg")])] }, false, "changed"],
  ["cm", "image", asked, { messages: [user([text("What?"), picture("image/png", "AAAA")])] }, false, "changed"],
  [
    "cm",
    "image",
    chatPicture(`data:image/jpg;base64,${png}`),
    { messages: [user([text("What?"), picture("image/jpeg")])] },
    false,
    "kept, converted",
  ],
  [
    "mc",
    "image",
    { messages: [user([picture(), picture()])] },
    chatPicture(`data:image/png;base64,${png}`),
    false,
    "changed",
  ],
  [
    "cm",
    "image",
    chatPicture("https://x.example/a.png"),
    { messages: [user([text("What?")])] },
    false,
    "no-counterpart",
  ],
  [
    "cm",
    "image",
    chatPicture("https://x.example/a.png"),
    { messages: [user([text("What?"), picture()])] },
    false,
    "kept, converted",
  ],
  [
    "cg",
    "image",
    chatPicture("https://x.example/a.png"),
    contents(turn({ text: "What?" }, { fileData: { mimeType: "image/png", fileUri: "https://x.example/a.png" } })),
    false,
    "kept",
  ],
  ["cg", "image", chatPicture("https://x.example/a.png"), contents(turn({ text: "What?" })), false, "dropped"],
  [
    "cg",
    "image",
    chatPicture("https://x.example/a"),
    contents(turn({ text: "What?" }, { fileData: { fileUri: "https://x.example/a" } })),
    false,
    "kept",
  ],
  [
    "cg",
    "document",
    chatPicture("https://x.example/a"),
    contents(turn({ text: "What?" }, { fileData: { fileUri: "https://x.example/a" } })),
    false,
    "nothing",
  ],
  [
    "mg",
    "image",
    { messages: [user([picture()])] },
    contents(turn({ inline_data: { mime_type: "image/png", data: png } })),
    false,
    "kept",
  ],
  [
    "mg",
    "document",
    { messages: [user([{ type: "document", source: { type: "base64", media_type: "application/pdf", data: png } }])] },
    contents(turn({ inlineData: { mimeType: "application/pdf", data: png } })),
    false,
    "kept",
  ],
  [
    "cg",
    "audio",
    chat(user([{ type: "input_audio", input_audio: { data: png, format: "mp3" } }])),
    contents(turn({ inlineData: { mimeType: "audio/mp3", data: png } })),
    false,
    "kept, converted",
  ],
  [
    "cm",
    "audio",
    chat(user([text("What?"), { type: "input_audio", input_audio: { data: png, format: "mp3" } }])),
    { messages: [user("What?")] },
    false,
    "no-counterpart",
  ],
];

const call = (id: string, args = '{"city":"Oslo"}', name = "look_up") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const calls = (...all: unknown[]) => ({ role: "assistant", content: null, tool_calls: all });
const result = (id: string, content: unknown = "11 °C") => ({ role: "tool", tool_call_id: id, content });
const use = (id: string, input: unknown = { city: "Oslo" }, name = "look_up") => ({
  type: "tool_use",
  id,
  name,
  input,
});
const answer = (id: string, content: unknown = "11 °C", more = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more,
});
const one = chat(user("Hi."), calls(call("a")), result("a"));
const two = chat(user("Hi."), calls(call("a"), call("b", '{"city":"Rome"}')), result("a"), result("b", "20 °C"));
const used = (...blocks: unknown[]) => says("assistant", blocks);
const gave = (name: string, response: unknown) => ({ functionResponse: { name, response } });
const called = (city: string) => ({ functionCall: { name: "look_up", args: { city } } });

const tools: readonly Row[] = [
  ["cm", "tool-call", one, { messages: [user("Hi."), used(use("a")), user([answer("a")])] }, false, "kept"],
  ["cm", "tool-result", one, { messages: [user("Hi."), used(use("a")), user([answer("a")])] }, false, "kept"],
  [
    "cm",
    "tool-call",
    one,
    { messages: [user("Hi."), used(use("other")), user([answer("other")])] },
    false,
    "kept, converted",
  ],
  ["cm", "tool-result", one, { messages: [user("Hi."), used(use("other")), user([answer("other")])] }, false, "kept"],
  ["cm", "tool-result", one, { messages: [user("Hi."), used(use("other")), user([answer("a")])] }, false, "changed"],
  [
    "cm",
    "tool-call",
    one,
    { messages: [user("Hi."), used(use("a", { city: "Rome" })), user([answer("a")])] },
    false,
    "changed",
  ],
  [
    "cm",
    "tool-call",
    chat(user("Hi."), calls(call("a", '{ "city" : "Oslo" }')), result("a")),
    { messages: [user("Hi."), used(use("a")), user([answer("a")])] },
    false,
    "kept",
  ],
  [
    "cm",
    "tool-call",
    chat(user("Hi."), calls(call("a", "{oops")), result("a")),
    { messages: [user("Hi."), used(use("a", {})), user([answer("a")])] },
    false,
    "no-counterpart",
  ],
  ["cm", "tool-call", two, { messages: [user("Hi."), used(use("a")), user([answer("a")])] }, false, "changed"],
  [
    "cm",
    "tool-result",
    two,
    { messages: [user("Hi."), used(use("a"), use("b", { city: "Rome" })), user([answer("b", "20 °C"), answer("a")])] },
    false,
    "kept",
  ],
  [
    "cm",
    "tool-result",
    two,
    { messages: [user("Hi."), used(use("a"), use("b", { city: "Rome" })), user([answer("a", "20 °C"), answer("b")])] },
    false,
    "changed",
  ],
  ["cm", "tool-call", one, { messages: [user("Hi.")] }, false, "dropped"],
  [
    "cg",
    "tool-result",
    one,
    contents(turn({ text: "Hi." }), model(called("Oslo")), turn(gave("look_up", { result: "11 °C" }))),
    false,
    "kept",
  ],
  [
    "cg",
    "tool-result",
    one,
    contents(
      turn({ text: "Hi." }),
      model(called("Oslo")),
      turn(gave("look_up", { content: [{ type: "text", text: "11 °C" }] })),
    ),
    false,
    "kept",
  ],
  [
    "cg",
    "tool-result",
    one,
    contents(turn({ text: "Hi." }), model(called("Oslo")), turn(gave("a", { result: "11 °C" }))),
    false,
    "changed",
  ],
  [
    "cg",
    "tool-result",
    one,
    contents(turn({ text: "Hi." }), model(called("Oslo")), turn(gave("look_up", {}))),
    false,
    "changed",
  ],
  [
    "cg",
    "tool-result",
    chat(user("Hi."), calls(call("a")), result("a", '{"degrees":11}')),
    contents(turn({ text: "Hi." }), model(called("Oslo")), turn(gave("look_up", { degrees: 11 }))),
    false,
    "kept",
  ],
  // Without ids, two results of one name may stand in the order of the calls or in that of the results.
  [
    "cg",
    "tool-result",
    chat(user("Hi."), calls(call("a"), call("b", '{"city":"Rome"}')), result("b", "20 °C"), result("a")),
    contents(
      turn({ text: "Hi." }),
      model(called("Oslo"), called("Rome")),
      turn(gave("look_up", { result: "20 °C" }), gave("look_up", { result: "11 °C" })),
    ),
    false,
    "kept",
  ],
  [
    "cg",
    "tool-result",
    chat(user("Hi."), calls(call("a"), call("b", '{"city":"Rome"}')), result("b", "20 °C"), result("a")),
    contents(
      turn({ text: "Hi." }),
      model(called("Oslo"), called("Rome")),
      turn(gave("look_up", { result: "11 °C" }), gave("look_up", { result: "20 °C" })),
    ),
    false,
    "kept",
  ],
  [
    "mg",
    "tool-result",
    { messages: [used(use("a")), user([answer("a", [text("11"), text("degrees")])])] },
    contents(model(called("Oslo")), turn(gave("look_up", { result: JSON.stringify([text("11"), text("degrees")]) }))),
    false,
    "kept, converted",
  ],
  [
    "mc",
    "tool-result",
    { messages: [used(use("a")), user([answer("a", [text("see"), picture()])])] },
    chat(calls(call("a")), result("a", JSON.stringify([text("see"), picture()]))),
    false,
    "changed",
  ],
  // Failures and pictures of tools.
  [
    "mm",
    "tool-result",
    { messages: [used(use("a")), user([answer("a", "no", { is_error: true })])] },
    { messages: [used(use("a")), user([answer("a", "no")])] },
    false,
    "changed",
  ],
  [
    "mc",
    "tool-result",
    { messages: [used(use("a")), user([answer("a", "no", { is_error: true })])] },
    chat(calls(call("a")), result("a", "no")),
    false,
    "no-counterpart",
  ],
  [
    "mc",
    "tool-result",
    { messages: [used(use("a")), user([answer("a", "no", { is_error: true })])] },
    chat(calls(call("a")), result("a", "Error: no")),
    false,
    "kept, converted",
  ],
  [
    "mg",
    "tool-result",
    { messages: [used(use("a")), user([answer("a", "no", { is_error: true })])] },
    contents(model(called("Oslo")), turn(gave("look_up", { error: "no" }))),
    false,
    "kept, converted",
  ],
  [
    "mc",
    "tool-result",
    { messages: [used(use("a")), user([answer("a", [text("see"), picture()])])] },
    chat(calls(call("a")), result("a", "see")),
    false,
    "changed",
  ],
  [
    "mc",
    "tool-result",
    { messages: [used(use("a")), user([answer("a", [text("see"), picture()])])] },
    chat(
      calls(call("a")),
      result("a", "see"),
      user([{ type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }]),
    ),
    false,
    "kept, converted",
  ],
  [
    "mc",
    "image",
    { messages: [used(use("a")), user([answer("a", [text("see"), picture()])])] },
    chat(
      calls(call("a")),
      result("a", "see"),
      user([{ type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }]),
    ),
    false,
    "nothing",
  ],
];

test.each([...systems, ...turns, ...media, ...tools])(
  "%s, %s: %j arrives as %j, strict %j: %s",
  (route, fact, before, after, strict, outcome) => {
    expect(ofRequest(route, fact, before, after, strict)).toBe(outcome);
  },
);
