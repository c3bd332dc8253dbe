package dev.parley.workflows.view;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the tables of processes when they show what happened before. */
@Singleton
@Requires(property = "parley.role.workflows", value = "true")
public final class ViewFreshness {
    /** Whoever would know whether the tables are behind waits no longer than this for the brokers. */
    private static final Duration BROKERS = Duration.ofSeconds(1);

    private final ReadYourWrites views;

    ViewFreshness(KafkaClients clients, Database database) {
        var ends = new TopicEnds(clients, Topics.WORKFLOW_EVENTS, BROKERS);
        views = new ReadYourWrites(database, ends, WorkflowProjector.OFFSETS);
    }

    /** What a read finds as soon as the tables show all that happened before it was asked. */
    public <T> Optional<T> eventually(Supplier<Optional<T>> read) {
        return views.eventually(read);
    }

    /** Returns when the tables show all that happened before, or after two seconds. */
    public void await() {
        views.await();
    }

    @PreDestroy
    void close() {
        views.close();
    }
}
