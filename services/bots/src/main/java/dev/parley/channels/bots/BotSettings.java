package dev.parley.channels.bots;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.Groups;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.BotConfigBuilder;
import dev.parley.platform.json.JsonMappers;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a project bot, except its token.
 *
 * @param agent the agent that answers, or null for the default agent
 * @param allowedUsers the channel's ids of users who may talk to it
 * @param groups setting for messages in groups, in lower case
 * @param url target of replies, or the base URL of the platform API set by an operator; null for the default
 * @param secrets names of its secrets except the token; null in rows of older releases
 */
record BotSettings(
        @Nullable String agent,
        List<String> allowedUsers,
        boolean allowAll,
        boolean pairing,
        String groups,
        boolean stream,
        @Nullable String url,
        @Nullable List<String> secrets) {
    private static final ObjectMapper JSON = JsonMappers.requestBuilder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // fields that a newer instance has written
            .build();

    BotSettings {
        allowedUsers = List.copyOf(allowedUsers);
        secrets = secrets == null ? List.of() : List.copyOf(secrets);
    }

    /** The names of its secrets except the token. */
    List<String> secretNames() {
        return Objects.requireNonNull(secrets);
    }

    /** A copy with these secret names. */
    BotSettings with(Collection<String> names) {
        return new BotSettings(
                agent,
                allowedUsers,
                allowAll,
                pairing,
                groups,
                stream,
                url,
                names.stream().sorted().toList());
    }

    String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws IllegalArgumentException for malformed JSON */
    static BotSettings read(String json) {
        try {
            return JSON.readValue(json, BotSettings.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("unreadable settings", e);
        }
    }

    /** The settings of a configured bot. */
    static BotSettings of(BotConfig bot) {
        return new BotSettings(
                bot.agent(),
                bot.allowedUsers().stream().sorted().toList(),
                bot.allowAll(),
                bot.pairing(),
                bot.groups().name().toLowerCase(Locale.ROOT),
                bot.streams(),
                null,
                bot.secrets().keySet().stream().sorted().toList());
    }

    /**
     * The bot with these settings.
     *
     * @throws IllegalArgumentException for an unknown kind or malformed settings
     */
    BotConfig bot(ProjectBot row) {
        BotKind kind = BotKinds.of(row.kind());
        return BotConfigBuilder.builder()
                .name(row.bot())
                .kind(row.kind())
                .token(BotRegistry.reference(row))
                .apiUrl(url(kind))
                .project(row.projectKey())
                .agent(agent)
                .allowedUsers(Set.copyOf(allowedUsers))
                .allowAll(allowAll)
                .pairing(pairing)
                .groups(Groups.valueOf(groups.toUpperCase(Locale.ROOT)))
                .webhookFrom(List.of())
                .streams(stream)
                .secrets(secretNames().stream()
                        .collect(Collectors.toMap(name -> name, name -> BotRegistry.reference(row, name))))
                .build();
    }

    private URI url(BotKind kind) {
        if (url == null) {
            return Objects.requireNonNull(kind.api(), "where replies go");
        }
        return URI.create(kind.isPlatform() ? url.replaceAll("/+$", "") : url);
    }
}
