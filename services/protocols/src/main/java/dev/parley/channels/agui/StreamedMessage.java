package dev.parley.channels.agui;

import org.jspecify.annotations.Nullable;

/** A message that is streamed to a client, which may have its beginning already. */
final class StreamedMessage {
    private final String id;
    private final String clientText;
    private final StringBuilder content = new StringBuilder();
    private boolean isOpen;
    private int sent;

    /** @param clientText the text that the client has */
    StreamedMessage(String id, String clientText) {
        this.id = id;
        this.clientText = clientText;
        this.sent = clientText.length();
    }

    String id() {
        return id;
    }

    /** Whether the message was started and has not ended. */
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
        int checked = content.length();
        content.append(text);
        int common = Math.min(content.length(), clientText.length());
        if (common > checked && !clientText.startsWith(content.substring(checked, common), checked)) {
            return null;
        }
        String unsent = content.length() <= sent ? "" : content.substring(sent);
        sent = Math.max(sent, content.length());
        return unsent;
    }

    /** The whole text. */
    String text() {
        return content.toString();
    }
}
