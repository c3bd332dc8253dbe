package dev.parley.agents.model;

import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.domain.turn.ModelRequest;
import dev.parley.platform.worker.Cancellation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Tries whether an agent's model answers, with the smallest call that there is. */
public final class ModelCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ModelCheck() {}

    /**
     * Makes one call, which costs a few tokens.
     *
     * @return the name of the model that answered
     * @throws ModelFailure saying why there was no answer
     */
    public static String call(ModelProviders providers, Agent agent) throws ModelFailure, InterruptedException {
        Instant until = Instant.now().plus(PATIENCE);
        var request = new ModelRequest(
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID(),
                null,
                0,
                1,
                ModelRequest.Purpose.REPLY,
                agent,
                null,
                List.of(Message.text(Role.USER, "Say ok.")),
                List.of(),
                false,
                null,
                until,
                until);
        var cancellation = new Cancellation();
        Thread timer = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(PATIENCE);
                cancellation.cancel(Cancellation.Reason.DEADLINE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // there was an answer
            }
        });
        try {
            return providers.call(request, ModelStream.NONE, cancellation).model();
        } catch (InterruptedException e) {
            if (cancellation.requested()) {
                throw new ModelFailure(ErrorCategory.TIMEOUT, "no answer within " + PATIENCE.toSeconds() + " s");
            }
            throw e;
        } finally {
            timer.interrupt();
        }
    }
}
