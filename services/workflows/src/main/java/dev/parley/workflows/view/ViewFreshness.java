package dev.parley.workflows.view;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.kafka.Topics;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits until the process tables include all earlier events (read your writes). */
@Singleton
public final class ViewFreshness {
    /** Timeout of the brokers' answer about the end offsets. */
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(1);

    private final ReadYourWrites views;
    private final ReadYourWrites agentTasks;

    ViewFreshness(KafkaClients clients, Database database) {
        views = views(clients, database, Topics.WORKFLOW_EVENTS);
        agentTasks = views(clients, database, Topics.TURN_EVENTS);
    }

    private static ReadYourWrites views(KafkaClients clients, Database database, Topic<?> topic) {
        return new ReadYourWrites(database, new TopicEnds(clients, topic, BROKER_TIMEOUT), WorkflowProjector.OFFSETS);
    }

    /** Runs a query after the tables include all earlier events. */
    public <T> Optional<T> eventually(Supplier<Optional<T>> read) {
        return views.eventually(read);
    }

    /** Waits until the tables include all earlier events, at most two seconds. */
    public void await() {
        views.await();
    }

    /** Waits until the tables of agents' tasks include all earlier events, at most two seconds. */
    public void awaitAgentTasks() {
        agentTasks.await();
    }

    @PreDestroy
    void close() {
        views.close();
        agentTasks.close();
    }
}
