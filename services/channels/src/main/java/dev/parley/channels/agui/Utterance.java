package dev.parley.channels.agui;

import org.jspecify.annotations.Nullable;

/** A text of the agent that is streamed to a client which may have its beginning. */
final class Utterance {
    private final String id;
    private final String given;
    private final StringBuilder all = new StringBuilder();
    private boolean isOpen;
    private int told;

    /** @param given the part that the client has */
    Utterance(String id, String given) {
        this.id = id;
        this.given = given;
        this.told = given.length();
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
        int both = Math.min(all.length(), given.length());
        if (both > checked && !given.startsWith(all.substring(checked, both), checked)) {
            return null;
        }
        String more = all.length() <= told ? "" : all.substring(told);
        told = Math.max(told, all.length());
        return more;
    }

    /** All of it. */
    String text() {
        return all.toString();
    }
}
