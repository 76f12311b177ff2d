/** An obstacle to a run is told from answers that are merely wrong. */
import { expect, test } from "vitest";
import { obstacleIn } from "./diagnose.ts";

test("a probe tells a refused key and an unknown model from an answer that is merely wrong", () => {
  const obstacle = (status: number, text: string, model: string | undefined = "big-model") =>
    obstacleIn({
      response: { status, headers: [], body: Buffer.from(text) },
      interface: "messages",
      operation: "POST /v1/messages/big-model",
      model,
      keyGiven: true,
      sent: ["x-api-key", "partner-version"],
      url: "http://127.0.0.1:8080",
    })?.problem;
  expect(obstacle(200, "{}")).toBeUndefined();
  expect(obstacle(401, "")).toMatch(/key for messages is not accepted/);
  expect(obstacle(403, "")).toMatch(/key/);
  expect(obstacle(400, "API key not valid. Please pass a valid API key.")).toMatch(/key/);
  expect(obstacle(404, `{"error":{"message":"model: big-model"}}`)).toMatch(/does not know the model big-model/);
  expect(obstacle(400, "invalid model: big-model")).toMatch(/does not know the model/);
  expect(obstacle(422, `{"detail":[{"loc":["body","model"],"msg":"no"}]}`)).toMatch(/does not know the model/);
  expect(obstacle(403, `{"error":{"message":"no access","code":"model_not_found"}}`)).toMatch(
    /does not know the model/,
  );
  expect(obstacle(400, `{"error":"model must be small"}`)).toMatch(/does not know the model/);
  expect(obstacle(400, `{"error":"max_tokens for this model must be at least 16"}`)).toBeUndefined();
  expect(obstacle(422, `{"detail":[{"loc":["body","model","x"],"msg":"no"}]}`)).toBeUndefined();
  expect(obstacle(404, "Cannot POST /v1/messages/big-model")).toBeUndefined();
  expect(obstacle(400, "max_tokens is missing")).toBeUndefined();
  expect(obstacle(500, "the model big-model is unavailable")).toBeUndefined();
});
