package dev.parley.channels.bots;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.platform.http.ApiException;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A bot of a project.
 *
 * @param name Name of the bot: lower-case letters, digits, _ and -, at most 63; begins with a letter. Session keys of
 *     its chats begin with it.
 * @param kind The channel, such as telegram or webhook.
 * @param token Token of the bot, such as the one from Telegram's BotFather, or the secret that signs both directions of
 *     a webhook (16 characters or more). It is sealed, and never shown. An update without it keeps the token.
 * @param secrets Other secrets that the kind needs, by name. They are sealed with the token, never shown, and replaced
 *     together with it, all at once.
 * @param agent Agent that answers. Defaults to the default agent.
 * @param allowedUsers Ids, in the channel, of the users who may talk to the bot; at most 1,000.
 * @param pairing True if unknown users receive a code with which they can be admitted. Defaults to false. Not for
 *     webhooks.
 * @param groups Messages that the bot answers in groups: off, mention or all. Defaults to mention. Not for webhooks.
 * @param stream True if answers are streamed. Defaults to true, for webhooks to false.
 * @param url URL for the replies of a webhook. For other kinds, URL of the platform's API, which only administrators
 *     may set.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "BotRequest")
record BotRequest(
        @Nullable String name,
        @Nullable String kind,
        @Nullable String token,
        @Nullable Map<String, @Nullable String> secrets,
        @Nullable String agent,
        @Nullable List<@Nullable String> allowedUsers,
        @Nullable Boolean allowAll,
        @Nullable Boolean pairing,
        @Nullable String groups,
        @Nullable Boolean stream,
        @Nullable String url) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    private static final Pattern USER = Pattern.compile("[!-~]{1,126}");
    private static final Set<String> GROUPS = Set.of("off", "mention", "all");
    private static final int MAX_USERS = 1_000;

    /** Omits secrets. */
    @Override
    public String toString() {
        return "BotRequest[" + name + "]";
    }

    private static ApiException invalid(String field, String problem) {
        return ApiException.badRequest("invalid_" + field, "The field '" + field + "' " + problem);
    }

    /**
     * The name of a new bot.
     *
     * @throws ApiException 400
     */
    String checkedName() {
        if (name == null || !NAME.matcher(name).matches()) {
            throw invalid("name", "is lower case letters, digits, _ and -, at most 63, and begins with a letter");
        }
        return name;
    }

    /**
     * The kind of a new bot.
     *
     * @throws ApiException 400
     */
    String checkedKind() {
        if (kind == null || BotKinds.find(kind).isEmpty()) {
            throw invalid("kind", "is " + BotKinds.names());
        }
        return kind;
    }

    /**
     * The token and other secrets; null where they stay unchanged.
     *
     * @throws ApiException 400; it does not contain the secrets
     */
    @Nullable
    BotSecrets checkedSecrets(String ofKind) {
        BotKind botKind = BotKinds.of(ofKind);
        Map<String, String> others = otherSecrets(botKind);
        if (token == null && others.isEmpty()) {
            return null;
        }
        if (token == null) {
            throw invalid("token", "is required with the other secrets: they are replaced together");
        }
        String checked = matching("token", token, botKind.token());
        if (others.isEmpty() && !botKind.secrets().isEmpty()) {
            throw invalid(
                    "secrets", "needs one of " + new TreeSet<>(botKind.secrets().keySet()));
        }
        return new BotSecrets(checked, others);
    }

    private Map<String, String> otherSecrets(BotKind botKind) {
        var others = new HashMap<String, String>();
        Map<String, @Nullable String> provided = secrets == null ? Map.of() : secrets;
        provided.forEach((name, secret) -> {
            Form form = botKind.secrets().get(name);
            if (form == null) {
                throw invalid("secrets", "has a secret that bots of this kind do not use");
            }
            if (secret != null) {
                others.put(name, matching("secrets." + name, secret, form));
            }
        });
        return others;
    }

    private static String matching(String field, String secret, Form form) {
        if (!form.fits(secret)) {
            throw ApiException.badRequest(
                    field.equals("token") ? "invalid_token" : "invalid_secrets",
                    "The field '" + field + "' " + form.words());
        }
        return secret;
    }

    /**
     * All settings except secrets; the URL is not checked.
     *
     * @throws ApiException 400
     */
    BotSettings settings(String ofKind) {
        BotKind botKind = BotKinds.of(ofKind);
        boolean platform = botKind.isPlatform();
        if (!platform && (Boolean.TRUE.equals(pairing) || groups != null)) {
            throw invalid(groups == null ? "pairing" : "groups", "is only for bots of chat platforms");
        }
        if (!platform && url == null) {
            throw invalid("url", "is required: replies are sent there");
        }
        String inGroups = checkedGroups(platform);
        return new BotSettings(
                agent,
                users(botKind.user()),
                Boolean.TRUE.equals(allowAll),
                Boolean.TRUE.equals(pairing),
                inGroups,
                stream == null ? platform : stream,
                url,
                List.of());
    }

    private String checkedGroups(boolean platform) {
        if (groups == null) {
            return platform ? "mention" : "off";
        }
        if (!GROUPS.contains(groups)) {
            throw invalid("groups", "is off, mention or all");
        }
        return groups;
    }

    private List<String> users(Form form) {
        var users = new LinkedHashSet<String>();
        for (@Nullable String user : allowedUsers == null ? List.<@Nullable String>of() : allowedUsers) {
            if (user == null || !USER.matcher(user).matches() || !form.fits(user)) {
                throw invalid("allowedUsers", form.words());
            }
            users.add(user);
        }
        if (users.size() > MAX_USERS) {
            throw invalid("allowedUsers", "has at most " + MAX_USERS + " ids");
        }
        return List.copyOf(users);
    }
}
