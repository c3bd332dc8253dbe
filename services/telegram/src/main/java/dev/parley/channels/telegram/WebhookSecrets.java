package dev.parley.channels.telegram;

import dev.parley.channels.contract.ConfiguredBot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import okio.ByteString;

/** Secret tokens that prove that an update comes from Telegram, and those that this process has registered. */
final class WebhookSecrets {
    private static final String SETTING = "webhookSecret";

    private final Map<String, String> registered = new ConcurrentHashMap<>();

    /** The configured secret, or one derived from the token of the bot. */
    static String of(ConfiguredBot bot) {
        if (bot.reference(SETTING).isPresent()) {
            return bot.secret(SETTING);
        }
        return ByteString.encodeUtf8("webhook " + bot.name() + " " + bot.token())
                .sha256()
                .hex();
    }

    /** Whether the secret is valid; compares in constant time. */
    static boolean isOf(ConfiguredBot bot, String secret) {
        return MessageDigest.isEqual(of(bot).getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether this process has registered this secret. */
    boolean isRegistered(String bot, String secret) {
        return secret.equals(registered.get(bot));
    }

    void markRegistered(String bot, String secret) {
        registered.put(bot, secret);
    }
}
