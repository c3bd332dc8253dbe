package dev.parley.channels.telegram;

import dev.parley.channels.contract.BotTokens;
import dev.parley.platform.config.BotConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import okio.ByteString;

/** Secret token that proves that an update comes from Telegram. */
final class WebhookSecret {
    private final BotTokens secrets;
    private final Map<String, String> registered = new ConcurrentHashMap<>();

    WebhookSecret(BotTokens secrets) {
        this.secrets = secrets;
    }

    /** The configured secret, or one derived from the token of the bot. */
    String of(BotConfig bot) {
        if (bot.webhookSecret() != null) {
            return secrets.get(bot.webhookSecret());
        }
        return ByteString.encodeUtf8("webhook " + bot.name() + " " + secrets.get(bot.token()))
                .sha256()
                .hex();
    }

    /** Whether the secret is valid; compares in constant time. */
    boolean isOf(BotConfig bot, String secret) {
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
