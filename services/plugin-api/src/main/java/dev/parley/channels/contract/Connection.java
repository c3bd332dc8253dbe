package dev.parley.channels.contract;

import java.util.List;
import java.util.Optional;

/**
 * A bot at work, in the one instance that owns it. It does as it is told, once: pace, retries and memory are its owner's
 * business.
 */
public interface Connection extends AutoCloseable {

    /** The messages that a text makes, at least one, none of them empty. */
    List<Piece> pieces(String text);

    /** What is shown while a text still grows. */
    default Piece.Words draft(String text) {
        return Piece.Words.plain(text);
    }

    /**
     * Whether a message that is sent again under the id of its delivery is there once. Where it is, a message is sent whole
     * and as often as it takes; where not, its first words are sent and changed into it.
     */
    default boolean sendsOnce() {
        return false;
    }

    /**
     * Whether a message that is sent again under the id of its delivery a short while later is there once: then that is a name for the
     * message, and what follows it needs another one.
     */
    default boolean remembersDeliveries() {
        return sendsOnce();
    }

    /**
     * Sends a message, which is not the same as sending it twice, unless {@link #sendsOnce}.
     *
     * @return the channel's reference of the new message, at most 126 characters
     */
    String send(ConversationAddress to, Piece piece, Delivery delivery) throws SendFailure, InterruptedException;

    /**
     * Changes a message; the same change twice is one. Where messages are sent once and answers are not shown while they
     * grow, nothing is ever changed.
     */
    default void edit(ConversationAddress at, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        throw new SendFailure(SendFailure.Kind.REFUSED, "messages of this channel stay as they are", null);
    }

    /** Bytes of the largest file that it sends; of none where it sends words alone. */
    default long largestFile() {
        return 0;
    }

    /** Whether an answer is shown there while it grows, by changes of its message. */
    default boolean streamsTo(ConversationAddress address) {
        return false;
    }

    /** What the channel permits there. */
    Limits limits(ConversationAddress address);

    /** Shows for some seconds that somebody is at work; nobody minds where that fails. */
    default void working(ConversationAddress at) throws SendFailure, InterruptedException {
        // nothing is shown
    }

    /** Why nothing can be taken in or sent until an operator does something. */
    default Optional<String> problem() {
        return Optional.empty();
    }

    /** Stops taking messages in, and closes what is open. */
    @Override
    void close();
}
