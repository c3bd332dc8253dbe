package dev.parley.channels.contract;

import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Overheard;
import dev.parley.domain.protocol.TurnCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Submits messages and commands of users. */
public interface Intake {

    /**
     * Submits a message, and returns when it is durable: only then may its channel confirm it. Messages with
     * the same reference are one turn.
     *
     * @return the outcome; never completes where this instance receives no outcomes
     * @throws UnavailableException when it may not be durable; retry unless it is too large
     */
    CompletableFuture<Outcome> submit(IncomingMessage message) throws UnavailableException, InterruptedException;

    /**
     * Submits an edit of a message; {@code message} has the reference and address of the original.
     *
     * @throws UnavailableException when it may not be durable; retry unless it is too large
     */
    void revise(IncomingMessage message, String revision) throws UnavailableException, InterruptedException;

    /**
     * Reports a message of a group that is not for the bot, and returns when it is durable.
     *
     * @param revision tells an edit or a deletion from the message; may be empty
     * @return the outcome, refused where the bot has no session in the conversation
     */
    CompletableFuture<Outcome> overhear(
            ConversationAddress address, String channel, Sender sender, Overheard overheard, String revision)
            throws UnavailableException, InterruptedException;

    /**
     * Submits a command for a conversation, and waits for its outcome.
     *
     * @param channel the kind of channel
     * @param reference the channel's id of the request: a repetition is the same command
     * @return the outcome, or empty when it is not known in time
     */
    Optional<Outcome> execute(
            ConversationAddress address,
            String channel,
            String reference,
            Sender sender,
            Function<CommandMeta, TurnCommand> command)
            throws UnavailableException, InterruptedException;

    /**
     * Sends a reply of the bot itself, in order with those of agents.
     *
     * @param reference the channel's id of the answered event: a duplicate is answered once
     * @throws UnavailableException when it may not be durable; retry
     */
    void reply(ConversationAddress address, String reference, String text, List<Choice> choices)
            throws UnavailableException, InterruptedException;

    /** The user in records: the linked account, else the channel's own id of the person with the kind of channel. */
    static String user(String channel, Sender sender) {
        return sender.account() == null
                ? channel + ":" + sender.id()
                : sender.account().toString();
    }

    /** The result of a future, or empty when it is not known in time. */
    static <T> Optional<T> within(Duration time, CompletableFuture<T> future) throws InterruptedException {
        try {
            return Optional.of(future.get(time.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        }
    }

    /** The message or command may not be durable. */
    final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        private final Reason reason;

        /** The cause. */
        public enum Reason {
            /** A required service does not answer; a retry may help. */
            AWAY,
            /** Too much is in flight on this instance; a retry may help. */
            OVERLOADED,
            /** It exceeds the maximum record size of Kafka; a retry cannot help. */
            TOO_LARGE
        }

        public UnavailableException(Reason reason, String message) {
            this(reason, message, null);
        }

        /** @param cause the exception behind it, without secrets, or null */
        public UnavailableException(Reason reason, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.reason = reason;
        }

        /** With the cause {@link Reason#AWAY}. */
        public UnavailableException(String message) {
            this(Reason.AWAY, message);
        }

        public Reason reason() {
            return reason;
        }
    }
}
