/** The reference implementation's chat answer in chunks. */

import { sseEvent } from "../../wire/build.ts";
import { isObject } from "../../wire/json.ts";
import type { PlannedCall } from "./calls.ts";
import { logprobsMember, type Plan, type PlannedChoice } from "./reply.ts";

interface Step {
  readonly delta: Readonly<Record<string, unknown>>;
  readonly logprobs?: Readonly<Record<string, unknown>> | null;
  readonly finish?: string;
}

/** Arguments in two pieces, so that callers must join them; never between the halves of a surrogate pair. */
function halves(text: string): string[] {
  const points = Array.from(text);
  const middle = points.length >> 1;
  return [points.slice(0, middle).join(""), points.slice(middle).join("")].filter((part) => part !== "");
}

function callSteps({ id, type, function: called }: PlannedCall, index: number): Step[] {
  const piece = (more: object): Step => ({ delta: { tool_calls: [{ index, ...more }] } });
  return [
    piece({ id, type, function: { name: called.name, arguments: "" } }),
    ...halves(called.arguments).map((part) => piece({ function: { arguments: part } })),
  ];
}

function audioSteps({ id, transcript, data, expires_at }: Readonly<Record<string, unknown>>): Step[] {
  return [{ id, transcript }, { data }, { expires_at }].map((audio) => ({ delta: { audio } }));
}

function stepsOf(choice: PlannedChoice): Step[] {
  const { tokens, refused, calls, functionCall, audio, annotations, logprobs } = choice;
  const none = logprobsMember(logprobs && [], refused);
  const member = refused ? "refusal" : "content";
  const spoken = tokens.map(
    (token, i): Step => ({
      delta: { [member]: token },
      logprobs: logprobsMember(logprobs && [logprobs[i]!], refused),
    }),
  );
  const called: Step[] = functionCall
    ? [
        { delta: { function_call: { name: functionCall.name, arguments: "" } } },
        ...halves(functionCall.arguments).map((part) => ({ delta: { function_call: { arguments: part } } })),
      ]
    : [];
  return [
    { delta: { role: "assistant", content: "", refusal: null } },
    ...(audio ? audioSteps(audio) : spoken),
    ...calls.flatMap(callSteps),
    ...called,
    ...(annotations.length ? [{ delta: { annotations } }] : []),
    { delta: {}, finish: choice.finish },
  ].map((step) => ({ logprobs: none, ...step }));
}

/** The events of a plan, choices in turns, as `streamReply` takes them. */
export function chunksOf({ head, choices, usage }: Plan, body: Readonly<Record<string, unknown>>): string[] {
  const options = body["stream_options"];
  const counted = isObject(options) && options["include_usage"] === true;
  const { id, created, model, ...rest } = head;
  const chunk = (chosen: readonly unknown[], used: unknown): string =>
    sseEvent({
      id,
      object: "chat.completion.chunk",
      created,
      model,
      ...rest,
      choices: chosen,
      ...(counted && { usage: used }),
    });
  const steps = choices.map(stepsOf);
  const events: string[] = [];
  for (let turn = 0; steps.some(({ length }) => turn < length); turn++)
    for (const [index, { [turn]: step }] of steps.entries())
      if (step)
        events.push(
          chunk([{ index, delta: step.delta, logprobs: step.logprobs, finish_reason: step.finish ?? null }], null),
        );
  if (counted) events.push(chunk([], usage));
  return [...events, sseEvent("[DONE]")];
}
