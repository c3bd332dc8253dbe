package dev.parley.platform.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server-sent events, written by a virtual thread. The stream ends when the client does not read for 30 s; the
 * client then reconnects and resumes.
 */
public final class EventStream implements Publisher<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private final Writer writer;
    /** Completes with true when the stream is read, with false when it is too late for that. */
    private final CompletableFuture<Boolean> read = new CompletableFuture<>();

    public EventStream(Writer writer) {
        this.writer = writer;
    }

    /** Writes events until the stream ends; interrupted when the client disconnects. */
    @FunctionalInterface
    public interface Writer {
        void write(Sink sink) throws InterruptedException;
    }

    /**
     * Releases what the writer holds if nobody reads the stream within 30 s: the client has disconnected, or requested
     * the headers only.
     *
     * @param release runs instead of the writer
     */
    public EventStream ifUnread(Runnable release) {
        return ifUnread(release, READ_TIMEOUT);
    }

    EventStream ifUnread(Runnable release, Duration timeout) {
        var _ = read.completeOnTimeout(false, timeout.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(isRead -> {
                    if (!isRead) {
                        Thread.ofVirtual().name("sse-unread").start(release);
                    }
                });
        return this;
    }

    @Override
    public void subscribe(Subscriber<? super byte[]> subscriber) {
        var sink = new Sink(subscriber);
        subscriber.onSubscribe(sink);
        if (read.complete(true)) {
            sink.thread.start();
        } else {
            subscriber.onComplete();
        }
    }

    /** Ends a stream: the client is too slow, or the server stops. */
    public static class EndedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public EndedException() {
            super(null, null, false, false);
        }
    }

    /** The streamed response. */
    public HttpResponse<Publisher<byte[]>> response() {
        return HttpResponse.<Publisher<byte[]>>ok(this)
                .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Accel-Buffering", "no");
    }

    /** Sends events to the client. */
    public final class Sink implements Subscription {
        private final Subscriber<? super byte[]> subscriber;
        private final Semaphore demand = new Semaphore(0);
        private final AtomicBoolean cancelled = new AtomicBoolean();
        private final Thread thread;

        private Sink(Subscriber<? super byte[]> subscriber) {
            this.subscriber = subscriber;
            this.thread = Thread.ofVirtual().name("sse").unstarted(this::run);
        }

        private void run() {
            try {
                writer.write(this);
            } catch (InterruptedException | EndedException | ApiException e) {
                // the client disconnected or is too slow, or the server stops: it may resume
            } catch (RuntimeException e) {
                log(e);
            }
            if (!cancelled.get()) {
                subscriber.onComplete();
            }
        }

        /** The interrupt of a client that disconnects may surface as any exception, which is no fault. */
        private void log(RuntimeException e) {
            if (cancelled.get()) {
                LOG.atInfo().addKeyValue("error", e.toString()).log("event stream ended: its client disconnected");
            } else {
                LOG.atWarn().setCause(e).log("event stream ended by an error");
            }
        }

        /** Sends an event. */
        public void event(String name, @Nullable String id, byte[] json) throws InterruptedException {
            String head = "event: " + name + (id == null ? "" : "\nid: " + id) + "\ndata: ";
            send(frame(head, json));
        }

        /** Sends data without the name of an event. */
        public void data(byte[] json) throws InterruptedException {
            send(frame("data: ", json));
        }

        private static byte[] frame(String head, byte[] json) {
            byte[] start = head.getBytes(StandardCharsets.UTF_8);
            byte[] frame = Arrays.copyOf(start, start.length + json.length + 2);
            System.arraycopy(json, 0, frame, start.length, json.length);
            frame[frame.length - 2] = '\n';
            frame[frame.length - 1] = '\n';
            return frame;
        }

        /** Sends a comment that keeps the connection alive. */
        public void heartbeat() throws InterruptedException {
            send(": \n\n".getBytes(StandardCharsets.UTF_8));
        }

        private void send(byte[] bytes) throws InterruptedException {
            if (!demand.tryAcquire(SEND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new EndedException();
            }
            if (cancelled.get()) {
                throw new InterruptedException();
            }
            subscriber.onNext(bytes);
        }

        @Override
        public void request(long n) {
            demand.release((int) Math.min(n, Integer.MAX_VALUE - 1 - demand.availablePermits()));
        }

        @Override
        public void cancel() {
            if (cancelled.compareAndSet(false, true)) {
                thread.interrupt();
            }
        }
    }
}
