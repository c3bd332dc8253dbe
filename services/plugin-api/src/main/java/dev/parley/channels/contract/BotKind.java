package dev.parley.channels.contract;

import java.net.URI;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A kind of bot and the settings that it requires.
 *
 * @param name in sessions and settings
 * @param title for people
 * @param api base URL of the platform; null for kinds without one, whose settings contain the URL for replies
 * @param token format of its token, or of its signing secret
 * @param secrets other secrets by name, of which at least one is required; empty for none
 * @param settings other settings by name; required are those whose form does not fit the empty text
 * @param user format of user ids
 * @param account identity of a bot on the platform, at most 64 characters, derived from its token: only one bot may
 *     have each; null where the token does not contain it
 */
public record BotKind(
        String name,
        String title,
        @Nullable URI api,
        Form token,
        Map<String, Form> secrets,
        Map<String, Form> settings,
        Form user,
        @Nullable UnaryOperator<String> account) {
    public BotKind {
        secrets = Map.copyOf(secrets);
        settings = Map.copyOf(settings);
    }

    /** A kind without further settings. */
    public BotKind(
            String name,
            String title,
            @Nullable URI api,
            Form token,
            Map<String, Form> secrets,
            Form user,
            @Nullable UnaryOperator<String> account) {
        this(name, title, api, token, secrets, Map.of(), user, account);
    }

    /** A format, and the message for values that do not match, after the name of the field. */
    public record Form(Pattern pattern, String words) {
        public Form(String pattern, String words) {
            this(Pattern.compile(pattern), words);
        }

        /** Whether a text matches. */
        public boolean fits(String text) {
            return pattern.matcher(text).matches();
        }
    }

    /**
     * Whether a platform authenticates users. Such kinds have groups, pairing codes and streaming; otherwise the
     * signing system vouches for its users.
     */
    public boolean isPlatform() {
        return api != null;
    }
}
