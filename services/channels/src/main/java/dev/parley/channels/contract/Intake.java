package dev.parley.channels.contract;

import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Takes in what people say. */
public interface Intake {

    /**
     * Takes a message, and returns when it is safe: only then may its channel forget it. The same reference twice is one turn.
     *
     * @return what becomes of it; never completes where no outcomes are heard
     * @throws UnavailableException when it is not safe; give it again, unless it is too large
     */
    CompletableFuture<Outcome> take(Incoming message) throws UnavailableException, InterruptedException;

    /**
     * Takes in that a message was meant otherwise; {@code message} has the reference and the place of the first one.
     *
     * @throws UnavailableException when it is not safe; give it again, unless it is too large
     */
    void revise(Incoming message, String revision) throws UnavailableException, InterruptedException;

    /**
     * Gives a command about a place and waits for what becomes of it.
     *
     * @param channel the kind of channel
     * @param reference the channel's own name for what asked for it: the same twice is one command
     * @return the outcome, or empty when it is not known in time
     */
    Optional<Outcome> ask(
            ConversationAddress address,
            String channel,
            String reference,
            Sender sender,
            Function<CommandMeta, TurnCommand> command)
            throws UnavailableException, InterruptedException;

    /**
     * Says something that no agent says, in its turn with all that is said there.
     *
     * @param reference the channel's own name for what is answered: the same twice is answered once
     * @throws UnavailableException when it is not safe; say it again
     */
    void answer(ConversationAddress address, String reference, String text, List<Choice> choices)
            throws UnavailableException, InterruptedException;

    /** What becomes of something, or empty when that is not known in time. */
    static <T> Optional<T> within(Duration time, CompletableFuture<T> future) throws InterruptedException {
        try {
            return Optional.of(future.get(time.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        }
    }

    /** What came in is not safe. */
    final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        private final Why why;

        /** What keeps it. */
        public enum Why {
            /** Somebody who is needed does not answer: it may go better later. */
            AWAY,
            /** Too much is in flight here: it may go better later. */
            OVERLOADED,
            /** It is larger than Kafka takes, and will be so whenever it is given. */
            TOO_LARGE
        }

        public UnavailableException(Why why, String message) {
            super(message);
            this.why = why;
        }

        /** Somebody who is needed does not answer. */
        public UnavailableException(String message) {
            this(Why.AWAY, message);
        }

        public Why why() {
            return why;
        }
    }
}
