package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.slf4j.LoggerFactory;

class EventStreamTest {
    private static final int SOON = 30;

    private final CompletableFuture<Boolean> released = new CompletableFuture<>();

    private EventStream stream(Duration timeout) {
        return new EventStream(sink -> sink.event("open", null, "{}".getBytes(StandardCharsets.UTF_8)))
                .ifUnread(() -> released.complete(true), timeout);
    }

    /** Collects a stream. */
    private static final class Reader implements Subscriber<byte[]> {
        private final StringBuilder text = new StringBuilder();
        private final CompletableFuture<String> end = new CompletableFuture<>();

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(byte[] bytes) {
            text.append(new String(bytes, StandardCharsets.UTF_8));
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            end.complete(text.toString());
        }
    }

    private static String read(EventStream stream) throws Exception {
        var reader = new Reader();
        stream.subscribe(reader);
        return reader.end.get(SOON, TimeUnit.SECONDS);
    }

    @Test
    void releasesWhatAnUnreadStreamHolds() throws Exception {
        EventStream stream = stream(Duration.ofMillis(1));

        assertTrue(released.get(SOON, TimeUnit.SECONDS));
        assertEquals("", read(stream), "it is too late to read it");
    }

    @Test
    void writesTheEventsOfAStreamThatIsRead() throws Exception {
        EventStream stream = stream(Duration.ofMinutes(10));

        assertEquals("event: open\ndata: {}\n\n", read(stream));
        assertFalse(released.isDone());
    }

    @Test
    @Tag("B98")
    void streamThatItsClientLeftLogsOneLineWithoutAStackTrace() throws Exception {
        // Given: a writer whose interrupt surfaces as another exception
        var logger = (Logger) LoggerFactory.getLogger(EventStream.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        logger.addAppender(lines);
        var writing = new CompletableFuture<Thread>();
        var stream = new EventStream(_ -> {
            writing.complete(Thread.currentThread());
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while sending", e);
            }
        });
        var subscription = new CompletableFuture<Subscription>();
        stream.subscribe(new Subscriber<>() {
            @Override
            public void onSubscribe(Subscription made) {
                subscription.complete(made);
            }

            @Override
            public void onNext(byte[] bytes) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onComplete() {}
        });

        // When
        Thread writer = writing.get(SOON, TimeUnit.SECONDS);
        subscription.get(SOON, TimeUnit.SECONDS).cancel();
        writer.join();
        logger.detachAppender(lines);

        // Then
        assertEquals(1, lines.list.size());
        assertNull(lines.list.getFirst().getThrowableProxy());
    }
}
