/** The shapes of services' keys: facts that their publishers and scanners of code state, with where they state them. */
import { evidence, gitleaks, kingfisher, type Shape } from "./shape-sources.ts";
import { shapesOfModels } from "./shapes-of-models.ts";
import { shapesOfPlatforms } from "./shapes-of-platforms.ts";

/** Tried in this order. */
export const shapes: readonly Shape[] = [...shapesOfModels, ...shapesOfPlatforms];

/** Keys that only what stands before them tells: the text before, and what they look like. */
export const placed: readonly (readonly [service: string, before: RegExp, whole: RegExp, source: string])[] = [
  ["Telegram", /(?:^|\D)\d{7,12}:$/, /A[\w-]{34}(?![\w-])/y, gitleaks],
  ["Discord webhook", /\/webhooks\/\d{17,20}\/$/, /[\w-]{60,80}/y, kingfisher("discord", "28b784f88aec")],
  ["Microsoft Teams webhook", /\/IncomingWebhook\/$/, /[0-9a-z]{32}\/[0-9a-z-]{36}/y, gitleaks],
  [
    "Google OAuth refresh",
    /(?:^|[^\w/])1\/\/$/,
    /[\w-]{40,}/y,
    evidence("1012/google-oauth2-credential", "2a519bef8aee"),
  ],
];

/** Client secrets of Azure, which have their mark behind three characters and a digit; all of one, with what may stand before it. */
export const ofAzure: readonly [service: string, mark: string, before: number, whole: RegExp, source: string] = [
  "Azure client secret",
  "Q~",
  4,
  /[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/y,
  "https://github.com/betterleaks/betterleaks/blob/0f62486b91b6d327a0a59ea6a83a6f7a942f11c5/cmd/generate/config/rules/azure.go",
];

/** Keys told by what they are as a whole. */
export const whole: readonly (readonly [service: string, whole: RegExp, source: string])[] = [
  ["Discord bot", /^[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}$/, kingfisher("discord", "28b784f88aec")],
  ["Mailchimp", /^[0-9a-f]{32}-us\d{1,2}$/, gitleaks],
  ["Terraform Cloud", /^[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}$/, gitleaks],
];
