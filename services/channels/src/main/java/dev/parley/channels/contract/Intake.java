package dev.parley.channels.contract;

import dev.parley.domain.turn.Choice;
import dev.parley.domain.turn.CommandMeta;
import dev.parley.domain.turn.Outcome;
import dev.parley.domain.turn.TurnCommand;
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
     * @throws UnavailableException when it is not safe; give it again
     */
    CompletableFuture<Outcome> take(Incoming message) throws UnavailableException, InterruptedException;

    /**
     * Takes in that a message was meant otherwise; {@code message} has the reference and the place of the first one.
     *
     * @throws UnavailableException when it is not safe; give it again
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
            Place place, String channel, String reference, Sender sender, Function<CommandMeta, TurnCommand> command)
            throws UnavailableException, InterruptedException;

    /**
     * Says something that no agent says, in its turn with all that is said there.
     *
     * @param reference the channel's own name for what is answered: the same twice is answered once
     * @throws UnavailableException when it is not safe; say it again
     */
    void answer(Place place, String reference, String text, List<Choice> choices)
            throws UnavailableException, InterruptedException;

    /** An outcome, or empty when it is not known in time. */
    static Optional<Outcome> within(Duration time, CompletableFuture<Outcome> outcome) throws InterruptedException {
        try {
            return Optional.of(outcome.get(time.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        }
    }

    /** Kafka does not take commands now. */
    final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        public UnavailableException(String message) {
            super(message);
        }
    }
}
