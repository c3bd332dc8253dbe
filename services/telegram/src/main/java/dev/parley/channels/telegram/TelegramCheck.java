package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.contract.Groups;
import dev.parley.platform.clock.SteadyClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Read-only check of a bot with Telegram. */
final class TelegramCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ConfiguredBot bot;
    private final Findings findings = new Findings();

    private TelegramCheck(ConfiguredBot bot) {
        this.bot = bot;
    }

    static List<Finding> of(ConfiguredBot bot) throws InterruptedException {
        var check = new TelegramCheck(bot);
        Optional<String> token = check.findings.secret("token", bot::token);
        if (token.isPresent()) {
            check.run(token.get());
        }
        return check.findings.list().stream()
                .map(finding -> new Finding(finding.isFine(), redact(finding.text())))
                .toList();
    }

    private void run(String token) throws InterruptedException {
        try (var api = new BotApi(bot.api(), () -> token, new ChatBackoff(SteadyClock.OF_PROCESS))) {
            identity(call(api, "getMe"));
            webhook(call(api, "getWebhookInfo"));
            findings.commands(call(api, "getMyCommands"), "command", bot.commands());
        } catch (BotApiException e) {
            findings.bad(
                    findings.isEmpty()
                            ? failure(e)
                            : "Telegram refuses to say more: "
                                    + e.getMessage()); // earlier calls proved that the token is valid
        } catch (IllegalArgumentException e) {
            findings.bad("the token %s is malformed: it does not fit into a URL".formatted(reference()));
        }
    }

    private static JsonNode call(BotApi api, String method) throws BotApiException, InterruptedException {
        ObjectNode params = BotApi.params();
        return api.call(method, params, TIMEOUT);
    }

    /** Of the token. */
    private String reference() {
        return bot.reference("token").orElse("");
    }

    private String failure(BotApiException e) {
        return switch (e.code()) {
            case 401, 404 ->
                "Telegram rejects its token %s, which was revoked or mistyped (%s); @BotFather has the right one"
                        .formatted(reference(), e.getMessage());
            case BotApiException.NO_ANSWER ->
                "Telegram cannot be reached at %s: %s".formatted(bot.api(), e.getMessage());
            default -> "Telegram refuses to answer: " + e.getMessage();
        };
    }

    /** The URL of a foreign webhook may contain a token. */
    private static String redact(String text) {
        return text.replaceAll("\\d{3,}(:|%3[aA])[\\w-]{20,}", "…");
    }

    private void identity(JsonNode me) {
        findings.fine("@%s, id %s"
                .formatted(me.path("username").asText(), me.path("id").asText()));
        if (!me.path("can_join_groups").asBoolean()) {
            groups("it cannot be added to groups");
        } else if (!me.path("can_read_all_group_messages").asBoolean()) {
            groups("it can be added to groups, and receives commands, mentions and replies there (privacy mode is on)");
        } else {
            findings.fine("it can be added to groups, and receives all messages there (privacy mode is off)");
        }
    }

    /** A bot that answers all messages in groups must receive all of them. */
    private void groups(String finding) {
        boolean wantsAll = bot.receives() == Groups.ALL;
        findings.add(
                !wantsAll,
                wantsAll
                        ? finding + ", but is set to answer everything in groups; @BotFather can change that"
                        : finding);
    }

    private void webhook(JsonNode info) {
        String url = info.path("url").asText();
        int waiting = info.path("pending_update_count").asInt();
        if (bot.publicUrl().isEmpty()) {
            fetching(url, waiting(waiting));
        } else {
            webhook(InboundUpdates.url(bot), url, waiting(waiting));
        }
        String error = info.path("last_error_message").asText();
        if (!error.isEmpty() && !url.isEmpty()) {
            // The error stays after recovery; pending updates show that it still fails.
            findings.add(waiting == 0, "the last failure of the webhook: " + error);
        }
    }

    private void fetching(String url, String waiting) {
        findings.add(
                url.isEmpty(),
                url.isEmpty()
                        ? "no webhook, as it fetches its messages; " + waiting
                        : "the webhook %s is set, but this bot fetches its messages; Parley removes it when it starts; %s"
                                .formatted(url, waiting));
    }

    private void webhook(String expected, String url, String waiting) {
        if (url.isEmpty()) {
            findings.bad(
                    "no webhook is set, but this bot receives its messages by webhook; Parley sets it when it starts; "
                            + waiting);
        } else if (!url.equals(expected)) {
            findings.bad("the webhook is %s, but %s is expected; Parley sets it when it starts; %s"
                    .formatted(url, expected, waiting));
        } else {
            findings.fine("webhook %s; %s".formatted(url, waiting));
        }
    }

    private static String waiting(int count) {
        return switch (count) {
            case 0 -> "no updates wait";
            case 1 -> "1 update waits";
            default -> count + " updates wait";
        };
    }
}
