package dev.parley.channels.chat.markup;

/** A part of a reply. */
sealed interface Part {
    record Text(StyledText styled) implements Part {}

    record File(Chunk.Document document) implements Part {}
}
