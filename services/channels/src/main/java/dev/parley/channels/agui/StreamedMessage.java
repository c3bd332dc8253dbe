package dev.parley.channels.agui;

import org.jspecify.annotations.Nullable;

/** A message that is streamed to a client, which may have its beginning already. */
final class StreamedMessage {
    private final String id;
    private final String known;
    private final StringBuilder all = new StringBuilder();
    private boolean isOpen;
    private int sent;

    /** @param known the text that the client has */
    StreamedMessage(String id, String known) {
        this.id = id;
        this.known = known;
        this.sent = known.length();
    }

    String id() {
        return id;
    }

    /** Whether it was started and not ended. */
    boolean isOpen() {
        return isOpen;
    }

    void open() {
        isOpen = true;
    }

    void close() {
        isOpen = false;
    }

    /** The part to send; null where the client has a different text. */
    @Nullable
    String add(String text) {
        int checked = all.length();
        all.append(text);
        int both = Math.min(all.length(), known.length());
        if (both > checked && !known.startsWith(all.substring(checked, both), checked)) {
            return null;
        }
        String more = all.length() <= sent ? "" : all.substring(sent);
        sent = Math.max(sent, all.length());
        return more;
    }

    /** All of it. */
    String text() {
        return all.toString();
    }
}
