package dev.parley.platform.config.bot;

import dev.parley.channels.contract.Groups;
import dev.parley.domain.RecordKey;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.http.network.Network;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bot on a channel: an entry of {@code parley.yml}, a request and a row. {@link BotDocuments} reads it.
 *
 * @param name of the channel instance, with which session keys begin
 * @param kind of channel: {@code telegram}, {@code webhook}, or the kind of a plug-in
 * @param token a {@linkplain Secrets#REFERENCE reference} to its token or signing secret; empty for plug-ins without
 *     one
 * @param apiUrl base URL of the channel's API, or the URL of replies
 * @param project first part of the record keys of its sessions
 * @param agent name of its agent, or null for the default agent
 * @param allowedUsers ids in the channel of allowed users
 * @param allowAll whether all users are allowed
 * @param pairing whether other users get a code by which an operator can admit them
 * @param groups rule for answers in groups
 * @param listens whether what people say in groups, and not to the bot, is told to its next turn
 * @param webhook URL to which updates are posted, or null if they are polled
 * @param webhookSecret a reference to the secret that authenticates updates, or null
 * @param webhookFrom networks that may post updates; empty for all
 * @param streams whether answers are shown while they are generated
 * @param drafts whether growing answers are shown by a preview where the platform has one
 * @param richMessages whether answers may use a form of message that old apps do not show
 * @param secrets references to further secrets of its kind, by name
 * @param settings further settings of its kind, or null where none are set
 */
@RecordBuilder
public record BotConfig(
        @Field(required = true, pattern = "[a-z][a-z0-9_-]{0,62}", problem = BotConfig.NO_NAME)
        @Schema(
                description = "Name of the bot: lower-case letters, digits, _ and -, at most 63; begins with a letter."
                        + " Session keys of its chats begin with it.")
        String name,

        @Field(required = true, pattern = "[a-z][a-z0-9_-]{0,30}", problem = BotConfig.NO_KIND)
        @Schema(description = "The channel, such as telegram or webhook.")
        String kind,

        @Field
        @Schema(
                description = "Token of the bot, such as the one from Telegram's BotFather, or the secret that signs"
                        + " both directions of a webhook (16 characters or more). It is sealed, and never shown. An"
                        + " update without it keeps the token.")
        String token,

        @Field(name = "url", length = 2_000, problem = BotConfig.NO_URL)
        @Schema(
                description = "URL for the replies of a webhook. For other kinds, URL of the platform's API, which"
                        + " only administrators may set.")
        URI apiUrl,

        @Field(
                fallback = RecordKey.DEFAULT_PROJECT,
                pattern = "[A-Za-z0-9_-]{1,64}",
                problem = "has the key of a project: 1 to 64 letters, digits, _ or -")
        @Schema(description = "Key of the project.")
        String project,

        @Field @Schema(description = "Agent that answers. Defaults to the default agent.") @Nullable
        String agent,

        @Field(form = Form.LINE, entries = 1_000, length = 126)
        @Schema(description = "Ids, in the channel, of the users who may talk to the bot; at most 1,000.")
        Set<String> allowedUsers,

        @Field @Schema(description = "True if everybody may talk to the bot. Defaults to false.")
        boolean allowAll,

        @Field
        @Schema(
                description = "True if unknown users receive a code with which they can be admitted. Defaults to"
                        + " false. Not for webhooks.")
        boolean pairing,

        @Field(fallback = "off")
        @Schema(
                description = "Messages that the bot answers in groups: off, mention or all. Defaults to mention. Not"
                        + " for webhooks.")
        Groups groups,

        @Field(name = "listen")
        @Schema(
                description =
                        "True if the bot reads along in groups where somebody has spoken to it: what was said since"
                                + " its last answer is told to its next turn, as background. The group is told. Defaults to"
                                + " false. Not for webhooks.")
        boolean listens,

        @Field(length = 2_000, problem = BotConfig.NO_URL)
        @Schema(description = "URL to which the platform posts updates.")
        @Nullable
        URI webhook,

        @Field @Schema(description = "Secret that authenticates updates.") @Nullable
        String webhookSecret,

        @Field(problem = "has networks like 149.154.160.0/20") @Schema(description = "Networks that may post updates.")
        List<Network> webhookFrom,

        @Field(name = "stream")
        @Schema(description = "True if answers are streamed. Defaults to true, for webhooks to false.")
        boolean streams,

        @Field(fallback = "true")
        @Schema(
                description = "True if a growing answer is shown by a preview where the platform has one, such as"
                        + " Telegram's drafts, and not by a message that grows. Defaults to true.")
        boolean drafts,

        @Field(fallback = "true")
        @Schema(
                description = "True if answers may be rich messages, which old apps of Telegram do not show. Defaults"
                        + " to true.")
        boolean richMessages,

        @Field
        @Schema(
                description = "Other secrets that the kind needs, by name. They are sealed with the token, never"
                        + " shown, and replaced together with it, all at once.")
        Map<String, String> secrets,

        @Field(entries = 100) @Schema(description = "Further settings that the kind has, by name, as texts.") @Nullable
        Map<String, String> settings)
        implements BotConfigBuilder.With {
    static final String NO_NAME = "is lower case letters, digits, _ and -, at most 63, and begins with a letter";
    static final String NO_KIND = "is lower case letters, digits, _ and -, at most 31, and begins with a letter";
    static final String NO_URL = "is a URL such as https://example.com/replies, without user, password and fragment";

    /** Prefix of references to tokens that are sealed in a table, not set by an operator. */
    public static final String SEALED = "sealed:";

    private static final String PLUGIN = "plugin";

    public BotConfig {
        allowedUsers = Set.copyOf(allowedUsers);
        webhookFrom = List.copyOf(webhookFrom);
        secrets = Map.copyOf(secrets);
        settings = settings == null ? null : Map.copyOf(settings);
    }

    /** Where the API of a bot of a plug-in would be. */
    public static URI ofPlugin(String kind) {
        return URI.create(PLUGIN + ":" + kind);
    }

    /** Whether its channel is of the folder of plug-ins. */
    public boolean isOfPlugin() {
        return PLUGIN.equals(apiUrl.getScheme());
    }

    /** With drafts and rich messages. */
    public BotConfig(
            String name,
            String kind,
            String token,
            URI apiUrl,
            String project,
            @Nullable String agent,
            Set<String> allowedUsers,
            boolean allowAll,
            boolean pairing,
            Groups groups,
            boolean listens,
            @Nullable URI webhook,
            @Nullable String webhookSecret,
            List<Network> webhookFrom,
            boolean streams,
            Map<String, String> secrets,
            @Nullable Map<String, String> settings) {
        this(
                name,
                kind,
                token,
                apiUrl,
                project,
                agent,
                allowedUsers,
                allowAll,
                pairing,
                groups,
                listens,
                webhook,
                webhookSecret,
                webhookFrom,
                streams,
                true,
                true,
                secrets,
                settings);
    }

    /** Whether the operator configured the bot, so that its addresses are trusted. */
    public boolean isOperators() {
        return !token.startsWith(SEALED);
    }
}
