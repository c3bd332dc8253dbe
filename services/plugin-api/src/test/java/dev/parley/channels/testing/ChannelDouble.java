package dev.parley.channels.testing;

import dev.parley.channels.contract.InboundHttp;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The other side of a channel, as its tests need it, and the people there. What a double cannot do is skipped. It
 * takes requests at any rate, because the contract does not wait between them.
 */
public interface ChannelDouble extends AutoCloseable {

    /** The settings of a bot for this double. */
    BotSettings settings();

    /** Hands over where requests of the other side go, for channels that have {@link InboundHttp}. */
    default void postsTo(InboundHttp.Receiver receiver) {
        // the channel fetches what it receives
    }

    /** Waits until the bot receives; called after it was started. */
    default void awaitReceiving() throws InterruptedException {
        // nothing to wait for
    }

    /** Another person, in a private conversation with the bot. */
    Person person();

    /**
     * Makes the next call that sends a message fail.
     *
     * @return false where the double cannot
     */
    default boolean failsNext(Fault fault) {
        return false;
    }

    /** Rules of the other side that the bot broke, which the other side does not report. */
    default List<String> violations() {
        return List.of();
    }

    @Override
    void close();

    /** A person who talks to the bot. */
    interface Person {
        /** Writes a message. */
        Sent writes(String text);

        /** Sends a file; empty where the channel takes none. */
        default Optional<Sent> sends(String text, String name, String mimeType, byte[] bytes) {
            return Optional.empty();
        }

        /** Presses the button with this label of the newest message; empty where the channel has no buttons. */
        default Optional<Sent> presses(String label) {
            return Optional.empty();
        }

        /** Sends the form that is shown, with the values of its fields; empty where the channel has no forms. */
        default Optional<Sent> fills(Map<String, List<String>> values) {
            return Optional.empty();
        }

        /** The texts of the bot's messages as they read now, in order. */
        List<String> reads();

        /** The contents of the files that the bot sent, in order; empty where the double does not know them. */
        default Optional<List<byte[]>> files() {
            return Optional.empty();
        }

        /** Does not want to hear from the bot any more; false where that does not exist. */
        default boolean blocks() {
            return false;
        }
    }

    /** Something that a person sent to the bot. */
    interface Sent {
        /** Brings the same again, as the other side does without an acknowledgement; nothing where it never does. */
        default void again() {
            // the channel itself fetches it again
        }

        /** Whether the other side knows that it need not bring it again. */
        boolean isAcknowledged();
    }

    /** What may happen to a message of the bot. */
    sealed interface Fault {
        /** It is not accepted yet, and the other side names a wait of whole seconds. */
        record TooFast(Duration pause) implements Fault {}

        /** Something in between is out of order: it is not accepted. */
        record Away() implements Fault {}

        /** It is accepted, and the answer is lost. */
        record LostAnswer() implements Fault {}

        /**
         * This message is refused.
         *
         * @param error as the other side puts it
         */
        record Refused(String error) implements Fault {}

        /**
         * The bot's secret is not accepted any more.
         *
         * @param error as the other side puts it
         */
        record Revoked(String error) implements Fault {}
    }
}
