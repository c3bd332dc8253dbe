package dev.parley.channels.chat.markup;

sealed interface ReplyPart {
    record Text(StyledText styled) implements ReplyPart {}

    record File(MessageChunk.Document document) implements ReplyPart {}
}
