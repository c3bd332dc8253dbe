package dev.parley.channels.contract;

import java.net.URI;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What bots of a kind have, for whoever makes one.
 *
 * @param name in sessions and in settings
 * @param title as people call it
 * @param api where the API of the platform is; null where there is none, and a bot's settings say where replies go
 * @param token the form of its token, or of the secret that signs
 * @param secrets what it needs besides, by name: at least one of these, or none where there are none
 * @param user the form of the ids of people
 * @param account who the platform says a bot is, in at most 64 characters, of its token: only one bot can have each; null where no token
 *     says it
 * @param check asks the platform about a bot; null where there is nobody to ask
 */
public record BotKind(
        String name,
        String title,
        @Nullable URI api,
        Form token,
        Map<String, Form> secrets,
        Form user,
        @Nullable UnaryOperator<String> account,
        @Nullable BotCheck check) {
    public BotKind {
        secrets = Map.copyOf(secrets);
    }

    /** How something looks, and what is said to whoever writes something else: after the name of the field. */
    public record Form(Pattern pattern, String words) {
        public Form(String pattern, String words) {
            this(Pattern.compile(pattern), words);
        }

        /** Whether a text has this form. */
        public boolean fits(String text) {
            return pattern.matcher(text).matches();
        }
    }

    /**
     * Whether people write on a platform, which says who they are. Then there are groups, strangers can be let in with codes, and answers are
     * shown while they grow. Otherwise whoever signs vouches for people.
     */
    public boolean isPlatform() {
        return api != null;
    }
}
