/** Tools that clients under test offer, and what they ask. */

const parameters = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
};

export const offeredTools = [
  { name: "get_weather", description: "Weather of a city", parameters },
  { name: "get_time", description: "Time in a city", parameters },
] as const;
