package dev.parley.channels.openai;

import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.openai.store.ResponseStore;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.platform.config.ParleyConfig;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The responses whose turns this instance follows. */
@Singleton
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
final class ResponseRuns {
    private final ResponseStore store;
    private final Map<UUID, ResponseRun> running = new ConcurrentHashMap<>();

    ResponseRuns(ResponseStore store) {
        this.store = store;
    }

    /**
     * Follows the turn of a response, unless that is done already. Closes the turn in any case.
     *
     * @param isJson whether the answer is JSON, which no other text may precede
     */
    ResponseRun follow(StoredResponse row, FollowedTurn turn, boolean isJson) {
        var run = new ResponseRun(row, store, isJson);
        ResponseRun running = this.running.putIfAbsent(row.responseId(), run);
        if (running != null) {
            turn.close();
            return running;
        }
        Thread.ofVirtual().name("response").start(() -> {
            try {
                run.follow(turn);
            } finally {
                this.running.remove(row.responseId());
            }
        });
        return run;
    }

    Optional<ResponseRun> find(ResponseId id) {
        return Optional.ofNullable(running.get(id.id()));
    }
}
