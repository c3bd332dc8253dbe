package dev.parley.platform.config;

import dev.parley.platform.http.Network;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bot on a channel.
 *
 * @param name the channel instance: session keys begin with it
 * @param kind of channel: {@code telegram}, {@code webhook}, or as a plug-in calls it
 * @param token a reference to its token or to the secret that signs, as {@link Secrets#REFERENCE} has it; empty where the
 *     channel of a plug-in needs none
 * @param apiUrl where the channel's API is, or where replies go
 * @param project first part of its sessions' record keys
 * @param agent who answers, or null for the default agent
 * @param allowedUsers the channel's ids of those who may talk to it; nobody where it is empty
 * @param allowAll anybody may
 * @param pairing strangers are given a code by which an operator can let them in
 * @param groups when it answers in groups
 * @param webhook where updates are brought to, or null where they are fetched
 * @param webhookSecret a reference to the secret that proves where they come from, or null
 * @param webhookFrom the networks that may bring updates; any where it is empty
 * @param streams whether answers are shown while they grow
 * @param secrets references to what its kind needs besides the token, by name
 * @param settings what the channel of a plug-in is told besides, or null where the channel is Parley's own
 */
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
        @Nullable Map<String, String> settings) {

    /** What the references of tokens begin with that no operator has set: they are sealed in a table. */
    public static final String SEALED = "sealed:";

    public BotConfig {
        allowedUsers = Set.copyOf(allowedUsers);
        webhookFrom = List.copyOf(webhookFrom);
        secrets = Map.copyOf(secrets);
        settings = settings == null ? null : Map.copyOf(settings);
    }

    /** Whether the operator has set it, and so meant the addresses that stand in it. */
    public boolean isOperators() {
        return !token.startsWith(SEALED);
    }

    /** When a bot answers in a group. */
    public enum Groups {
        /** Never. */
        OFF,
        /** When it is mentioned, replied to, or given a command. */
        MENTION,
        /** To everything. */
        ALL
    }
}
