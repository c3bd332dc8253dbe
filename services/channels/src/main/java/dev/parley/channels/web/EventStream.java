package dev.parley.channels.web;

import dev.parley.platform.http.ApiException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
 * Server-sent events, written by a virtual thread that waits while the client is slow, and gives up when it is too slow:
 * the stream ends, and the client resumes where it was.
 */
final class EventStream implements Publisher<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final Duration SLOWEST = Duration.ofSeconds(30);

    private final Writer writer;

    EventStream(Writer writer) {
        this.writer = writer;
    }

    /** Writes all events; it returns when the stream is to end, and is interrupted when the client is gone. */
    @FunctionalInterface
    interface Writer {
        void write(Sink sink) throws InterruptedException;
    }

    @Override
    public void subscribe(Subscriber<? super byte[]> subscriber) {
        new Sink(subscriber).start();
    }

    /** Takes events. */
    final class Sink implements Subscription {
        private final Subscriber<? super byte[]> subscriber;
        private final Semaphore demand = new Semaphore(0);
        private final AtomicBoolean cancelled = new AtomicBoolean();
        private final Thread thread;

        private Sink(Subscriber<? super byte[]> subscriber) {
            this.subscriber = subscriber;
            this.thread = Thread.ofVirtual().name("sse").unstarted(this::run);
        }

        private void start() {
            subscriber.onSubscribe(this);
            thread.start();
        }

        private void run() {
            try {
                writer.write(this);
            } catch (InterruptedException | DeltaWatch.EndedException | ApiException e) {
                // the client is gone or too slow, or the server stops: it resumes if it wants to
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("event stream ended by an error");
            }
            if (!cancelled.get()) {
                subscriber.onComplete();
            }
        }

        /** Sends an event. */
        void event(String name, @Nullable String id, byte[] json) throws InterruptedException {
            String head = "event: " + name + (id == null ? "" : "\nid: " + id) + "\ndata: ";
            byte[] start = head.getBytes(StandardCharsets.UTF_8);
            byte[] all = new byte[start.length + json.length + 2];
            System.arraycopy(start, 0, all, 0, start.length);
            System.arraycopy(json, 0, all, start.length, json.length);
            all[all.length - 2] = '\n';
            all[all.length - 1] = '\n';
            send(all);
        }

        /** Sends a sign of life, which clients pass over. */
        void heartbeat() throws InterruptedException {
            send(": \n\n".getBytes(StandardCharsets.UTF_8));
        }

        private void send(byte[] bytes) throws InterruptedException {
            if (!demand.tryAcquire(SLOWEST.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new DeltaWatch.EndedException();
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
