/** What a bot is for, as answers show it. */
export type BotKind =
  | "search_engine"
  | "ai_crawler"
  | "ai_agent"
  | "monitoring"
  | "link_preview"
  | "headless_browser"
  | "http_library"
  | "feed_reader"
  | "advertising"
  | "archiver"
  | "academic"
  | "scanner"
  | "seo"
  | "other_bot";

/** A bot by its name; `operator` is who runs it, undefined if that is not known. */
export type Bot = { readonly name: string; readonly operator: string | undefined; readonly kind: BotKind };

/**
 * The bots that people ask for by name, with their operators, which the public list (third_party/agents) does not have: it has one kind for all AI systems. A crawler (`ai_crawler`)
 * reads pages to train a model or to fill an index; an agent (`ai_agent`) reads a page because a person asked something just then.
 * Operators document these names. The first pattern that is found counts, so a longer name comes before a shorter one.
 */
const list: readonly (readonly [pattern: RegExp, name: string, operator: string, kind: BotKind])[] = [
  [/ChatGPT-User/i, "ChatGPT-User", "OpenAI", "ai_agent"],
  [/ChatGPT Agent/i, "ChatGPT Agent", "OpenAI", "ai_agent"],
  [/OAI-SearchBot/i, "OAI-SearchBot", "OpenAI", "ai_crawler"],
  [/GPTBot/i, "GPTBot", "OpenAI", "ai_crawler"],
  [/Claude-User/i, "Claude-User", "Anthropic", "ai_agent"],
  [/Claude-SearchBot/i, "Claude-SearchBot", "Anthropic", "ai_crawler"],
  [/ClaudeBot/i, "ClaudeBot", "Anthropic", "ai_crawler"],
  [/Claude-Web/i, "Claude-Web", "Anthropic", "ai_crawler"],
  [/anthropic-ai/i, "anthropic-ai", "Anthropic", "ai_crawler"],
  [/Perplexity-?User/i, "Perplexity-User", "Perplexity", "ai_agent"],
  [/PerplexityBot/i, "PerplexityBot", "Perplexity", "ai_crawler"],
  [/MistralAI-User/i, "MistralAI-User", "Mistral AI", "ai_agent"],
  [/Gemini-Deep-Research/i, "Gemini-Deep-Research", "Google", "ai_agent"],
  [/Google-NotebookLM/i, "Google-NotebookLM", "Google", "ai_agent"],
  [/Google-?Agent/i, "Google-Agent", "Google", "ai_agent"],
  [/Google-Gemini-CLI/i, "Google-Gemini-CLI", "Google", "ai_agent"],
  [/Google-Extended/i, "Google-Extended", "Google", "ai_crawler"],
  [/Google-CloudVertexBot/i, "Google-CloudVertexBot", "Google", "ai_crawler"],
  [/meta-externalfetcher/i, "meta-externalfetcher", "Meta", "ai_agent"],
  [/meta-externalagent/i, "meta-externalagent", "Meta", "ai_crawler"],
  [/meta-webindexer/i, "meta-webindexer", "Meta", "ai_crawler"],
  [/FacebookBot/i, "FacebookBot", "Meta", "ai_crawler"],
  [/Amzn-SearchBot/i, "Amzn-SearchBot", "Amazon", "ai_crawler"],
  [/Amzn-User/i, "Amzn-User", "Amazon", "ai_agent"],
  [/AmazonBuyForMe/i, "AmazonBuyForMe", "Amazon", "ai_agent"],
  [/Amazonbot/i, "Amazonbot", "Amazon", "ai_crawler"],
  [/Applebot-Extended/i, "Applebot-Extended", "Apple", "ai_crawler"],
  [/Bytespider/i, "Bytespider", "ByteDance", "ai_crawler"],
  [/TikTokSpider/i, "TikTokSpider", "ByteDance", "ai_crawler"],
  [/CCBot/i, "CCBot", "Common Crawl", "ai_crawler"],
  [/cohere-training-data-crawler/i, "cohere-training-data-crawler", "Cohere", "ai_crawler"],
  [/cohere-ai/i, "cohere-ai", "Cohere", "ai_agent"],
  [/DuckAssistBot/i, "DuckAssistBot", "DuckDuckGo", "ai_agent"],
  [/DeepSeekBot/i, "DeepSeekBot", "DeepSeek", "ai_crawler"],
  [/ChatGLM-Spider/i, "ChatGLM-Spider", "Zhipu AI", "ai_crawler"],
  [/AI2Bot/i, "AI2Bot", "Ai2", "ai_crawler"],
  [/Manus-User/i, "Manus-User", "Manus", "ai_agent"],
  [/\bDevin\b/, "Devin", "Cognition", "ai_agent"],
  [/Googlebot-Image/i, "Googlebot-Image", "Google", "search_engine"],
  [/Googlebot-Video/i, "Googlebot-Video", "Google", "search_engine"],
  [/Googlebot-News/i, "Googlebot-News", "Google", "search_engine"],
  [/Mediapartners.Google/i, "Mediapartners-Google", "Google", "advertising"],
  [/AdsBot-Google/i, "AdsBot-Google", "Google", "advertising"],
  [/Googlebot/i, "Googlebot", "Google", "search_engine"],
  [/Google-InspectionTool/i, "Google-InspectionTool", "Google", "search_engine"],
  [/Storebot-Google/i, "Storebot-Google", "Google", "search_engine"],
  [/GoogleOther/i, "GoogleOther", "Google", "search_engine"],
  [/Chrome-Lighthouse/i, "Lighthouse", "Google", "monitoring"],
  [/Google Page Speed Insights/i, "PageSpeed Insights", "Google", "monitoring"],
  [/adidxbot/i, "adidxbot", "Microsoft", "advertising"],
  [/BingPreview/i, "BingPreview", "Microsoft", "link_preview"],
  [/bingbot/i, "Bingbot", "Microsoft", "search_engine"],
  [/SkypeUriPreview/i, "SkypeUriPreview", "Microsoft", "link_preview"],
  [/Applebot/i, "Applebot", "Apple", "search_engine"],
  [/DuckDuckBot/i, "DuckDuckBot", "DuckDuckGo", "search_engine"],
  [/Baiduspider/i, "Baiduspider", "Baidu", "search_engine"],
  [/YandexBot/i, "YandexBot", "Yandex", "search_engine"],
  [/PetalBot/i, "PetalBot", "Huawei", "search_engine"],
  [/Qwantbot|Qwantify/i, "Qwantbot", "Qwant", "search_engine"],
  [/SeznamBot/i, "SeznamBot", "Seznam", "search_engine"],
  [/Sogou (?:web|inst|Pic) spider/i, "Sogou web spider", "Sogou", "search_engine"],
  [/Yahoo! Slurp/i, "Yahoo! Slurp", "Yahoo", "search_engine"],
  [/facebookexternalhit|facebookcatalog/i, "facebookexternalhit", "Meta", "link_preview"],
  [/WhatsApp\//i, "WhatsApp", "Meta", "link_preview"],
  [/Twitterbot/i, "Twitterbot", "X", "link_preview"],
  [/Slackbot-LinkExpanding|Slackbot|Slack-ImgProxy/i, "Slackbot", "Slack", "link_preview"],
  [/LinkedInBot/i, "LinkedInBot", "LinkedIn", "link_preview"],
  [/Discordbot/i, "Discordbot", "Discord", "link_preview"],
  [/TelegramBot/i, "TelegramBot", "Telegram", "link_preview"],
  [/Pinterestbot|Pinterest\/0/i, "Pinterestbot", "Pinterest", "link_preview"],
  [/UptimeRobot/i, "UptimeRobot", "UptimeRobot", "monitoring"],
  [/Pingdom/i, "Pingdom", "SolarWinds", "monitoring"],
  [/StatusCake/i, "StatusCake", "StatusCake", "monitoring"],
  [/Better (?:Stack|Uptime)|BetterStack/i, "Better Stack", "Better Stack", "monitoring"],
  [/DatadogSynthetics|Datadog Synthetic/i, "Datadog Synthetics", "Datadog", "monitoring"],
  [/Site24x7/i, "Site24x7", "Zoho", "monitoring"],
  [/GTmetrix/i, "GTmetrix", "GTmetrix", "monitoring"],
  [/AhrefsBot|AhrefsSiteAudit/i, "AhrefsBot", "Ahrefs", "seo"],
  [/SemrushBot/i, "SemrushBot", "Semrush", "seo"],
  [/MJ12bot/i, "MJ12bot", "Majestic", "seo"],
  [/\bDotBot\b/i, "DotBot", "Moz", "seo"],
  [/ia_archiver|archive\.org_bot/i, "archive.org_bot", "Internet Archive", "archiver"],
];

/** The same with the bot of each pattern, and headless browsers, which anybody runs. */
export const ownNames: readonly (readonly [pattern: RegExp, bot: Bot])[] = [
  ...list.map(([pattern, name, operator, kind]) => [pattern, { name, operator, kind }] as const),
  ...[
    [/HeadlessChrome/, "Headless Chrome"] as const,
    [/PhantomJS/, "PhantomJS"] as const,
    [/Playwright/i, "Playwright"] as const,
    [/Puppeteer/i, "Puppeteer"] as const,
    [/Selenium/i, "Selenium"] as const,
    [/Cypress\//, "Cypress"] as const,
  ].map(([pattern, name]) => [pattern, { name, operator: undefined, kind: "headless_browser" }] as const),
];
