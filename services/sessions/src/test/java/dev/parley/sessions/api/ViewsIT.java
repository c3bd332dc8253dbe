package dev.parley.sessions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.RecordKey;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import dev.parley.sessions.projection.Projected;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads that wait for views that may lag. */
final class ViewsIT {
    private final TestViews infrastructure = new TestViews();
    private final TopicEnds ends =
            new TopicEnds(infrastructure.clients(), infrastructure.topic(), Duration.ofSeconds(30));
    private final Views views = new Views(infrastructure.app(), ends);
    private final AtomicInteger reads = new AtomicInteger();

    @AfterEach
    void stop() {
        ends.close();
        infrastructure.close();
    }

    @Test
    void readOfCurrentViewsReturnsEmptyAfterOneRetry() {
        // Given
        var chat = new Chat("telegram:1").turn("hello", "hi");
        infrastructure.publish(chat.events());
        Projected.from(infrastructure, chat.events());

        // When
        var found = views.eventually(() -> {
            reads.incrementAndGet();
            return Optional.empty();
        });

        // Then
        assertEquals(Optional.empty(), found);
        assertEquals(2, reads.get(), "once before and once after it was known that nothing is to come");
    }

    @Test
    @Tag("I112")
    void readSeesOnlyTheRowsOfItsProject() {
        // Given
        for (String project : List.of("mine", "theirs")) {
            var chat = new Chat(new RecordKey(project, "web:" + project)).turn("hello", "hi");
            Projected.into(infrastructure.app(), chat.events());
        }
        var careless = "SELECT session_key FROM sessions.agent_session_t";
        var tenant = Tenant.of(Chat.HOST).project(RecordKey.projectId("mine"));

        // Then
        assertEquals(List.of("web:mine"), keys(tenant, careless));
        assertEquals(2, keys(Tenant.of(Chat.HOST), careless).size());
        assertEquals(List.of(), keys(Tenant.of(UUID.randomUUID()), careless));
        assertEquals(List.of(), keys(Tenant.NONE, careless));
    }

    private List<String> keys(Tenant tenant, String sql) {
        return infrastructure
                .app()
                .readingIn(tenant, transaction -> transaction.query(sql, Columns.list(row -> row.getString(1))));
    }

    @Test
    void readWaitsForLaggingViews() {
        // Given
        var chat = new Chat("telegram:1").turn("hello", "hi");
        infrastructure.publish(chat.events());

        // When
        var found = views.eventually(() -> {
            if (reads.incrementAndGet() == 4) {
                Projected.from(infrastructure, chat.events());
            }
            return keys(Tenant.ALL, "SELECT session_key FROM sessions.agent_session_t").stream()
                    .findFirst();
        });

        // Then
        assertEquals(Optional.of("telegram:1"), found);
        assertEquals(4, reads.get());
    }
}
