package dev.parley.channels.telegram.markup;

/** A message to send: one piece of a reply. */
public sealed interface Chunk {
    /**
     * A text message.
     *
     * @param html for parse_mode=HTML; within Telegram's limits
     * @param plain what a reader sees of it: the message where Telegram refuses the markup
     */
    record Html(String html, String plain) implements Chunk {}

    /** A file, for what is too long to be read in messages. */
    record Document(String name, String mimeType, String content) implements Chunk {}
}
