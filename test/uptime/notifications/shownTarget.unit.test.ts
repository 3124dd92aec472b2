import { expect, test } from "vitest";
import { type ChannelKind, channelKinds } from "../../../src/uptime/notifications/channels/kinds/channelKinds.ts";

const hook = "https://secret:secret@hooks.example.com/secret/secret?secret=secret#secret";

/** A target of each kind, with "secret" wherever only its owner may know it. */
const targets: Readonly<Record<ChannelKind, string>> = { webhook: hook, slack: hook, email: "ops@example.com" };

test.each(Object.entries(targets))(
  "part 5: what is shown of the target of a %s channel has no secret",
  (kind, target) => {
    const shown = channelKinds[kind as ChannelKind].shownTarget(target);
    expect(shown).not.toBe("");
    expect(shown).not.toContain("secret");
  },
);
