package dev.parley.workflows.view;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits until the process tables include all earlier events (read your writes). */
@Singleton
@Requires(property = "parley.role.workflows", value = "true")
public final class ViewFreshness {
    /** Whoever would know whether the tables are behind waits no longer than this for the brokers. */
    private static final Duration BROKERS = Duration.ofSeconds(1);

    private final ReadYourWrites views;
    private final ReadYourWrites agentTasks;

    ViewFreshness(KafkaClients clients, Database database) {
        views = views(clients, database, Topics.WORKFLOW_EVENTS);
        agentTasks = views(clients, database, Topics.TURN_EVENTS);
    }

    private static ReadYourWrites views(KafkaClients clients, Database database, Topic<?> topic) {
        return new ReadYourWrites(database, new TopicEnds(clients, topic, BROKERS), WorkflowProjector.OFFSETS);
    }

    /** What a read finds as soon as the tables show all that happened before it was asked. */
    public <T> Optional<T> eventually(Supplier<Optional<T>> read) {
        return views.eventually(read);
    }

    /** Returns when the tables show all that happened before, or after two seconds. */
    public void await() {
        views.await();
    }

    /** The same for what agents ask. */
    public void awaitAgentTasks() {
        agentTasks.await();
    }

    @PreDestroy
    void close() {
        views.close();
        agentTasks.close();
    }
}
