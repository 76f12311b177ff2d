/** Puts on the wire what openai-api-mock answers inside this process: started from the folder in which it is installed. */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const { mockOpenAIResponse } = createRequire(join(process.cwd(), "package.json"))("openai-api-mock");
mockOpenAIResponse(true, { seed: 1 });
// An error that it throws outside a request must not end the others.
process.on("uncaughtException", () => undefined);

createServer(async (request, response) => {
  const body = [];
  for await (const piece of request) body.push(piece);
  const { "content-type": type, authorization } = request.headers;
  try {
    const answer = await fetch(`https://api.openai.com${request.url}`, {
      method: request.method,
      headers: { ...(type && { "content-type": type }), ...(authorization && { authorization }) },
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    });
    response.writeHead(answer.status, [...answer.headers].flat());
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  } catch {
    // A request that it has no answer for would leave the process.
    if (response.headersSent) response.destroy();
    else response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not answered by the mock"}');
  }
}).listen(Number(process.argv[2]), "127.0.0.1");
