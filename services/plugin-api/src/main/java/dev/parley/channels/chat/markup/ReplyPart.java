package dev.parley.channels.chat.markup;

/** A part of a reply. */
sealed interface ReplyPart {
    record Text(StyledText styled) implements ReplyPart {}

    record File(MessageChunk.Document document) implements ReplyPart {}
}
