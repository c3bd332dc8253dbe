package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.SendFailure.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Read-only check of a bot with Discord: its identity, intents, and whether users can reach it. */
record DiscordCheck(ConfiguredBot bot, DiscordApi api, Findings findings) {
    /** Application flags for the content of all messages: in many guilds, in few. */
    private static final long MESSAGE_CONTENT = 1 << 18 | 1 << 19;

    private static final String INVITATION =
            "https://discord.com/oauth2/authorize?client_id=%s&scope=bot+applications.commands&permissions=274878008320";
    private static final int PAGE = 200;

    static List<Finding> of(ConfiguredBot bot) throws InterruptedException {
        var findings = new Findings();
        Optional<String> token = findings.secret("token", bot::token);
        if (token.isPresent()) {
            try (var api = new DiscordApi(bot.api(), token::get)) {
                new DiscordCheck(bot, api, findings).run(token.get());
            }
        }
        return findings.list();
    }

    private void run(String token) throws InterruptedException {
        try {
            identity(get("/users/@me"));
            gateway(get("/gateway/bot"));
            JsonNode application = get("/applications/@me");
            String id = application.path("id").asText();
            intents(application.path("flags").asLong());
            interactions(application.path("interactions_endpoint_url").asText(""));
            guilds(get("/users/@me/guilds?limit=" + PAGE).size(), id);
            findings.commands(get("/applications/" + id + "/commands"), "name", bot.commands());
        } catch (DiscordException e) {
            findings.bad(findings.isEmpty() ? failure(e, token) : "Discord refuses to say more: " + e.getMessage());
        }
    }

    private JsonNode get(String path) throws DiscordException, InterruptedException {
        return api.call("GET", path, null, DiscordApi.SHORT_TIMEOUT);
    }

    private String failure(DiscordException e, String token) {
        if (e.kind() == Kind.REVOKED) {
            return "Discord rejects its token %s, which was reset or mistyped (%s)%s; the page Bot of the developer portal makes another one"
                    .formatted(
                            bot.reference("token").orElse(""),
                            e.getMessage(),
                            Findings.formatHint(DiscordPlugin.BOTS.token(), token));
        }
        return e.status() == DiscordException.NO_ANSWER
                ? "Discord cannot be reached at %s: %s".formatted(bot.api(), e.getMessage())
                : "Discord refuses to answer: " + e.getMessage();
    }

    private void identity(JsonNode me) {
        String description = "@%s, id %s"
                .formatted(me.path("username").asText(), me.path("id").asText());
        boolean isBot = me.path("bot").asBoolean();
        findings.add(
                isBot,
                isBot
                        ? description
                        : description + ", is a person; the page Bot of the developer portal has the token of a bot");
    }

    private void gateway(JsonNode address) {
        JsonNode limit = address.path("session_start_limit");
        int remaining = limit.path("remaining").asInt(1);
        Duration wait = Duration.ofMillis(limit.path("reset_after").asLong());
        findings.add(
                remaining > 0,
                remaining > 0
                        ? "the gateway is reachable; the bot may start %d more sessions".formatted(remaining)
                        : "it may not start a session for %d minutes, because it started too many; it is restarted repeatedly, or another program uses its token"
                                .formatted(wait.toMinutes() + 1));
    }

    private void intents(long flags) {
        boolean hasMessageContent = (flags & MESSAGE_CONTENT) != 0;
        if (bot.receives() == Groups.ALL && !hasMessageContent) {
            findings.bad(
                    "Message Content Intent is not enabled, but it is set to answer everything in guilds, or to listen: Discord"
                            + " refuses it; enable it on the page Bot of the developer portal, or set groups: mention");
        } else {
            findings.fine(
                    bot.receives() == Groups.ALL
                            ? "it receives all messages in guilds (Message Content Intent is enabled)"
                            : bot.receives() == Groups.MENTION
                                    ? "it receives messages in guilds that mention it, which requires no privileged intent"
                                    : "it receives no messages in guilds, as configured");
        }
    }

    /** With an interactions endpoint, presses and commands are not sent over the gateway. */
    private void interactions(String url) {
        if (!url.isEmpty()) {
            findings.bad(
                    ("an Interactions Endpoint URL is set, at %s: Discord sends commands and presses of buttons there and"
                                    + " not to this bot; remove it on the page General Information of the developer portal")
                            .formatted(host(url)));
        }
    }

    /** The rest of a URL may contain a secret. */
    private static String host(String url) {
        try {
            return String.valueOf(URI.create(url).getHost());
        } catch (IllegalArgumentException e) {
            return "…";
        }
    }

    private void guilds(int count, String application) {
        if (count == 0) {
            findings.bad("it is not in a guild, so no one can write to it, not even in private; invite it: "
                    + INVITATION.formatted(application));
        } else {
            findings.fine("it is in %d %s%s"
                    .formatted(count, count == 1 ? "guild" : "guilds", count < PAGE ? "" : " or more"));
        }
    }
}
