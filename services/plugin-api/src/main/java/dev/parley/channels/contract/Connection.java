package dev.parley.channels.contract;

import dev.parley.domain.protocol.Choice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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

    /** The message that opens a growing answer ({@link Delivery#grows}). */
    default Piece.Words opening(GrowingAnswer answer) {
        return draft(answer.words());
    }

    /**
     * Whether the other side deduplicates messages by delivery id. If so, each message is sent complete and retried as
     * often as needed; otherwise its first part is sent and then edited until complete.
     */
    default boolean sendsOnce() {
        return false;
    }

    /**
     * Whether the other side deduplicates messages by delivery id for two minutes at least. If so, the id identifies
     * the message, and a message that replaces it needs another id. A file that is in doubt is sent again in that time.
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
     * Sends a message. Not idempotent, unless {@link #sendsOnce}. One that {@link Delivery#grows} is followed by
     * {@link #grow} and a last {@link #edit}.
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

    /** Whether a growing answer is shown at this address by its message; {@link #growth} says more. */
    default boolean streamsTo(ConversationAddress address) {
        return false;
    }

    /**
     * How a growing answer is shown at this address. It may change, for example when the other side turns out not to
     * know previews.
     */
    default Growth growth(ConversationAddress address) {
        return streamsTo(address) ? Growth.MESSAGE : Growth.NONE;
    }

    /**
     * Shows more of an answer by the message that opened it ({@link Delivery#grows}), at most every
     * {@link Limits#edits}. Its last words come by {@link #edit}, also after a crash. Idempotent.
     */
    default void grow(ConversationAddress address, String message, GrowingAnswer answer)
            throws SendFailure, InterruptedException {
        edit(address, message, draft(answer.words()));
    }

    /**
     * Shows a growing answer that is no message yet: first without words, at most every {@link Limits#edits}, and again
     * every 15 seconds while nothing changes. Idempotent, best effort: a frame that fails is dropped, and the chat backs
     * off as long as the failure asks.
     *
     * @return the channel's reference of the preview, the same for all frames of the turn, by which {@code Event.Stop}
     *     names it: at most 126 characters; null where nobody can stop it
     */
    default @Nullable String preview(ConversationAddress address, GrowingAnswer answer)
            throws SendFailure, InterruptedException {
        return null;
    }

    /** The turn has ended, and its answer was delivered or abandoned. Best effort. */
    default void ended(ConversationAddress address, UUID turn) throws SendFailure, InterruptedException {
        // nothing to clear by default
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
