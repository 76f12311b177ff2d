/** Holds which names say that a value is a credential, and which only sound so. */
import { expect, test } from "vitest";
import { namesCredential, namesInQuery, namingOf } from "./names.ts";

const listed = (names: string): string[] => names.trim().split(/\s+/);

test.each(
  listed(`password Password db_password userPassword PGPASSWORD password2 new-password MYSQL_PWD passwd DB_PASS
    passphrase secret client_secret clientSecret CLIENT_SECRET webhookSecret aws_secret_access_key accessTokenSecret
    api_key apiKey APIKEY api-key openai_api_key OPENAI_API_KEY openaiapikey x-goog-api-key api_keys API_KEY_PROD
    my.api.key.value Ocp-Apim-Subscription-Key AccountKey SharedAccessKey private_key access_key signing-key
    github_token HF_TOKEN authToken X-Auth-Token refresh_token id_token aws_session_token reset_password_token
    Authorization Proxy-Authorization Cookie Set-Cookie credentials bearer jwt access_tokens bot_token Kennwort recovery_codes PHPSESSID SharedAccessSignature seedPhrase`),
)("%s names a credential", (name) => expect(namingOf(name)).toBe("credential"));

test.each(listed("token auth X-Auth session stripe_key LINEAR_KEY pass pat"))("%s may", (name) =>
  expect(namingOf(name)).toBe("maybe"),
);

test.each(
  listed(`max_tokens prompt_tokens completionTokens cached_tokens tokens token_count token_ids total_tokens bos_token
    eos_token_id next_page_token pageToken token_type top_logprobs stop_sequence tool_call_id session_id api_key_id
    secretName password_hash passwordReset key public_key prompt_cache_key idempotency_key cacheKey primaryKey
    author authors keyboard monkey secretary tokenizer compass bypass passenger signature thoughtSignature
    access_key_id keys sha256 digest content b64_json url`),
)("%s does not", (name) => expect(namingOf(name)).toBe("none"));

test("queries and headers have names of their own", () => {
  for (const name of ["key", "sig", "X-Amz-Signature", "signature"]) {
    expect(namesInQuery(name)).toBe(true);
    expect(namesCredential(name)).toBe(true);
  }
  for (const name of ["keys", "design", "model"]) expect(namesInQuery(name)).toBe(false);
});

test.each(
  listed(`x-portkey-provider x-portkey-trace-id x-tokenhub-model X-Keycloak-Project-Id x-authgate-organization-id
    auth_provider x-session-model`),
)("the header %s tells how a request is passed on, and is no credential", (name) =>
  expect(namesCredential(name)).toBe(false),
);

test.each(
  listed(`x-portkey-api-key x-portkey-virtual-key x-portkey-config x-portkey-metadata x-portkey-forward-headers
    x-provider-key x-provider-api-key x-model-token x-session-id x-auth-id x-key-id x-secret-id x-token-id
    x-api-keyprovider x-request-id-token`),
)("the header %s may carry a credential", (name) => expect(namesCredential(name)).toBe(true));
