package dev.parley.channels.bots;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.telegram.TelegramChannel;
import dev.parley.channels.webhook.WebhookChannel;
import dev.parley.platform.http.ApiException;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A bot as people of a project want it. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "BotRequest", description = "A bot as a project wants it.")
record BotRequest(
        @Schema(description = "Lower case letters, digits, _ and -, at most 63; sessions of its chats begin with it.")
        @Nullable
        String name,

        @Schema(description = "telegram or webhook.") @Nullable
        String kind,

        @Schema(
                description =
                        "What Telegram's BotFather gave, or the secret that signs both ways of a webhook (16 characters or more). It is sealed, and never shown. Without it a change leaves it as it is.")
        @Nullable
        String token,

        @Schema(description = "Who answers; without it the default agent.") @Nullable
        String agent,

        @Schema(description = "The channel's ids of those who may talk to it.") @Nullable
        List<@Nullable String> allowedUsers,

        @Nullable Boolean allowAll,

        @Schema(description = "Whether strangers are given a code by which somebody can let them in. Telegram's alone.")
        @Nullable
        Boolean pairing,

        @Schema(description = "When it answers in groups: off, mention or all. Telegram's alone.") @Nullable
        String groups,

        @Schema(description = "Whether answers are shown while they grow.") @Nullable
        Boolean stream,

        @Schema(
                description =
                        "A webhook's: where replies go. Of Telegram it is where its API is, which administrators alone may say.")
        @Nullable
        String url) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    private static final Pattern TOKEN = Pattern.compile("[0-9]{1,20}:[!-~]{8,200}");
    private static final Pattern SECRET = Pattern.compile("[!-~]{16,256}");
    private static final Pattern USER = Pattern.compile("[!-~]{1,126}");
    private static final Set<String> KINDS = Set.of(TelegramChannel.KIND, WebhookChannel.KIND);
    private static final Set<String> GROUPS = Set.of("off", "mention", "all");
    private static final int MOST_USERS = 1_000;

    /** Without what is secret. */
    @Override
    public String toString() {
        return "BotRequest[" + name + "]";
    }

    private static ApiException invalid(String field, String what) {
        return ApiException.badRequest("invalid_" + field, "The field '" + field + "' " + what);
    }

    /** The name of a new one. @throws ApiException 400 */
    String checkedName() {
        if (name == null || !NAME.matcher(name).matches()) {
            throw invalid("name", "is lower case letters, digits, _ and -, at most 63, and begins with a letter");
        }
        return name;
    }

    /** What kind it is. @throws ApiException 400 */
    String checkedKind() {
        if (kind == null || !KINDS.contains(kind)) {
            throw invalid("kind", "is telegram or webhook");
        }
        return kind;
    }

    /** The secret, or null. @throws ApiException 400, without a word of it */
    @Nullable
    String checkedToken(String ofKind) {
        if (token == null) {
            return null;
        }
        boolean telegram = ofKind.equals(TelegramChannel.KIND);
        if (!(telegram ? TOKEN : SECRET).matcher(token).matches()) {
            throw invalid(
                    "token",
                    telegram
                            ? "is what Telegram's BotFather gave: a number, a colon and letters"
                            : "is 16 to 256 printable characters without spaces");
        }
        return token;
    }

    /** All else, but for its URL. @throws ApiException 400 */
    BotSettings settings(String ofKind) {
        boolean telegram = ofKind.equals(TelegramChannel.KIND);
        if (!telegram && (Boolean.TRUE.equals(pairing) || groups != null)) {
            throw invalid(groups == null ? "pairing" : "groups", "is for Telegram's bots");
        }
        if (!telegram && url == null) {
            throw invalid("url", "is needed: where replies go");
        }
        String when = groups == null ? (telegram ? "mention" : "off") : groups;
        if (!GROUPS.contains(when)) {
            throw invalid("groups", "is off, mention or all");
        }
        return new BotSettings(
                agent,
                users(telegram),
                Boolean.TRUE.equals(allowAll),
                Boolean.TRUE.equals(pairing),
                when,
                stream == null ? telegram : stream,
                url);
    }

    private List<String> users(boolean telegram) {
        var users = new LinkedHashSet<String>();
        for (@Nullable String user : allowedUsers == null ? List.<@Nullable String>of() : allowedUsers) {
            if (user == null || !USER.matcher(user).matches() || (telegram && !user.matches("[0-9]{1,19}"))) {
                throw invalid(
                        "allowedUsers",
                        telegram
                                ? "has ids of Telegram's users, such as \"648079060\", no names"
                                : "has ids of people");
            }
            users.add(user);
        }
        if (users.size() > MOST_USERS) {
            throw invalid("allowedUsers", "has at most " + MOST_USERS + " ids");
        }
        return List.copyOf(users);
    }
}
