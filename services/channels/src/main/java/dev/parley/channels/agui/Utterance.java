package dev.parley.channels.agui;

import org.jspecify.annotations.Nullable;

/** A text of the agent on its way to a client that may have the beginning of it. */
final class Utterance {
    private final String id;
    private final String given;
    private final StringBuilder all = new StringBuilder();
    private boolean isOpen;
    private int told;

    /** @param given what the client has of it */
    Utterance(String id, String given) {
        this.id = id;
        this.given = given;
        this.told = given.length();
    }

    String id() {
        return id;
    }

    /** Whether its beginning was told and its end was not. */
    boolean isOpen() {
        return isOpen;
    }

    void open() {
        isOpen = true;
    }

    void close() {
        isOpen = false;
    }

    /** What the client has to be told after this; null where it has something else already. */
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
