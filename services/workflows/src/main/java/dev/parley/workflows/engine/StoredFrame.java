package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stored form of a {@link Frame}.
 *
 * @param path null if it is the pointer
 * @param input null if it is the raw input
 * @param since null if it is the start
 */
record StoredFrame(
        String pointer,
        long order,
        @Nullable String path,
        int attempt,
        Json raw,
        @InArray @Nullable Json input,
        Instant startedAt,
        @Nullable Instant since,
        @Nullable Instant deadline,
        Frame.Work work) {
    static StoredFrame of(Frame frame) {
        return new StoredFrame(
                frame.pointer(),
                frame.order(),
                frame.path().equals(frame.pointer()) ? null : frame.path(),
                frame.attempt(),
                frame.raw(),
                frame.input().equals(frame.raw()) ? null : frame.input(),
                frame.startedAt(),
                frame.since().equals(frame.startedAt()) ? null : frame.since(),
                frame.deadline(),
                frame.work());
    }

    Frame frame() {
        return new Frame(
                pointer,
                order,
                Objects.requireNonNullElse(path, pointer),
                attempt,
                raw,
                Objects.requireNonNullElse(input, raw),
                startedAt,
                Objects.requireNonNullElse(since, startedAt),
                deadline,
                work);
    }
}
