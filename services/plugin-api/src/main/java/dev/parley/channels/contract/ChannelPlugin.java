package dev.parley.channels.contract;

/**
 * A kind of channel, provided by a plug-in. The plug-in's jar names the class in
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
}
