package dev.parley.channels.chat.markup;

/** One message of a reply. */
public sealed interface MessageChunk {
    /**
     * A text message.
     *
     * @param markup in the platform's markup, within its limits
     * @param plain the visible text, sent where the platform rejects the markup
     */
    record Message(String markup, String plain) implements MessageChunk {}

    /** A file, for content that is too long for messages. */
    record Document(String name, String mimeType, String content) implements MessageChunk {}
}
