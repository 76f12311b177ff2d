/** Keeps to itself what client libraries print and report while they are used. */

const methods = ["debug", "error", "info", "log", "warn"] as const;
const tracing = ["LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "LANGCHAIN_TRACING"];

let users = 0;
let restore = (): void => undefined;

/**
 * Calls `use` with tracing services off and a console that prints nothing, since standard output is the report's. A target's
 * answers go nowhere else, whatever the environment says. It may be called several times at once.
 */
export async function quietly<T>(use: () => Promise<T>): Promise<T> {
  if (users++ === 0) restore = silence();
  try {
    return await use();
  } finally {
    if (--users === 0) restore();
  }
}

function silence(): () => void {
  const before = methods.map((method) => [method, console[method]] as const);
  for (const method of methods) console[method] = () => undefined;
  const variables = tracing.map((name) => [name, process.env[name]] as const);
  for (const name of tracing) delete process.env[name];
  return () => {
    for (const [method, own] of before) console[method] = own;
    for (const [name, value] of variables) if (value !== undefined) process.env[name] = value;
  };
}
