package dev.parley.channels.contract;

import dev.parley.platform.http.AddressGuard;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A bot as it is configured. Thread-safe. */
public interface ConfiguredBot {

    /** The bot's name, which is the {@link ConversationAddress#bot} of all its conversations. */
    String name();

    /** The bot's {@code settings} as configured; numbers and booleans are strings. */
    Map<String, String> settings();

    /** The base URL of the platform's API, or the URL of replies; empty text where the kind has none. */
    URI api();

    /** Which addresses {@link #api} may lead to: a bot that a project made reaches the public internet alone. */
    AddressGuard guard();

    /** Whether streaming of growing answers is enabled. */
    boolean streams();

    /** Whether growing answers are shown by a preview where the platform has one, and not by a message that grows. */
    default boolean drafts() {
        return true;
    }

    /** Whether answers may use a form of message that old apps of the platform do not show. */
    default boolean richMessages() {
        return true;
    }

    /** The messages of a group that the bot answers. Parley applies it to the events of its chats. */
    Groups groups();

    /** Whether the bot also hands over messages of groups that are not for it. */
    default boolean listens() {
        return false;
    }

    /** The messages of a group that the bot receives: all where it listens, else those that it answers. */
    default Groups receives() {
        return listens() ? Groups.ALL : groups();
    }

    /** The ids of the users that the settings admit. Others may be admitted as well: Parley decides at each message. */
    Set<String> allowedUsers();

    /**
     * The base of the URL to which the other side posts ({@link InboundHttp}): before {@code /{path}/{bot}}. Empty where
     * the bot is set to fetch what it receives, and for kinds without that choice.
     */
    Optional<URI> publicUrl();

    /**
     * Whether the settings let an address post to this bot.
     *
     * @param client as in {@link InboundHttp.Request}
     */
    boolean accepts(String client);

    /** The commands that users may type, in their order. */
    List<MenuCommand> commands();

    /**
     * The bot's current token. It can be rotated: read it for each use instead of caching it.
     *
     * @throws MissingSecretException if there is none
     */
    String token();

    /**
     * Resolves a further secret, whose reference ({@code env:NAME}, {@code file:PATH}, {@code vault:PATH#FIELD}) is the
     * value of this setting.
     *
     * @throws MissingSecretException if there is none
     */
    String secret(String setting);

    /**
     * The reference of a secret, for messages to operators; empty where the bot has no such secret.
     *
     * @param setting as in {@link #secret}; {@code token} for the token
     */
    Optional<String> reference(String setting);
}
