package dev.parley.channels.teams;

import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.contract.Groups;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks whether a Teams bot is set up right: its ids, its client secret, the keys of Microsoft, its address. */
final class TeamsCheck {
    private final ConfiguredBot bot;
    private final Findings findings = new Findings();

    private TeamsCheck(ConfiguredBot bot) {
        this.bot = bot;
    }

    static List<Finding> of(ConfiguredBot bot) throws InterruptedException {
        var check = new TeamsCheck(bot);
        Optional<String> secret = check.findings.secret("client secret", bot::token);
        if (secret.isPresent() && check.hasIds()) {
            try (TeamsApi api = TeamsPlugin.api(bot)) {
                check.secret(api, secret.get());
                check.keys(api);
            }
            check.address();
        }
        return check.findings.list();
    }

    private boolean hasIds() {
        boolean complete = true;
        for (Map.Entry<String, Form> setting : TeamsPlugin.BOTS.settings().entrySet()) {
            String value = bot.settings().getOrDefault(setting.getKey(), "");
            if (!setting.getValue().fits(value)) {
                findings.bad("its %s is not valid: it %s"
                        .formatted(setting.getKey(), setting.getValue().words()));
                complete = false;
            }
        }
        return complete;
    }

    private void secret(TeamsApi api, String secret) throws InterruptedException {
        try {
            api.token();
            findings.fine("app %s of the tenant %s; Entra ID accepts its client secret"
                    .formatted(
                            bot.settings().get(TeamsPlugin.APP_ID),
                            bot.settings().get(TeamsPlugin.TENANT)));
        } catch (TeamsApiException e) {
            String hint = Findings.formatHint(TeamsPlugin.BOTS.token(), secret);
            findings.bad(
                    switch (e.kind()) {
                        case REVOKED ->
                            "Entra ID rejects its client secret %s, which has expired or is another app's or tenant's (%s)%s; Certificates & secrets of the app registration makes a new one"
                                    .formatted(bot.reference("token").orElse(""), e.getMessage(), hint);
                        case LATER, IN_DOUBT, CLOSED, GONE, REFUSED ->
                            "Entra ID cannot be reached at %s: %s"
                                    .formatted(api.cloud().login(), e.getMessage());
                    });
        }
    }

    /** Without them no activity is accepted. */
    private void keys(TeamsApi api) throws InterruptedException {
        try {
            boolean hasKeys = !TeamsPlugin.keys(api).path("keys").isEmpty();
            findings.add(
                    hasKeys,
                    hasKeys
                            ? "the keys that activities are signed with are known"
                            : "%s names no keys, so no activity is accepted"
                                    .formatted(api.cloud().metadata()));
        } catch (TeamsApiException e) {
            findings.bad(
                    "the keys that activities are signed with cannot be fetched from %s, so no activity is accepted: %s"
                            .formatted(api.cloud().metadata(), e.getMessage()));
        }
    }

    private void address() {
        findings.fine(
                "its activities are sent to /teams/%s of the public address, which is the Messaging endpoint in the Configuration of the Azure bot; Microsoft does not say whether it is"
                        .formatted(bot.name()));
        if (bot.groups() == Groups.ALL) {
            findings.fine("messages without a mention arrive only where the app's manifest has the permissions"
                    + " ChannelMessage.Read.Group and ChatMessage.Read.Chat");
        }
    }
}
