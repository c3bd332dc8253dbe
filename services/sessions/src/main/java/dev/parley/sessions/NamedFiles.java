package dev.parley.sessions;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import java.util.List;
import java.util.stream.Stream;

/** The files that an event names, by SHA-256. */
public final class NamedFiles {
    private NamedFiles() {}

    /** The SHA-256 of each file, without duplicates. */
    public static List<String> of(TurnEvent event) {
        return blocks(event)
                .filter(Block.File.class::isInstance)
                .map(block -> ((Block.File) block).sha256())
                .distinct()
                .toList();
    }

    private static Stream<? extends Block> blocks(TurnEvent event) {
        return switch (event) {
            case TurnAccepted e -> e.content().stream();
            case TurnExtended e -> e.content().stream();
            case TurnRevised e -> e.content().stream();
            case TurnSteered e -> e.content().stream();
            case MessageAppended e -> e.message().blocks().stream();
            case ModelRequested e -> e.recordings().stream();
            case Transcribed e -> e.recordings().stream();
            case ModelCalled e -> e.blocks().stream();
            case ToolCalled e -> e.files().stream();
            case ContextSeeded e -> e.entries().stream().flatMap(entry -> entry.message().blocks().stream());
            default -> Stream.empty();
        };
    }
}
