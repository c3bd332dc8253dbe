package dev.parley.channels.chat.markup;

/** What a reply consists of, in order. */
sealed interface Part {
    record Text(StyledText styled) implements Part {}

    record File(Chunk.Document document) implements Part {}
}
