package dev.parley.channels.contract;

/**
 * A kind of channel that a plug-in brings. Its jar names the class in
 * {@code META-INF/services/dev.parley.channels.contract.ChannelPlugin}; it has a constructor without parameters. One
 * instance serves all bots of the kind.
 */
public interface ChannelPlugin {

    /** The kind, as {@code bots[].kind} of {@code parley.yml} names it: {@code [a-z][a-z0-9_-]{0,30}}, the same every time. */
    String kind();

    /**
     * Starts a bot: from here on it takes messages in and sends what it is told to. It is called in the one instance that
     * owns the bot, and again after the connection was closed. It returns within ten seconds and does not wait for the other
     * side: a connection that cannot be made is tried again in the background, and {@link Connection#problem} says so.
     *
     * @throws IllegalArgumentException where the bot's settings are wrong; operators read the message, which has no secret
     */
    Connection connect(ChannelBot bot);
}
