package dev.parley.agents.model.wire;

import java.io.IOException;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;

/**
 * Ends the last event of a stream. Some servers leave out the blank line after it, and readers would drop the event as
 * the standard says. An event that ends within its line is complete only if it is valid, which its reader decides.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream">event
 *     streams</a>
 */
final class EventStreamEnd extends ForwardingSource {
    private final Response response;
    private boolean ended;

    private EventStreamEnd(Response response, ResponseBody body) {
        super(body.source());
        this.response = response;
    }

    static EventStreamEnd of(Response response) {
        return new EventStreamEnd(response, response.body());
    }

    /** The response, whose last event ends with a blank line. */
    Response response() {
        BufferedSource source = Okio.buffer(this);
        return response.newBuilder()
                .body(ResponseBody.create(source, response.body().contentType(), -1))
                .build();
    }

    /** Whether all of the stream was read: the event that is read now is the last one. */
    boolean isReached() {
        return ended;
    }

    @Override
    public long read(Buffer sink, long byteCount) throws IOException {
        long read = super.read(sink, byteCount);
        if (read >= 0 || ended) {
            return read;
        }
        ended = true;
        sink.writeUtf8("\n\n");
        return 2;
    }
}
