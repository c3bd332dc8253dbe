package dev.parley.agents.model.wire;

import okio.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * A provider's response as it came, for as long as it is short enough to be kept beside the items that are made of it. A
 * longer one is given up altogether: half a response proves nothing.
 */
public final class RawLog {
    /** In bytes of UTF-8. */
    static final int MOST = 2 << 20;

    private @Nullable StringBuilder text = new StringBuilder();
    private long size;

    /** Adds an event, on a line of its own, or a whole response. */
    public RawLog add(String piece) {
        StringBuilder all = text;
        if (all != null) {
            String line = all.isEmpty() ? piece : "\n" + piece;
            size += Utf8.size(line);
            text = size > MOST ? null : all.append(line);
        }
        return this;
    }

    /** All that came, or null where it was too long. */
    public @Nullable String text() {
        return text == null ? null : text.toString();
    }
}
