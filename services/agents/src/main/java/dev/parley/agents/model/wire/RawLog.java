package dev.parley.agents.model.wire;

import okio.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * The verbatim response of a provider, kept beside the items parsed from it. A response over 2 MiB is dropped entirely.
 */
public final class RawLog {
    /** Maximum bytes in UTF-8. */
    static final int MAX_BYTES = 2 << 20;

    private @Nullable StringBuilder text = new StringBuilder();
    private long size;

    /** Adds an event, on a line of its own, or a whole response. */
    public RawLog add(String piece) {
        StringBuilder builder = text;
        if (builder != null) {
            String line = builder.isEmpty() ? piece : "\n" + piece;
            size += Utf8.size(line);
            text = size > MAX_BYTES ? null : builder.append(line);
        }
        return this;
    }

    /** The complete response, or null if it was too long. */
    public @Nullable String text() {
        return text == null ? null : text.toString();
    }
}
