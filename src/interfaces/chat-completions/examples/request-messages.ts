/** Good chat requests by their messages: every role, shape of a message and content part the document describes. */

import type { Example } from "../../../check/example.ts";
import { emptyPdf, pixelPng, silentWav } from "../../../wire/sample-files.ts";
import { ask, call, request } from "./request-example.ts";

const text = (said: string) => [{ type: "text", text: said }];
const refusal = { role: "assistant", content: [{ type: "refusal", refusal: "I cannot say more." }] };

/** Each part of a user or an assistant beside each role that must not send it: a probe moves it there, and nothing else is wrong. */
const parts: readonly Example[] = [
  { type: "image_url", image_url: { url: `data:image/png;base64,${pixelPng}` } },
  { type: "input_audio", input_audio: { data: silentWav, format: "wav" } },
  { type: "file", file: { file_data: `data:application/pdf;base64,${emptyPdf}`, filename: "report.pdf" } },
].flatMap((part) => {
  const user = { role: "user", content: [...text("What is this?"), part] };
  return [
    request(`a ${part.type} part beside a developer's text`, {
      messages: [{ role: "developer", content: text("Be brief.") }, user],
    }),
    request(`a ${part.type} part beside a system text`, {
      messages: [{ role: "system", content: text("Be kind.") }, user],
    }),
    request(`a ${part.type} part beside an assistant's text`, {
      messages: [user, { role: "assistant", content: text("Nothing.") }, ask],
    }),
    request(`a ${part.type} part beside a tool's text`, {
      messages: [
        user,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", content: text("11 degrees"), tool_call_id: "call_1" },
      ],
    }),
  ];
});

const refusals: readonly Example[] = [
  request("a refusal part beside a user's text", {
    messages: [ask, refusal, { role: "user", content: text("Why?") }],
  }),
  request("a refusal part beside a developer's text", {
    messages: [{ role: "developer", content: text("Be brief.") }, ask, refusal, ask],
  }),
  request("a refusal part beside a system text", {
    messages: [{ role: "system", content: text("Be kind.") }, ask, refusal, ask],
  }),
  request("a refusal part beside a tool's text", {
    messages: [
      ask,
      refusal,
      ask,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", content: text("11 degrees"), tool_call_id: "call_1" },
    ],
  }),
];

export const conversation: readonly Example[] = [
  request("every role, contents as text", {
    messages: [
      { role: "developer", content: "Be brief.", name: "owner" },
      { role: "system", content: "Be kind.", name: "owner" },
      { role: "user", content: "What is the weather in Ghent?", name: "ann" },
      { role: "assistant", content: null, name: "bot", refusal: null, audio: null, tool_calls: [call] },
      { role: "tool", content: "11 degrees", tool_call_id: "call_1" },
      { role: "assistant", content: "Eleven degrees.", audio: { id: "audio_1" } },
      { role: "user", content: "" },
    ],
  }),
  request("every role, contents in parts", {
    messages: [
      { role: "developer", content: [{ type: "text", text: "Be brief." }] },
      { role: "system", content: [{ type: "text", text: "Be kind." }] },
      { role: "user", content: [{ type: "text", text: "What is the weather?" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look it up." },
          { type: "refusal", refusal: "I cannot say more." },
        ],
        refusal: "I cannot say more.",
        tool_calls: [call],
      },
      { role: "tool", content: [{ type: "text", text: "11 degrees" }], tool_call_id: "call_1" },
      { role: "assistant", content: [{ type: "text", text: "Eleven degrees." }] },
      ask,
    ],
  }),
  request("calls without content", {
    messages: [
      ask,
      { role: "assistant", tool_calls: [call, { ...call, id: "call_2" }] },
      { role: "tool", content: "11 degrees", tool_call_id: "call_2" },
      { role: "tool", content: "11 degrees", tool_call_id: "call_1" },
    ],
  }),
  request("the deprecated function call and its answer", {
    messages: [
      ask,
      { role: "assistant", content: null, function_call: { name: "look_up", arguments: "{}" } },
      { role: "function", name: "look_up", content: "11 degrees" },
      { role: "assistant", content: "Eleven.", function_call: null },
      { role: "function", name: "look_up", content: null },
    ],
  }),
  request("every part a user can send", {
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Compare these." },
          { type: "image_url", image_url: { url: "https://images.example/cat.png", detail: "auto" } },
          { type: "image_url", image_url: { url: `data:image/png;base64,${pixelPng}` } },
          { type: "input_audio", input_audio: { data: silentWav, format: "wav" } },
          { type: "input_audio", input_audio: { data: "SUQzBAAAAAAAAA==", format: "mp3" } },
          { type: "file", file: { file_data: emptyPdf, filename: "report.pdf" } },
          { type: "file", file: { file_data: `data:application/pdf;base64,${emptyPdf}`, filename: "report.pdf" } },
          { type: "file", file: { file_id: "file-1" } },
        ],
      },
    ],
  }),
];

export const content: readonly Example[] = [...parts, ...refusals].map((example) => ({ ...example, late: true }));
