package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.contract.Groups;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Read-only check of a bot with Slack: its identity, scopes, and the way its events arrive. */
final class SlackCheck {
    /** Scopes of the bot token, and the functions that fail without them. */
    private static final List<Right> RIGHTS = List.of(
            new Right("chat:write", Groups.OFF, "it cannot answer"),
            new Right("im:history", Groups.OFF, "it does not receive private messages"),
            new Right("im:write", Groups.OFF, "it cannot start private chats"),
            new Right("users:read", Groups.OFF, "it cannot identify users, and accepts no messages"),
            new Right("commands", Groups.OFF, "it does not receive its slash command"),
            new Right("files:read", Groups.OFF, "it cannot fetch files of users"),
            new Right("files:write", Groups.OFF, "it cannot send files of agents"),
            new Right("app_mentions:read", Groups.MENTION, "it does not receive mentions in channels"),
            new Right("channels:history", Groups.ALL, "it does not receive messages in public channels"),
            new Right("groups:history", Groups.ALL, "it does not receive messages in private channels"));

    private final ConfiguredBot bot;
    private final Findings findings = new Findings();

    /** @param from the first group setting that requires it */
    private record Right(String scope, Groups from, String consequence) {}

    private SlackCheck(ConfiguredBot bot) {
        this.bot = bot;
    }

    static List<Finding> of(ConfiguredBot bot) throws InterruptedException {
        var check = new SlackCheck(bot);
        Optional<String> token = check.findings.secret("token", bot::token);
        if (token.isPresent()) {
            try (var api = new SlackApi(bot.api(), token::get)) {
                if (check.isKnown(api, token.get())) {
                    check.events(api);
                }
            }
        }
        return check.findings.list();
    }

    /** Whether Slack accepts the token. */
    private boolean isKnown(SlackApi api, String token) throws InterruptedException {
        try {
            SlackApi.Identity identity = api.identity();
            identity(identity.me());
            scopes(identity.scopes());
            return true;
        } catch (SlackApiException e) {
            findings.bad(
                    switch (e.kind()) {
                        case REVOKED ->
                            "Slack rejects its token %s, which was revoked or mistyped (%s)%s; OAuth & Permissions of the app has the right one"
                                    .formatted(
                                            reference("token"),
                                            e.getMessage(),
                                            Findings.formatHint(SlackPlugin.BOTS.token(), token));
                        case LATER, IN_DOUBT ->
                            "Slack cannot be reached at %s: %s".formatted(bot.api(), e.getMessage());
                        case CLOSED, GONE, REFUSED -> "Slack refuses to answer: " + e.getMessage();
                    });
            return false;
        }
    }

    private void identity(JsonNode me) {
        String description = "@%s of %s, id %s"
                .formatted(
                        me.path("user").asText(),
                        me.path("team").asText(),
                        me.path("user_id").asText());
        boolean isBot = me.hasNonNull("bot_id");
        findings.add(isBot, isBot ? description : description + ", is a person; the token of a bot begins with xoxb-");
    }

    private void scopes(Set<String> granted) {
        if (granted.isEmpty()) {
            findings.fine("Slack does not say which scopes it has");
            return;
        }
        List<Right> missing = RIGHTS.stream()
                .filter(right -> right.from().compareTo(bot.receives()) <= 0)
                .filter(right -> !granted.contains(right.scope()))
                .toList();
        missing.forEach(right ->
                findings.bad("the scope %s is missing, so %s; add it in OAuth & Permissions, and install the app again"
                        .formatted(right.scope(), right.consequence())));
        if (missing.isEmpty()) {
            findings.fine("it has the scopes that it needs");
        }
    }

    private void events(SlackApi api) throws InterruptedException {
        boolean hasSocket = bot.reference(SlackPlugin.APP_TOKEN).isPresent();
        if (hasSocket) {
            Optional<String> token = findings.secret("app-level token", () -> bot.secret(SlackPlugin.APP_TOKEN));
            if (token.isPresent()) {
                socket(api, token.get());
            }
        }
        if (bot.reference(SlackPlugin.SIGNING_SECRET).isPresent()) {
            findings.secret("signing secret", () -> bot.secret(SlackPlugin.SIGNING_SECRET))
                    .ifPresent(secret -> httpEvents(secret, !hasSocket));
        }
    }

    private String reference(String setting) {
        return bot.reference(setting).orElse("");
    }

    private void socket(SlackApi api, String token) throws InterruptedException {
        try {
            api.call("apps.connections.open", SlackApi.params(), () -> token);
            findings.fine("Socket Mode: it may open connections and receive its events over them");
        } catch (SlackApiException e) {
            String hint = Findings.formatHint(form(SlackPlugin.APP_TOKEN), token);
            findings.bad(
                    switch (e.kind()) {
                        case REVOKED ->
                            "Slack rejects its app-level token %s (%s)%s; Basic Information of the app has the right one, or makes one with the scope connections:write"
                                    .formatted(reference(SlackPlugin.APP_TOKEN), e.getMessage(), hint);
                        case LATER, IN_DOUBT, CLOSED, GONE, REFUSED ->
                            "Slack does not let it open a connection (%s)%s; Socket Mode of the app must be enabled"
                                    .formatted(e.getMessage(), hint);
                    });
        }
    }

    /** @param isOnly whether events arrive in no other way */
    private void httpEvents(String secret, boolean isOnly) {
        String hint = Findings.formatHint(form(SlackPlugin.SIGNING_SECRET), secret);
        if (!hint.isEmpty()) {
            findings.bad("its signing secret %s is not valid%s; Basic Information of the app has it"
                    .formatted(reference(SlackPlugin.SIGNING_SECRET), hint));
        }
        findings.fine(("%s to /slack/%s of the public address, which is the Request URL of Event Subscriptions and of"
                        + " Interactivity, and the URL of the slash command; Slack does not say whether it is")
                .formatted(isOnly ? "its events are sent" : "events may also be sent", bot.name()));
    }

    private static Form form(String secret) {
        return Objects.requireNonNull(SlackPlugin.BOTS.secrets().get(secret));
    }
}
