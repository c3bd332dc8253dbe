package dev.parley.channels.chat.markup;

/** A message to send: one piece of a reply. */
public sealed interface Chunk {
    /**
     * A text message.
     *
     * @param markup in the platform's markup, within its limits
     * @param plain what a reader sees of it: the message where the platform refuses the markup
     */
    record Message(String markup, String plain) implements Chunk {}

    /** A file, for what is too long to be read in messages. */
    record Document(String name, String mimeType, String content) implements Chunk {}
}
