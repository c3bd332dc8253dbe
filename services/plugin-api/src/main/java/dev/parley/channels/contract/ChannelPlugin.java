package dev.parley.channels.contract;

import java.util.List;
import java.util.Optional;

/**
 * A kind of channel, of Parley or of a plug-in. The jar names the class in
 * {@code META-INF/services/dev.parley.channels.contract.ChannelPlugin}; the class has a constructor without parameters.
 * One instance serves all bots of the kind.
 */
public interface ChannelPlugin {

    /**
     * The constant name of this kind, as used in {@code bots[].kind} of {@code parley.yml}:
     * {@code [a-z][a-z0-9_-]{0,30}}.
     */
    String kind();

    /**
     * Starts a bot, which then receives and sends messages. Called on the one instance that owns the bot, and again
     * after the connection was closed. Returns within ten seconds without waiting for the other side: the connection is
     * established and re-established in the background, and {@link Connection#problem} reports why it cannot be.
     *
     * @throws IllegalArgumentException if the bot's settings are invalid; the message is for operators and contains no
     *     secret
     */
    Connection connect(ChannelBot bot);

    /**
     * What projects need to know to make bots of this kind over HTTP; empty where bots are made in {@code parley.yml}
     * alone.
     */
    default Optional<BotKind> description() {
        return Optional.empty();
    }

    /** How the other side reaches Parley over HTTP; empty where the channel fetches what it receives. */
    default Optional<InboundHttp> inbound() {
        return Optional.empty();
    }

    /** The private chat of a bot with a user, where workflow tasks are asked; empty where it is unknown. */
    default Optional<String> privateChat(String user) {
        return Optional.empty();
    }

    /** Whether private chats show forms ({@link dev.parley.channels.chat.ChatSide#showForm}). */
    default boolean showsForms() {
        return false;
    }

    /** Asks the other side whether a bot is set up right, and changes nothing there; empty where it cannot be asked. */
    default List<Finding> check(ConfiguredBot bot) throws InterruptedException {
        return List.of();
    }
}
