package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Finding;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import okio.ByteString;

/** Read-only check of a bot with Meta: its number, token, app secret, and where its webhooks are sent. */
final class WhatsAppCheck {
    private static final String FIELDS =
            "display_phone_number,verified_name,quality_rating,status,webhook_configuration";
    private static final String MESSAGING = "whatsapp_business_messaging";

    private final ConfiguredBot bot;
    private final Findings findings = new Findings();

    private WhatsAppCheck(ConfiguredBot bot) {
        this.bot = bot;
    }

    static List<Finding> of(ConfiguredBot bot) throws InterruptedException {
        var check = new WhatsAppCheck(bot);
        Optional<String> token = check.findings.secret("token", bot::token);
        if (token.isPresent()) {
            try (var api = new WhatsAppApi(bot)) {
                if (check.isKnown(api, token.get())) {
                    check.token(api);
                    check.appSecret(api, token.get());
                }
            }
        }
        check.verifyToken();
        return check.findings.list();
    }

    /** Whether Meta knows the number, and accepts the token. */
    private boolean isKnown(WhatsAppApi api, String token) throws InterruptedException {
        try {
            JsonNode number = api.number(FIELDS, Map.of());
            identity(number);
            webhook(number.path("webhook_configuration"));
            return true;
        } catch (WhatsAppApiException e) {
            findings.bad(
                    switch (e.kind()) {
                        case REVOKED ->
                            "Meta rejects its token %s, which was revoked, has expired or was mistyped (%s)%s; make one for a system user in the business settings, with the permission %s"
                                    .formatted(
                                            bot.reference("token").orElse(""),
                                            e.getMessage(),
                                            Findings.formatHint(WhatsAppPlugin.BOTS.token(), token),
                                            MESSAGING);
                        case LATER, IN_DOUBT -> "Meta cannot be reached at %s: %s".formatted(bot.api(), e.getMessage());
                        case CLOSED, GONE, REFUSED ->
                            "Meta does not show the phone number %s to its token (%s); API Setup of the app has its id, and the system user needs the business account as an asset"
                                    .formatted(
                                            WhatsAppPlugin.setting(bot, WhatsAppPlugin.PHONE_NUMBER_ID),
                                            e.getMessage());
                    });
            return false;
        }
    }

    private void identity(JsonNode number) {
        findings.fine("%s, %s"
                .formatted(
                        number.path("display_phone_number").asText("a phone number"),
                        number.path("verified_name").asText("without a verified name")));
        String status = number.path("status").asText("CONNECTED");
        if (!status.equals("CONNECTED")) {
            findings.bad("its status is %s, so it cannot send; WhatsApp Manager says why".formatted(status));
        }
        if (number.path("quality_rating").asText().equals("RED")) {
            findings.bad("its quality rating is low, so Meta may restrict it: people block or report it");
        }
    }

    /** The most specific address counts: that of the number, of the business account, of the app. */
    private void webhook(JsonNode configuration) {
        String path = "/whatsapp/" + bot.name();
        Optional<String> url = Stream.of("phone_number", "whatsapp_business_account", "application")
                .map(field -> configuration.path(field).asText(""))
                .filter(address -> !address.isEmpty())
                .findFirst();
        findings.add(
                url.filter(address -> address.replaceFirst("[?#].*", "").endsWith(path))
                        .isPresent(),
                url.map(address -> address.endsWith(path)
                                ? "its webhooks are sent to " + address
                                : "its webhooks are sent to %s, not to %s of the public address; Configuration of the app, or an override for the number, sets it"
                                        .formatted(address, path))
                        .orElse(
                                "its webhooks are sent nowhere; set %s of the public address as the callback URL in Configuration of the app, and subscribe to the field messages"
                                        .formatted(path)));
    }

    private void token(WhatsAppApi api) throws InterruptedException {
        try {
            JsonNode info = api.tokenInfo();
            Set<String> scopes =
                    info.path("scopes").valueStream().map(JsonNode::asText).collect(Collectors.toSet());
            if (!scopes.isEmpty() && !scopes.contains(MESSAGING)) {
                findings.bad("its token lacks the permission %s, so it cannot send; make a token that has it"
                        .formatted(MESSAGING));
            }
            long expires = info.path("expires_at").asLong();
            findings.add(
                    expires == 0,
                    expires == 0
                            ? "its token does not expire"
                            : "its token expires at %s; make one for a system user, which does not expire"
                                    .formatted(Instant.ofEpochSecond(expires)));
        } catch (WhatsAppApiException e) {
            findings.fine("Meta does not say when its token expires: " + e.getMessage());
        }
    }

    /** A proof made with the secret is accepted only if the secret is that of the app of the token. */
    private void appSecret(WhatsAppApi api, String token) throws InterruptedException {
        Optional<String> secret = secret(WhatsAppPlugin.APP_SECRET, "app secret");
        if (secret.isEmpty()) {
            return;
        }
        String proof = ByteString.encodeUtf8(token)
                .hmacSha256(ByteString.encodeUtf8(secret.get()))
                .hex();
        try {
            api.number("id", Map.of("appsecret_proof", proof));
            findings.fine("its app secret is that of the app");
        } catch (WhatsAppApiException e) {
            findings.bad(
                    "Meta rejects its app secret %s (%s)%s; App settings, Basic, of the app that made the token has the right one"
                            .formatted(
                                    bot.reference(WhatsAppPlugin.APP_SECRET).orElse(""),
                                    e.getMessage(),
                                    Findings.formatHint(form(WhatsAppPlugin.APP_SECRET), secret.get())));
        }
    }

    private void verifyToken() {
        Optional<String> secret = secret(WhatsAppPlugin.VERIFY_TOKEN, "verify token");
        String hint = secret.map(text -> Findings.formatHint(form(WhatsAppPlugin.VERIFY_TOKEN), text))
                .orElse("");
        if (!hint.isEmpty()) {
            findings.bad("its verify token %s is not valid%s"
                    .formatted(bot.reference(WhatsAppPlugin.VERIFY_TOKEN).orElse(""), hint));
        }
    }

    private Optional<String> secret(String setting, String name) {
        if (bot.reference(setting).isEmpty()) {
            findings.bad("it has no %s (%s), without which no webhook is accepted".formatted(name, setting));
            return Optional.empty();
        }
        return findings.secret(name, () -> bot.secret(setting));
    }

    private static Form form(String secret) {
        return Objects.requireNonNull(WhatsAppPlugin.BOTS.secrets().get(secret));
    }
}
