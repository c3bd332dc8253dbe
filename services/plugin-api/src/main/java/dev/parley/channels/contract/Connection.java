package dev.parley.channels.contract;

import dev.parley.domain.protocol.Choice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The open connection of a bot, on the one instance that owns the bot. Each method makes one attempt: rate limits,
 * retries and deduplication are the caller's responsibility.
 */
public interface Connection extends AutoCloseable {

    /** Splits a text into the messages that represent it: at least one, none of them empty. */
    List<Piece> pieces(String text);

    /**
     * The same with choices, which are shown below the last text.
     *
     * @param choices empty for none
     */
    default List<Piece> pieces(String text, List<Choice> choices) {
        List<Piece> pieces = pieces(text);
        if (choices.isEmpty() || !(pieces.getLast() instanceof Piece.Words words)) {
            return pieces;
        }
        var completed = new ArrayList<>(pieces);
        completed.set(completed.size() - 1, words.with(choices));
        return completed;
    }

    /** The preview of an answer that is still streaming. */
    default Piece.Words draft(String text) {
        return Piece.Words.plain(text);
    }

    /**
     * Whether the other side deduplicates messages by delivery id. If so, each message is sent complete and retried as
     * often as needed; otherwise its first part is sent and then edited until complete.
     */
    default boolean sendsOnce() {
        return false;
    }

    /**
     * Whether the other side deduplicates messages by delivery id for some minutes. If so, the id identifies the
     * message, and a message that replaces it needs another id.
     */
    default boolean remembersDeliveries() {
        return sendsOnce();
    }

    /**
     * Whether a message can be edited. If neither this nor {@link #sendsOnce}, each message is sent complete, and once:
     * one that is in doubt counts as sent.
     */
    default boolean editsMessages() {
        return true;
    }

    /**
     * How soon the other side reports a message that it has accepted ({@link ChannelBot#report}): so long a message
     * that is in doubt is waited for, before it counts as sent. Zero where nothing is reported.
     */
    default Duration reportsWithin() {
        return Duration.ZERO;
    }

    /**
     * Sends a message. Not idempotent, unless {@link #sendsOnce}.
     *
     * @return the channel's reference of the new message, at most 126 characters
     */
    String send(ConversationAddress to, Piece piece, Delivery delivery) throws SendFailure, InterruptedException;

    /**
     * Edits a message; idempotent. Never called on a channel that {@link #sendsOnce} and does not stream, or that does
     * not {@linkplain #editsMessages edit}.
     */
    default void edit(ConversationAddress address, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        throw new SendFailure(SendFailure.Kind.REFUSED, "messages of this channel stay as they are", null);
    }

    /** Size limit of a file in bytes; 0 if the channel sends text only. */
    default long largestFile() {
        return 0;
    }

    /** Whether a growing answer is shown at this address by editing its message. */
    default boolean streamsTo(ConversationAddress address) {
        return false;
    }

    /** The rate limits at this address. */
    Limits limits(ConversationAddress address);

    /** Shows a typing indicator for a few seconds. Failures are ignored. */
    default void working(ConversationAddress address) throws SendFailure, InterruptedException {
        // no typing indicator by default
    }

    /**
     * The problem that stops the bot from sending or receiving until an operator intervenes; empty if there is none.
     */
    default Optional<String> problem() {
        return Optional.empty();
    }

    /** Stops receiving and closes all resources. */
    @Override
    void close();
}
