package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was given to a bank to remember: a turn, or any text.
 *
 * @param session where it was said, or null
 * @param turnId the turn that it is, or null
 * @param turnSeq number of that turn in its session, or null
 * @param contentHash SHA-256 of all that it says
 * @param context what it is about, for whoever reads it; or null
 * @param chunks its text in pieces that are read one at a time
 * @param forgetAt when it is forgotten, or null for never
 */
@RecordBuilder
public record Document(
        UUID id,
        @Nullable RecordKey session,
        @Nullable UUID turnId,
        @Nullable Long turnSeq,
        String contentHash,
        List<Saying> sayings,
        @Nullable String context,
        List<String> tags,
        Instant mentionedAt,
        List<Piece> chunks,
        @Nullable Instant forgetAt)
        implements DocumentBuilder.With {
    /** Characters of the longest one, all sides together. */
    public static final int MAX_LENGTH = 1 << 20;

    /** Most tags of one. */
    public static final int MAX_TAGS = 50;

    public Document {
        sayings = List.copyOf(sayings);
        tags = List.copyOf(tags);
        chunks = List.copyOf(chunks);
    }

    /** How many bytes of text it has, in UTF-8. */
    long bytes() {
        return sayings.stream()
                .mapToLong(said -> said.text().getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    /** The text of a chunk. */
    public String text(Piece chunk) {
        return sayings.get(chunk.saying()).text().substring(chunk.from(), chunk.to());
    }

    /**
     * A chunk of the document.
     *
     * @param saying in which part it is
     * @param from index of its first character in the part
     * @param to index behind its last character in the part
     * @param hash SHA-256 of its text: what has the same has been read already
     */
    public record Piece(int saying, int from, int to, String hash) {}
}
