package dev.parley.platform.http.limit;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A request, with what it holds until it is answered or its connection ends: its share of the bytes of bodies, its
 * place among the streams. The state of its body belongs to the thread of the connection.
 */
final class Exchange extends DefaultHttpRequest {
    final BodySize limit;
    private final List<Runnable> releases = new ArrayList<>(2);
    private boolean ended;
    private volatile boolean admitted;

    /** Whether it has a place among the streams. */
    volatile boolean streams;

    /** Bytes of the body so far. */
    long received;

    /** Bytes of a body of unknown length that are accounted for. */
    long charged;

    /** Who holds the body. */
    volatile String holder = HttpGate.ANYBODY;

    /** Whether the response has begun. */
    boolean answered;

    Exchange(HttpRequest request, BodySize limit) {
        super(request.protocolVersion(), request.method(), request.uri(), request.headers());
        setDecoderResult(request.decoderResult());
        this.limit = limit;
    }

    /** Holds something until the end; releases it at once if that has come. */
    void hold(Runnable release) {
        synchronized (this) {
            if (!ended) {
                releases.add(release);
                return;
            }
        }
        release.run();
    }

    /** The caller is known and may call the route. */
    void admit() {
        admitted = true;
    }

    boolean isAdmitted() {
        return admitted;
    }

    /** Releases what is held, once. */
    void end() {
        List<Runnable> held;
        synchronized (this) {
            ended = true;
            held = List.copyOf(releases);
            releases.clear();
        }
        held.forEach(Runnable::run);
    }
}
