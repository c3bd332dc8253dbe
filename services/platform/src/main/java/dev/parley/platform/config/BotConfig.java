package dev.parley.platform.config;

import dev.parley.channels.contract.Groups;
import dev.parley.platform.http.Network;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bot on a channel.
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
 * @param webhook URL to which updates are posted, or null if they are polled
 * @param webhookSecret a reference to the secret that authenticates updates, or null
 * @param webhookFrom networks that may post updates; empty for all
 * @param streams whether answers are shown while they are generated
 * @param secrets references to further secrets of its kind, by name
 * @param settings of the channel of a plug-in, or null for built-in channels
 */
@RecordBuilder
public record BotConfig(
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
        @Nullable URI webhook,
        @Nullable String webhookSecret,
        List<Network> webhookFrom,
        boolean streams,
        Map<String, String> secrets,
        @Nullable Map<String, String> settings)
        implements BotConfigBuilder.With {

    /** Prefix of references to tokens that are sealed in a table, not set by an operator. */
    public static final String SEALED = "sealed:";

    public BotConfig {
        allowedUsers = Set.copyOf(allowedUsers);
        webhookFrom = List.copyOf(webhookFrom);
        secrets = Map.copyOf(secrets);
        settings = settings == null ? null : Map.copyOf(settings);
    }

    /** Whether the operator configured the bot, so that its addresses are trusted. */
    public boolean isOperators() {
        return !token.startsWith(SEALED);
    }
}
